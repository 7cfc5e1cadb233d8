"""Rows as Arrow and Parquet files, through pyarrow."""

import re
from collections.abc import Sequence
from typing import Any, BinaryIO

from chunkwright.errors import MissingExtraError
from chunkwright.io.carried import CarriedColumns, Load
from chunkwright.io.rows import NAMES, Carried, Columns

BATCH_ROWS = 16_384
BATCH_CHARS = 32 * 1024 * 1024
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
STRINGS = ("id", "document", "text", "kind", "html", "reason")


class Table:
    """Writes rows to a file, many documents to a batch.

    The first batch decides which columns are carried, and of what type they are.

    Parameters
    ----------
    file
        Where to.
    format_
        ``"arrow"`` (the IPC file format) or ``"parquet"``.
    names
        The columns that the rows have by themselves.

    Raises
    ------
    MissingExtraError
        If pyarrow is not installed.
    """

    def __init__(self, file: BinaryIO, format_: str, names: Sequence[str] = NAMES) -> None:
        try:
            import pyarrow as pa
            import pyarrow.parquet as pq
        except ImportError as error:
            raise MissingExtraError(f"writing {format_}", "arrow") from error
        self._pa, self._file = pa, file
        self._make = pa.ipc.new_file if format_ == "arrow" else pq.ParquetWriter
        self._own, self._more = _schema(pa, names), CarriedColumns(pa)
        self._writer: Any = None
        self._begin()

    def write(self, columns: Columns, carried: Carried | None = None) -> None:
        """Take the rows of one document, and write a batch if there are enough.

        Raises
        ------
        OSError
            If a carried column has no place in the table; names it.
        """
        for name, values in columns.items():
            self._pending[name] += _well_formed(values) if name in STRINGS else values
        n_chunks = len(columns["id"])
        self._carried.append((carried, n_chunks))
        self._chars += sum(map(len, columns["text"]))
        self._chars += n_chunks * (0 if carried is None else carried.size)
        if len(self._pending["id"]) >= BATCH_ROWS or self._chars >= BATCH_CHARS:
            self._flush()

    def close(self) -> None:
        """Write what is left, and the file's footer."""
        self._flush()
        if self._writer is not None:
            self._writer.close()

    def _begin(self) -> None:
        self._pending: Columns = {name: [] for name in self._own.names}
        self._carried: list[Load] = []
        self._chars = 0

    def _flush(self) -> None:
        if self._writer is not None and not self._pending["id"]:
            return
        pending, carried = self._pending, self._carried
        # What fails is not tried again when the file is closed.
        self._begin()
        try:
            table = self._pa.table(pending, schema=self._own)
            for name, column in self._more.of(carried).items():
                table = table.append_column(name, column)
            if self._writer is None:
                self._writer = self._make(self._file, table.schema)
            self._writer.write_table(table)
        except self._pa.ArrowException as error:
            raise OSError(f"cannot write a batch: {' '.join(str(error).split())}") from error


def _schema(pa: Any, names: Sequence[str]) -> Any:
    kinds = {
        **dict.fromkeys(STRINGS, pa.string()),
        **dict.fromkeys(("oversize", "is_continuation"), pa.bool_()),
        **dict.fromkeys(("score", "threshold"), pa.float64()),
        "pages": pa.list_(pa.int64()),
        "headings": pa.list_(pa.string()),
    }
    return pa.schema([(name, kinds.get(name, pa.int64())) for name in names])


def _well_formed(texts: list[str | None]) -> list[str | None]:
    """Replace each lone surrogate, which UTF-8 cannot say, by U+FFFD: offsets stay right."""
    return [
        text if text is None or _is_utf8(text) else LONE_SURROGATE.sub("\ufffd", text)
        for text in texts
    ]


def _is_utf8(text: str) -> bool:
    return text.isascii() or not LONE_SURROGATE.search(text)
