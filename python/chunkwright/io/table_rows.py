"""Rows of Parquet and Arrow files as documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chunkwright.errors import ReadError
from chunkwright.io.batches import ROWS, Limits
from chunkwright.io.carried import TableRow
from chunkwright.io.rows import NAMES, RowNames, clashing, name_of_row
from chunkwright.io.sources import STDIN, Entry, Failure, Reading, Source, standard_input
from chunkwright.io.table_files import batches_of, is_string, pyarrow, unreadable, validate
from chunkwright.io.texts import entry_of_row

if TYPE_CHECKING:
    from collections.abc import Iterator

READ = Limits(ROWS.n_bytes, 1024)
"""Rows of tables whose chunks are written as they come."""


def table_batches(source: Source, reading: Reading, format_: str) -> Iterator[TableBatch]:
    """Read a table one batch at a time, holding one batch or Parquet row group in memory.

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
    pa = pyarrow(f"reading {format_}")
    source.check()
    first = 1
    try:
        for batch in _batches(source, format_, pa):
            yield TableBatch(batch, source, reading, first)
            first += len(batch)
    except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
        raise unreadable(source.name, format_, error) from error


def _batches(source: Source, format_: str, pa: Any) -> Iterator[Any]:
    file: Any = source.name
    if source.name == STDIN:
        if format_ == "arrow":
            # What is read as a stream need not be at its end.
            yield from pa.ipc.open_stream(standard_input())
            return
        file = pa.BufferReader(standard_input().read())
    for batch, _ in batches_of(file, format_, READ):
        yield batch


class TableBatch:
    """Rows of a table, with the columns that are needed.

    Parameters
    ----------
    batch
        A ``pyarrow.RecordBatch``.
    source, reading
        Where it is from, and how it is read.
    first
        The number of its first row, from 1.

    Attributes
    ----------
    places
        Where each row is, for messages.
    carried
        The columns that chunks carry, as a record batch; None if there are none.

    Raises
    ------
    ReadError
        If it lacks a column, or has one of another type, or one that chunks have, too.
    """

    def __init__(self, batch: Any, source: Source, reading: Reading, first: int) -> None:
        import pyarrow as pa

        self._batch, self._source, self._reading = batch, source, reading
        self.places: RowNames = RowNames(source.name, first)
        self._names = RowNames(source.document, first)
        self._texts = self._checked_texts()
        validate(batch, reading.text_column)
        self._texts = _decoded(self._texts)
        self._ids = None if reading.id_column is None else self._column(reading.id_column)
        kept = [name for name in batch.schema.names if name not in reading.not_carried]
        if clash := clashing(NAMES, kept):
            raise ReadError(f"{source.name}: column ", *clash)
        columns = [_decoded(self._column(name)) for name in kept]
        self.carried: Any | None = pa.record_batch(columns, names=kept) if kept else None

    def __len__(self) -> int:
        return len(self._texts)

    def plain(self) -> tuple[Any, Any] | None:
        """Return the columns of texts and of names, as the core takes them.

        Returns
        -------
        tuple or None
            None if rows have to be read one by one: texts with a format, or ids that
            are null or no strings and integers.
        """
        import pyarrow as pa

        ids = self._ids
        if self._reading.reads_rows or not is_string(self._texts.type):
            return None
        if ids is None:
            names = [self._names[row] for row in range(len(self))]
            return self._texts, pa.array(names, pa.string())
        is_known = pa.types.is_string(ids.type) or pa.types.is_integer(ids.type)
        return (self._texts, ids.cast(pa.string())) if is_known and not ids.null_count else None

    def entries(self) -> Iterator[Entry | Failure]:
        """Yield the document of each row, or a failure."""
        for row in range(len(self)):
            try:
                yield self._entry(row, self.places[row])
            except ReadError as error:
                yield self._source.failure(error)

    def _entry(self, row: int, place: str) -> Entry:
        text, name = self._text(row, place), self._name(row, place)
        carried = None if self.carried is None else TableRow(self.carried, row)
        return entry_of_row(text, self._reading, name, place, carried)

    def _column(self, name: str) -> Any:
        names = self._batch.schema.names
        if names.count(name) == 1:
            return self._batch.column(names.index(name))
        if name in names:
            raise ReadError(f"{self._source.name}: more than one column {name!r}")
        known = ", ".join(map(repr, names)) or "none"
        raise ReadError(f"{self._source.name}: no column {name!r}; there are {known}")

    def _checked_texts(self) -> Any:
        column = self._column(self._reading.text_column)
        is_known = is_string(column.type) or (self._reading.takes_lists and _is_list(column.type))
        if not is_known:
            name = self._reading.text_column
            raise ReadError(f"{self._source.name}: column {name!r} is {column.type}, not text")
        return column

    def _text(self, row: int, place: str) -> Any:
        try:
            text = self._texts[row].as_py()
        except UnicodeDecodeError as error:
            raise ReadError(f"{place}: not valid utf-8 at byte {error.start}") from error
        if text is None:
            raise ReadError(f"{place}: the text is null")
        return text

    def _name(self, row: int, place: str) -> str:
        if self._ids is None:
            return self._names[row]
        value, column = self._ids[row].as_py(), self._reading.id_column
        return name_of_row(value, lambda: f"{place}: column {column!r} is {value!r}")


def _decoded(column: Any) -> Any:
    import pyarrow as pa

    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def _is_list(kind: Any) -> bool:
    """Whether a type is that of lists of structs, which may be elements."""
    from pyarrow import types

    is_list = types.is_list(kind) or types.is_large_list(kind)
    return bool(is_list and types.is_struct(kind.value_type))
