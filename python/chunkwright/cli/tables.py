"""Rows as Arrow and Parquet files, through pyarrow."""

import re
from typing import Any, BinaryIO

from chunkwright.cli.rows import Columns
from chunkwright.errors import MissingExtraError

BATCH_ROWS = 16_384
BATCH_CHARS = 32 * 1024 * 1024
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
STRINGS = ("id", "document", "text")


class Table:
    """Writes rows to a file, many documents to a batch.

    Parameters
    ----------
    file
        Where to.
    format_
        ``"arrow"`` (the IPC file format) or ``"parquet"``.

    Raises
    ------
    MissingExtraError
        If pyarrow is not installed.
    """

    def __init__(self, file: BinaryIO, format_: str) -> None:
        try:
            import pyarrow as pa
            import pyarrow.parquet as pq
        except ImportError as error:
            raise MissingExtraError(f"writing {format_}", "arrow") from error
        self._schema = _schema(pa)
        self._table = pa.table
        make = pa.ipc.new_file if format_ == "arrow" else pq.ParquetWriter
        self._writer = make(file, self._schema)
        self._pending: Columns = {name: [] for name in self._schema.names}
        self._chars = 0

    def write(self, columns: Columns) -> None:
        """Take the rows of one document, and write a batch if there are enough."""
        for name, values in columns.items():
            self._pending[name] += _well_formed(values) if name in STRINGS else values
        self._chars += sum(map(len, columns["text"]))
        if len(self._pending["id"]) >= BATCH_ROWS or self._chars >= BATCH_CHARS:
            self._flush()

    def close(self) -> None:
        """Write what is left, and the file's footer."""
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if self._pending["id"]:
            self._writer.write_table(self._table(self._pending, schema=self._schema))
        self._pending = {name: [] for name in self._schema.names}
        self._chars = 0


def _schema(pa: Any) -> Any:
    numbers = ["start", "end", "byte_start", "byte_end", "line_start", "line_end", "n_tokens"]
    return pa.schema(
        [
            ("id", pa.string()),
            ("document", pa.string()),
            ("index", pa.int64()),
            ("text", pa.string()),
            *((name, pa.int64()) for name in numbers),
            ("oversize", pa.bool_()),
        ]
    )


def _well_formed(texts: list[str]) -> list[str]:
    """Replace each lone surrogate, which UTF-8 cannot say, by U+FFFD: offsets stay right."""
    return [text if _is_utf8(text) else LONE_SURROGATE.sub("\ufffd", text) for text in texts]


def _is_utf8(text: str) -> bool:
    return text.isascii() or not LONE_SURROGATE.search(text)
