"""Damage of a store: values that no store has written, read as errors of the store."""

from __future__ import annotations

import re
import struct
from contextlib import contextmanager
from functools import cache, lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from chunkwright.errors import ChunkwrightError, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from chunkwright.store.database.protocol import Row
    from chunkwright.store.schema import Table

# What Python raises for a value that is of another type, cut short, or out of all bounds.
_RAISED: Final = (
    *(TypeError, ValueError, LookupError, AttributeError, AssertionError),
    *(struct.error, OverflowError, RecursionError, MemoryError),
)
_TYPES: Final[dict[str, set[type]]] = {
    "integer": {int},
    "real": {float, int},
    "text": {str},
    "bytes": {bytes},
}
_TABLE: Final = re.compile(r"\b(?:FROM|JOIN)\s+(\w+)(?:\s+(?!ON\b|JOIN\b|WHERE\b)([A-Za-z]\w*))?")
_COLUMN: Final = re.compile(r"(?:(?:max|min|COALESCE)\()?(?:(\w+)\.)?([a-z_]\w*)(?:\)|,.*\))?")


class DamageError(ValueError):
    """Values of a store make no sense together; the transaction around names the store."""


@contextmanager
def decoding(name: str, *also: type[ChunkwrightError]) -> Iterator[None]:
    """Raise what damaged values lead to as an error of the store, and name it in all of its errors.

    Parameters
    ----------
    name
        The store's.
    *also
        Errors of chunkwright that damaged values alone can lead to here.

    Raises
    ------
    StoreError
        In the place of what is no error of chunkwright.
    """
    try:
        yield
    except also as error:
        raise StoreError(f"it is damaged, or no store wrote it: {error}", store=name) from error
    except StoreError as error:
        # What the store is asked for may be missing because it is damaged.
        error.of_store(name)
        raise
    except ChunkwrightError:
        raise
    except _RAISED as error:
        shown = str(error) if isinstance(error, DamageError) else repr(error)
        raise StoreError(f"it is damaged, or no store wrote it: {shown}", store=name) from error


class ColumnTypes:
    """Types of what queries of some tables return: SQLite lets any value be in any column.

    Parameters
    ----------
    tables
        The tables.
    """

    def __init__(self, tables: Sequence[Table]) -> None:
        self._types: dict[str, Mapping[str, set[type]]] = {
            table.name: {each.name: _TYPES.get(each.type, {str}) for each in table.columns}
            for table in tables
        }
        self._known = lru_cache(maxsize=512)(self._of)

    def check(self, sql: str, rows: Sequence[Row]) -> None:
        """Raise for a value of a type that its column does not have.

        Raises
        ------
        TypeError
            Names the column.
        """
        for at, name, types in self._known(sql):
            found = set(map(type, map(itemgetter(at), rows)))
            if not found <= types:
                kinds = ", ".join(sorted(each.__name__ for each in found - types))
                raise TypeError(f"{name} is of another type: {kinds}")

    def _of(self, sql: str) -> list[tuple[int, str, set[type]]]:
        """Return the columns of a query that are those of tables: numbers, names and types."""
        selected, rest = _parts(" ".join(sql.split()))
        tables = {alias or table: table for table, alias in _TABLE.findall(rest)}
        found = []
        for at, expression in enumerate(selected):
            match = _COLUMN.fullmatch(expression)
            if match is None:
                continue
            alias, column = match.groups()
            for name in [tables.get(alias, "")] if alias else tables.values():
                types = self._types.get(name, {}).get(column)
                if types is not None:
                    # Whether there may be none is the database's to say.
                    found.append((at, f"{name}.{column}", types | {type(None)}))
                    break
        return found


@cache
def _parts(sql: str) -> tuple[list[str], str]:
    """Return what a query selects, and what follows."""
    selected, depth, begin = list[str](), 0, 0
    start = re.match(r"\s*SELECT (?:DISTINCT )?", sql)
    if start is None:
        return [], ""
    begin = start.end()
    for at in range(begin, len(sql)):
        char = sql[at]
        depth += (char == "(") - (char == ")")
        if depth == 0 and (char == "," or sql.startswith(" FROM ", at)):
            selected.append(sql[begin:at].strip())
            begin = at + 1
            if char != ",":
                return selected, sql[at:]
    return [], ""
