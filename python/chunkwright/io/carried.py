"""Values that rows of documents carry beside their text: as JSON, and as columns of chunks."""

import base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, time, timedelta
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwright.errors import ChunkwrightError, OptionName
from chunkwright.io.rows import Carried

if TYPE_CHECKING:
    from chunkwright.document import Scalar


class ColumnError(ChunkwrightError, OSError):
    """A carried column cannot be stored in a table of chunks."""


class CarriedBatch(NamedTuple):
    """Carried columns of consecutive rows of chunks that have one origin."""

    columns: dict[str, Any]
    n_rows: int


Load = tuple[Carried | None, int] | CarriedBatch
"""Something that a document carries, or nothing, and how many chunks it has; or that of many."""


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a JSON object, except its text and name."""

    fields: dict[str, Any]
    size: int

    def names(self) -> Iterable[str]:
        """Return the names of the fields."""
        return self.fields

    def values(self) -> dict[str, Any]:
        """Return them."""
        return self.fields


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a batch, except its text and name."""

    batch: Any
    index: int

    @property
    def size(self) -> int:
        """About as many bytes as it takes: the mean of its batch."""
        return int(self.batch.nbytes // self.batch.num_rows)

    def names(self) -> Iterable[str]:
        """Return the names of the columns."""
        names: list[str] = self.batch.schema.names
        return names

    def values(self) -> dict[str, Any]:
        """Return its values as JSON knows them: times in ISO 8601, bytes in base64."""
        columns = zip(self.batch.schema.names, self.batch.columns, strict=True)
        return {name: _plain(column[self.index]) for name, column in columns}


def scalars_of(row: Carried) -> "dict[str, Scalar]":
    """Return the values of a row that metadata can hold: single values, and lists of these."""
    values = row.values().items()
    return {name: value for name, value in values if _is_single(value) or _is_list(value)}


def _is_single(value: object) -> bool:
    return isinstance(value, str | int | float | None)


def _is_list(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_single, value))


class CarriedColumns:
    """Carried columns, batch by batch. The first batch determines names and types."""

    def __init__(self, pa: Any) -> None:
        self._pa = pa
        self._types: dict[str, Any] | None = None

    def of(self, loads: Sequence[Load]) -> dict[str, Any]:
        """Return the columns of a batch: each document's values, once for each of its chunks.

        Raises
        ------
        OSError
            If a column has no place in the table; names it.
        """
        parts = [self._part(list(run)) for _, run in groupby(loads, key=_batch_of)]
        names = dict.fromkeys(chain.from_iterable(part.columns for part in parts))
        if self._types is None:
            self._types = {name: self._type(name, parts) for name in names}
        if strange := next((name for name in names if name not in self._types), None):
            raise _no_place(strange, "was not in the first rows")
        return {name: self._column(name, type_, parts) for name, type_ in self._types.items()}

    def _part(self, run: list[Load]) -> CarriedBatch:
        if isinstance(first := run[0], CarriedBatch):
            return first
        loads = [load for load in run if not isinstance(load, CarriedBatch)]
        repeated = [row for row, n in loads for _ in range(n)]
        rows = [row for row in repeated if isinstance(row, TableRow)]
        if rows:
            taken = rows[0].batch.take(self._pa.array([row.index for row in rows]))
            return CarriedBatch(
                dict(zip(taken.schema.names, taken.columns, strict=True)), len(rows)
            )
        values = [{} if row is None else row.values() for row in repeated]
        names = dict.fromkeys(chain.from_iterable(values))
        columns = {name: self._array(name, [row.get(name) for row in values]) for name in names}
        return CarriedBatch(columns, len(values))

    def _array(self, name: str, values: list[Any]) -> Any:
        try:
            return self._pa.array(values)
        except (self._pa.ArrowException, OverflowError, UnicodeEncodeError) as error:
            raise _no_place(name, f"is of no type that a table has: {_line(error)}") from error

    def _type(self, name: str, parts: list[CarriedBatch]) -> Any:
        types = (part.columns[name].type for part in parts if name in part.columns)
        # Where nothing is known yet, text is the likeliest.
        return next((t for t in types if not self._pa.types.is_null(t)), self._pa.string())

    def _column(self, name: str, type_: Any, parts: list[CarriedBatch]) -> Any:
        arrays = [
            self._cast(name, part.columns[name], type_)
            if name in part.columns
            else self._pa.nulls(part.n_rows, type_)
            for part in parts
        ]
        return self._pa.chunked_array(arrays, type=type_)

    def _cast(self, name: str, column: Any, type_: Any) -> Any:
        types = self._pa.types
        is_number = [types.is_integer(t) or types.is_floating(t) for t in (column.type, type_)]
        if column.type == type_:
            return column
        if not (types.is_null(column.type) or all(is_number)):
            raise _no_place(name, f"holds {column.type}, and {type_} before")
        try:
            return column.cast(type_)
        except self._pa.ArrowException as error:
            raise _no_place(
                name, f"holds {column.type}, and {type_} before: {_line(error)}"
            ) from error


def _no_place(name: str, reason: str) -> ColumnError:
    leave = f"column {name!r} {reason}; leave it out with "
    return ColumnError(leave, OptionName("drop_columns"), f" {name}, or write .jsonl")


def _line(error: Exception) -> str:
    return " ".join(str(error).split())


def _batch_of(load: Load) -> int | None:
    """Return what rows have in common that are one part; None for values of JSON."""
    if isinstance(load, CarriedBatch):
        return id(load)
    row = load[0]
    return id(row.batch) if isinstance(row, TableRow) else None


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
