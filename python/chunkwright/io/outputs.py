"""Outputs of chunks: files of rows, in the format that a suffix names."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from chunkwright import _core
from chunkwright.files.atomic import replacing
from chunkwright.io.carried import CarriedBatch, CarriedColumns, Load
from chunkwright.io.rows import NAMES, Carried, rows_of
from chunkwright.io.table_files import pyarrow
from chunkwright.messages.terminal_text import escaped

if TYPE_CHECKING:
    from chunkwright.chunks import Chunks

# A batch is written when it has so many rows, or so many bytes.
BATCH_ROWS = 16_384
BATCH_BYTES = 32 * 1024 * 1024


class TableWriter:
    """Writer of rows to a table file, many documents in a batch.

    The first batch determines the carried columns and their types.

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
        pa = pyarrow(f"writing {format_}")
        import pyarrow.parquet as pq

        self._pa, self._file = pa, file
        self._make = pa.ipc.new_file if format_ == "arrow" else pq.ParquetWriter
        self._own, self._more = pa.schema(_core.no_rows(list(names))), CarriedColumns(pa)
        self._writer: Any = None
        self._begin()

    def write(self, chunks: Chunks, number: int, carried: Carried | None = None) -> None:
        """Add the rows of one document, and write a batch if there are enough.

        Raises
        ------
        OSError
            If a carried column has no place in the table; names it.
        """
        rows = rows_of(chunks, number, self._own.names)
        self._pending.append(rows)
        self._carried.append((carried, len(rows)))
        self._n_rows += len(rows)
        self._n_bytes += rows.n_bytes() + len(rows) * (0 if carried is None else carried.size)
        if self._n_rows >= BATCH_ROWS or self._n_bytes >= BATCH_BYTES:
            self._flush()

    def write_rows(self, rows: Any, carried: dict[str, Any]) -> None:
        """Add rows of many documents, and write a batch if there are enough.

        Parameters
        ----------
        rows
            A ``pyarrow.RecordBatch`` with the columns that rows have by themselves.
        carried
            The columns that they carry, by name.

        Raises
        ------
        OSError
            If a carried column has no place in the table; names it.
        """
        self._pending.append(self._fitting(rows))
        self._carried.append(CarriedBatch(carried, rows.num_rows))
        self._n_rows += rows.num_rows
        self._n_bytes += rows.nbytes + sum(column.nbytes for column in carried.values())
        if self._n_rows >= BATCH_ROWS or self._n_bytes >= BATCH_BYTES:
            self._flush()

    def close(self) -> None:
        """Write what is left, and the file's footer."""
        self._flush()
        if self._writer is not None:
            self._writer.close()

    def _begin(self) -> None:
        self._pending: list[Any] = []
        self._carried: list[Load] = []
        self._n_rows = self._n_bytes = 0

    def _flush(self) -> None:
        if self._writer is not None and not self._n_rows:
            return
        pending, carried = self._pending, self._carried
        # What fails is not tried again when the file is closed.
        self._begin()
        try:
            table = self._pa.Table.from_batches(map(self._as_own, _joined(pending)), self._own)
            for name, column in self._more.of(carried).items():
                table = table.append_column(name, column)
            if self._writer is None:
                self._writer = self._make(self._file, table.schema)
            self._writer.write_table(table.combine_chunks())
        except self._pa.ArrowException as error:
            raise OSError(f"cannot write a batch: {' '.join(str(error).split())}") from error

    def _as_own(self, rows: Any) -> Any:
        """Return rows with the columns of the file: texts of gigabytes have another type."""
        batch = self._pa.record_batch(rows) if isinstance(rows, _core.ArrowBatch) else rows
        return batch if batch.schema.equals(self._own) else batch.cast(self._own)

    def _fitting(self, rows: Any) -> Any:
        """Return rows with the columns of the file, null where they have none."""
        names, n_rows = rows.schema.names, rows.num_rows
        columns = [
            rows[f.name].cast(f.type) if f.name in names else self._pa.nulls(n_rows, f.type)
            for f in self._own
        ]
        return self._pa.RecordBatch.from_arrays(columns, schema=self._own)


def _joined(pending: list[Any]) -> list[Any]:
    """Return rows of many documents as fewer batches."""
    of_core = [rows for rows in pending if isinstance(rows, _core.ArrowBatch)]
    joined = _core.ArrowBatch.joined(of_core) if len(of_core) == len(pending) else None
    return pending if joined is None else [joined]


FORMATS = ["jsonl", "parquet", "arrow"]
"""The formats of files, which are their suffixes too."""


class Writer(Protocol):
    """Writer that takes rows, document by document."""

    def write(self, chunks: Chunks, number: int, carried: Carried | None = None) -> None:
        """Write the rows of one document, which has that number."""

    def close(self) -> None:
        """Write what is left."""


@contextmanager
def opened(out: Path, format_: str, names: Sequence[str]) -> Iterator[Writer]:
    """Open a file for rows with those columns; it appears when the block ends without error.

    Raises
    ------
    ConfigError
        If nothing can be written there; names the path.
    MissingExtraError
        If it is to be a table, and pyarrow is not installed.
    """
    # Closed whatever happens: pyarrow would otherwise do it when the file is closed already.
    with replacing(out) as file, closing(_writer(file, format_, names)) as writer:
        yield writer


def _writer(file: BinaryIO, format_: str, names: Sequence[str]) -> Writer:
    if format_ == "jsonl":
        return JsonLines(file, names)
    from chunkwright.io.outputs import TableWriter

    return TableWriter(file, format_, names)


class JsonLines:
    """Writes rows to a file as UTF-8, one JSON object a line.

    Whoever reads a pipe or a terminal gets the rows of each document as soon as they are written.
    On a terminal, characters that could steer it are written as JSON's escapes of them.
    """

    def __init__(self, file: BinaryIO, names: Sequence[str] = NAMES) -> None:
        self._file, self._names = file, names
        self._is_awaited = not _is_regular(file)
        self._is_shown = file.isatty()
        self._encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode

    def write(self, chunks: Chunks, number: int, carried: Carried | None = None) -> None:
        """Write the rows of one document. `oversize` is left out where it is false."""
        more = {} if carried is None else _finite(carried.values())
        rows = rows_of(chunks, number, self._names).to_dicts()
        # JSON says lone surrogates, too.
        for row, text in zip(rows, chunks.texts(), strict=True):
            row["text"] = text
            if not row["oversize"]:
                del row["oversize"]
            self._write(row | more)
        if self._is_awaited:
            self._file.flush()

    def write_row(self, row: Mapping[str, Any]) -> None:
        """Write one row as it is."""
        self._write(row)
        if self._is_awaited:
            self._file.flush()

    def close(self) -> None:
        """Hand on what is buffered."""
        self._file.flush()

    def _write(self, row: Mapping[str, Any]) -> None:
        line = self._encode(row)
        if self._is_shown:
            line = escaped(line)
        # A lone surrogate is no UTF-8; with a backslash it is JSON's own escape of it.
        self._file.write(line.encode("utf-8", "backslashreplace") + b"\n")


def _is_regular(file: BinaryIO) -> bool:
    try:
        return stat.S_ISREG(os.fstat(file.fileno()).st_mode)
    except OSError:
        # A stream that is no file of the system.
        return False


def _finite(value: Any) -> Any:
    """Put null where a float is none of JSON's."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list) else value
