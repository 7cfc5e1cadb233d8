"""Writer of rows of chunks as Parquet and Arrow files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO

from chunkwright import _core
from chunkwright.io.carried import CarriedBatch, CarriedColumns, Load
from chunkwright.io.rows import NAMES, Carried, rows_of
from chunkwright.io.table_files import pyarrow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkwright.chunks import Chunks

# A batch is written when it has so many rows, or so many bytes.
BATCH_ROWS = 16_384
BATCH_BYTES = 32 * 1024 * 1024


class TableWriter:
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
        pa = pyarrow(f"writing {format_}")
        import pyarrow.parquet as pq

        self._pa, self._file = pa, file
        self._make = pa.ipc.new_file if format_ == "arrow" else pq.ParquetWriter
        self._own, self._more = pa.schema(_core.no_rows(list(names))), CarriedColumns(pa)
        self._writer: Any = None
        self._begin()

    def write(self, chunks: Chunks, number: int, carried: Carried | None = None) -> None:
        """Take the rows of one document, and write a batch if there are enough.

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
        """Take rows of many documents, and write a batch if there are enough.

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
