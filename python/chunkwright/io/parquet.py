"""Parquet and Arrow files through pyarrow: rows of documents read, rows of chunks written."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, BinaryIO

from chunkwright import _core
from chunkwright.errors import MissingExtraError, ReadError
from chunkwright.io.carried import CarriedBatch, CarriedColumns, Load, TableRow
from chunkwright.io.rows import CLASH, NAMES, Carried, rows_of
from chunkwright.io.sources import STDIN, Entry, Reading, Source, standard_input
from chunkwright.io.texts import entry_of_row

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chunkwright.chunks import Chunks

READ_ROWS = 1024
# A batch is written when it has so many rows, or so many bytes.
BATCH_ROWS = 16_384
BATCH_BYTES = 32 * 1024 * 1024
FILE_MAGIC = b"ARROW1"


def table_rows(source: Source, reading: Reading, format_: str) -> Iterator[Entry | ReadError]:
    """Read a table, one row after another; raises as :func:`table_batches`.

    Yields
    ------
    Entry or ReadError
        A row's document, or why it has none.
    """
    for batch in table_batches(source, reading, format_):
        yield from batch.entries()


def table_batches(source: Source, reading: Reading, format_: str) -> Iterator[TableBatch]:
    """Read a table, one batch at a time; memory is that of a batch, or of a Parquet row group.

    Yields
    ------
    TableBatch
        Some of its rows.

    Raises
    ------
    ReadError
        If the file cannot be read further, or lacks a column.
    MissingExtraError
        If pyarrow is not installed.
    """
    try:
        import pyarrow as pa
    except ImportError as error:
        raise MissingExtraError(f"reading {format_}", "arrow") from error
    source.check()
    first = 1
    try:
        for batch in _batches(source, format_, pa):
            yield TableBatch(batch, source, reading, first)
            first += len(batch)
    except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or " ".join(str(error).split())
        raise ReadError(f"{source.name}: not readable as {format_}: {reason}") from error


def _batches(source: Source, format_: str, pa: Any) -> Iterator[Any]:
    if format_ == "parquet":
        import pyarrow.parquet as pq

        whole = source.name == STDIN
        file = pa.BufferReader(standard_input().read()) if whole else source.name
        with pq.ParquetFile(file) as table:
            yield from table.iter_batches(READ_ROWS)
    elif source.name == STDIN:
        # What is read as a stream need not be at its end.
        yield from pa.ipc.open_stream(standard_input())
    else:
        with pa.OSFile(source.name) as file:
            is_file = file.read(len(FILE_MAGIC)) == FILE_MAGIC
            file.seek(0)
            yield from _of_file(pa.ipc.open_file(file)) if is_file else pa.ipc.open_stream(file)


def _of_file(reader: Any) -> Iterator[Any]:
    return (reader.get_batch(i) for i in range(reader.num_record_batches))


class TableBatch:
    """Rows of a table with what is asked of its columns.

    Parameters
    ----------
    batch
        A ``pyarrow.RecordBatch``.
    source, reading
        Where it is from, and how it is read.
    first
        The number of its first row, from 1.

    Raises
    ------
    ReadError
        If it lacks a column, or has one of another type, or one that chunks have, too.
    """

    def __init__(self, batch: Any, source: Source, reading: Reading, first: int) -> None:
        import pyarrow as pa

        self._source, self._pa, self._names = source, pa, batch.schema.names
        self._first = first
        self._reading = reading
        self._texts = self._texts_of(batch, reading.text_column)
        validate(batch, reading.text_column, pa)
        self._texts = self._decoded(self._texts)
        self._ids = None
        self._id_column = reading.id_column
        if reading.id_column is not None:
            self._ids = self._column(batch, reading.id_column)
        left = {reading.text_column, reading.id_column, *reading.drop_columns}
        kept = [name for name in self._names if name not in left]
        self._refuse(next((name for name in kept if name in NAMES), None))
        columns = [self._decoded(self._column(batch, name)) for name in kept]
        self._carried = pa.record_batch(columns, names=kept) if kept else None

    def __len__(self) -> int:
        return len(self._texts)

    @property
    def carried(self) -> Any:
        """The columns that chunks carry, as a record batch; None if there are none."""
        return self._carried

    def plain(self) -> tuple[Any, Any] | None:
        """Return the columns of texts and of names, as the core takes them.

        Returns
        -------
        tuple or None
            None where rows have to be looked at one by one: texts that are to be read, or ids that
            are null or no strings and integers.
        """
        pa, ids = self._pa, self._ids
        if self._reading.reads_rows or self._texts.type not in _binary(pa):
            return None
        if ids is None:
            numbers = range(self._first, self._first + len(self))
            names = [f"{self._source.document}:{number}" for number in numbers]
            return self._texts, pa.array(names, pa.string())
        is_known = pa.types.is_string(ids.type) or pa.types.is_integer(ids.type)
        return (self._texts, ids.cast(pa.string())) if is_known and not ids.null_count else None

    def place(self, index: int) -> str:
        """Return where a row is, for messages."""
        return f"{self._source.name}:{self._first + index}"

    def entries(self) -> Iterator[Entry | ReadError]:
        """Yield each row's document, or why it has none."""
        for index in range(len(self)):
            place = self.place(index)
            try:
                text = self._text(index, place)
                name = self._name(index, place, f"{self._source.document}:{self._first + index}")
                entry = entry_of_row(text, self._reading, name, place, self._row(index))
                yield entry if self._ids is None else replace(entry, document_id=name)
            except ReadError as error:
                yield error

    def _row(self, index: int) -> TableRow | None:
        return None if self._carried is None else TableRow(self._carried, index)

    def _column(self, batch: Any, name: str) -> Any:
        if self._names.count(name) == 1:
            return batch.column(self._names.index(name))
        if name in self._names:
            raise ReadError(f"{self._source.name}: more than one column {name!r}")
        known = ", ".join(map(repr, self._names)) or "none"
        raise ReadError(f"{self._source.name}: no column {name!r}; there are {known}")

    def _texts_of(self, batch: Any, name: str) -> Any:
        column = self._column(batch, name)
        kind = column.type
        if self._pa.types.is_dictionary(kind):
            kind = kind.value_type
        if kind not in _binary(self._pa) and not (
            self._reading.takes_lists and self._is_list(kind)
        ):
            raise ReadError(f"{self._source.name}: column {name!r} is {column.type}, not text")
        return column

    def _is_list(self, kind: Any) -> bool:
        """Whether a type is that of lists of structs, which may be elements."""
        types = self._pa.types
        is_list = types.is_list(kind) or types.is_large_list(kind)
        return bool(is_list and types.is_struct(kind.value_type))

    def _decoded(self, column: Any) -> Any:
        is_dictionary = self._pa.types.is_dictionary(column.type)
        return column.dictionary_decode() if is_dictionary else column

    def _refuse(self, clash: str | None) -> None:
        if clash is not None:
            raise ReadError(f"{self._source.name}: column {clash!r} {CLASH.format(clash)}")

    def _text(self, index: int, place: str) -> Any:
        try:
            text = self._texts[index].as_py()
        except UnicodeDecodeError as error:
            where = f"not valid utf-8 at byte {error.start}"
            raise ReadError(f"{place}: {where}") from error
        if text is None:
            raise ReadError(f"{place}: the text is null")
        return text

    def _name(self, index: int, place: str, default: str) -> str:
        if self._ids is None:
            return default
        value = self._ids[index].as_py()
        if isinstance(value, bool) or not isinstance(value, str | int):
            wrong = f"column {self._id_column!r} is {value!r}"
            raise ReadError(f"{place}: {wrong}, not a string or an integer")
        return str(value)


def validate(batch: Any, text_column: str, pa: Any) -> None:
    """Check that no offset or index of the batch leads out of it, as a damaged file's may.

    A text that is no UTF-8 is no error here: it is one row's.
    """
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        as_bytes = _binary(pa).get(column.type) if name == text_column else None
        (column if as_bytes is None else column.view(as_bytes)).validate(full=True)


def _binary(pa: Any) -> dict[Any, Any]:
    """Types of text, and the same as bytes."""
    return {
        pa.string(): pa.binary(),
        pa.large_string(): pa.large_binary(),
        pa.string_view(): pa.binary_view(),
    }


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
