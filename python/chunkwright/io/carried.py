"""What rows of the input carry, as columns of a table of chunks."""

from collections.abc import Sequence
from itertools import chain, groupby
from typing import Any, NamedTuple

from chunkwright.io.parquet_in import TableRow
from chunkwright.io.rows import Carried

ADVICE = "leave it out with --drop-column {}, or write .jsonl"
# Something that a document carries, or nothing, and how many chunks the document has.
Load = tuple[Carried | None, int]


class _Part(NamedTuple):
    """Columns of documents that follow one another and have one origin."""

    columns: dict[str, Any]
    n_rows: int


class CarriedColumns:
    """Carried columns, batch for batch. The first batch decides on names and types."""

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

    def _part(self, run: list[Load]) -> _Part:
        repeated = [row for row, n in run for _ in range(n)]
        rows = [row for row in repeated if isinstance(row, TableRow)]
        if rows:
            taken = rows[0].batch.take(self._pa.array([row.index for row in rows]))
            return _Part(dict(zip(taken.schema.names, taken.columns, strict=True)), len(rows))
        values = [{} if row is None else row.values() for row in repeated]
        names = dict.fromkeys(chain.from_iterable(values))
        columns = {name: self._array(name, [row.get(name) for row in values]) for name in names}
        return _Part(columns, len(values))

    def _array(self, name: str, values: list[Any]) -> Any:
        try:
            return self._pa.array(values)
        except (self._pa.ArrowException, OverflowError, UnicodeEncodeError) as error:
            raise _no_place(name, f"is of no type that a table has: {_line(error)}") from error

    def _type(self, name: str, parts: list[_Part]) -> Any:
        types = (part.columns[name].type for part in parts if name in part.columns)
        # Where nothing is known yet, text is the likeliest.
        return next((t for t in types if not self._pa.types.is_null(t)), self._pa.string())

    def _column(self, name: str, type_: Any, parts: list[_Part]) -> Any:
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


def _no_place(name: str, reason: str) -> OSError:
    return OSError(f"column {name!r} {reason}; {ADVICE.format(name)}")


def _line(error: Exception) -> str:
    return " ".join(str(error).split())


def _batch_of(load: Load) -> int | None:
    row = load[0]
    return id(row.batch) if isinstance(row, TableRow) else None
