"""Rows of Parquet and Arrow files, one document each, through pyarrow."""

import base64
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, time, timedelta
from itertools import count
from typing import Any

from chunkwright.cli.settings.table import Settings
from chunkwright.errors import MissingExtraError, ReadError
from chunkwright.io.entry import Entry
from chunkwright.io.inputs import STDIN, Source, standard_input
from chunkwright.io.rows import CLASH, NAMES

BATCH_ROWS = 1024
FILE_MAGIC = b"ARROW1"


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a batch, but for its text and name."""

    batch: Any
    index: int

    @property
    def size(self) -> int:
        """About as many bytes as it takes: the mean of its batch."""
        return int(self.batch.nbytes // self.batch.num_rows)

    def values(self) -> dict[str, Any]:
        """Return its values as JSON knows them: times in ISO 8601, bytes in base64."""
        columns = zip(self.batch.schema.names, self.batch.columns, strict=True)
        return {name: _plain(column[self.index]) for name, column in columns}


def table_rows(source: Source, settings: Settings, format_: str) -> Iterator[Entry | ReadError]:
    """Read a table, one batch at a time; memory is that of a batch, or of a Parquet row group.

    Yields
    ------
    Entry or ReadError
        A row's document, or why it has none.

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
    numbers = count(1)
    try:
        for batch in _batches(source, format_, pa):
            yield from _Batch(batch, source, settings, pa).entries(numbers)
    except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or " ".join(str(error).split())
        raise ReadError(f"{source.name}: not readable as {format_}: {reason}") from error


def _batches(source: Source, format_: str, pa: Any) -> Iterator[Any]:
    if format_ == "parquet":
        import pyarrow.parquet as pq

        whole = source.name == STDIN
        file = pa.BufferReader(standard_input().read()) if whole else source.name
        with pq.ParquetFile(file) as table:
            yield from table.iter_batches(BATCH_ROWS)
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


class _Batch:
    """A batch with what the settings say of its columns."""

    def __init__(self, batch: Any, source: Source, settings: Settings, pa: Any) -> None:
        self._source, self._pa, self._names = source, pa, batch.schema.names
        self._texts = self._texts_of(batch, settings.text_column)
        _validate(batch, settings.text_column, pa)
        self._texts = self._decoded(self._texts)
        self._ids = None
        self._id_column = settings.id_column
        if settings.id_column is not None:
            self._ids = self._column(batch, settings.id_column)
        left = {settings.text_column, settings.id_column, *settings.drop_columns}
        kept = [name for name in self._names if name not in left]
        self._refuse(next((name for name in kept if name in NAMES), None))
        columns = [self._decoded(self._column(batch, name)) for name in kept]
        self._carried = pa.record_batch(columns, names=kept) if kept else None

    def entries(self, numbers: Iterator[int]) -> Iterator[Entry | ReadError]:
        """Yield each row's document, or why it has none; rows are numbered on."""
        for index, number in zip(range(len(self._texts)), numbers, strict=False):
            place = f"{self._source.name}:{number}"
            try:
                text = self._text(index, place)
                name = self._name(index, place, f"{self._source.document}:{number}")
                yield Entry(name, place, text, self._row(index))
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
        if kind not in _binary(self._pa):
            raise ReadError(f"{self._source.name}: column {name!r} is {column.type}, not text")
        return column

    def _decoded(self, column: Any) -> Any:
        is_dictionary = self._pa.types.is_dictionary(column.type)
        return column.dictionary_decode() if is_dictionary else column

    def _refuse(self, clash: str | None) -> None:
        if clash is not None:
            raise ReadError(f"{self._source.name}: column {clash!r} {CLASH.format(clash)}")

    def _text(self, index: int, place: str) -> str:
        try:
            text = self._texts[index].as_py()
        except UnicodeDecodeError as error:
            where = f"not valid utf-8 at byte {error.start}"
            raise ReadError(f"{place}: {where}") from error
        if text is None:
            raise ReadError(f"{place}: the text is null")
        return str(text)

    def _name(self, index: int, place: str, default: str) -> str:
        if self._ids is None:
            return default
        value = self._ids[index].as_py()
        if isinstance(value, bool) or not isinstance(value, str | int):
            wrong = f"column {self._id_column!r} is {value!r}"
            raise ReadError(f"{place}: {wrong}, not a string or an integer")
        return str(value)


def _validate(batch: Any, text_column: str, pa: Any) -> None:
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


def _plain(scalar: Any) -> Any:
    if not scalar.is_valid:
        return None
    # Python's own times end at microseconds: for finer ones pyarrow asks pandas, if that is there.
    if "[ns" in str(scalar.type):
        return _beyond_python(scalar)
    try:
        return _json_value(scalar.as_py())
    except (ValueError, OverflowError):
        return _beyond_python(scalar)


def _beyond_python(scalar: Any) -> Any:
    """Say what Python has no object for: nanoseconds, and years after 9999."""
    import pyarrow as pa

    if isinstance(scalar, pa.MapScalar):
        return [[_plain(item["key"]), _plain(item["value"])] for item in scalar.values]
    if isinstance(scalar, pa.ListScalar):
        return [_plain(item) for item in scalar.values]
    if isinstance(scalar, pa.StructScalar):
        return {name: _plain(item) for name, item in scalar.items()}
    if isinstance(scalar, (pa.DictionaryScalar, pa.RunEndEncodedScalar, pa.ExtensionScalar)):
        return _plain(scalar.value)
    if getattr(scalar.type, "unit", None) == "ns":
        return _nanoseconds(scalar, pa)
    return scalar.cast(pa.string()).as_py()


def _nanoseconds(scalar: Any, pa: Any) -> str | float:
    kind = scalar.type
    if pa.types.is_duration(kind):
        return float(scalar.value / 10**9)
    micros, rest = divmod(scalar.value, 1000)
    is_time = pa.types.is_time(kind)
    coarse = pa.scalar(micros, pa.time64("us") if is_time else pa.timestamp("us", kind.tz)).as_py()
    if not rest:
        return str(coarse.isoformat())
    whole, _, zone = coarse.isoformat(timespec="microseconds").partition(".")
    return f"{whole}.{zone[:6]}{rest:03}{zone[6:]}"


def _json_value(value: Any) -> Any:
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, dict):
        return {str(key): _json_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_json_value(item) for item in value]
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, timedelta):
        return value.total_seconds()
    return value.isoformat() if isinstance(value, date | time) else str(value)
