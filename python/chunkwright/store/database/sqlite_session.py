"""Transactions of a store in SQLite, and the tables that its file has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright.errors import StoreError
from chunkwright.store import schema
from chunkwright.store.database.damage import ColumnTypes
from chunkwright.store.database.migrations import Present
from chunkwright.store.database.sqlite_vectors import TABLES as VECTOR_TABLES

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping, Sequence

    from chunkwright.store.database.protocol import Row
    from chunkwright.store.schema import Table

TABLES = (*schema.TABLES, *VECTOR_TABLES)
"""All tables of a store."""
COLUMN_TYPES = ColumnTypes(TABLES)
"""The types of their columns."""
# Parameters of one statement, whatever SQLite's version.
_PARAMETERS = 500


class SqliteSession:
    """Transaction of a connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        """Return the rows of a query."""
        found: list[Row] = self._connection.execute(sql, parameters).fetchall()
        COLUMN_TYPES.check(sql, found)
        return found

    def row(self, sql: str, parameters: Sequence[object] = ()) -> Row | None:
        """Return the first row of a query; None if it has none."""
        found: Row | None = self._connection.execute(sql, parameters).fetchone()
        if found is not None:
            COLUMN_TYPES.check(sql, (found,))
        return found

    def among(
        self, sql: str, values: Sequence[object], parameters: Sequence[object] = ()
    ) -> list[Row]:
        """Return the rows of a query for any number of values."""
        found: list[Row] = []
        for some, marks in _parts(values):
            found += self.rows(f"{sql} ({marks})", [*parameters, *some])
        return found

    def run(self, sql: str, parameters: Sequence[object] = ()) -> int:
        """Run a statement; return how many rows it has changed."""
        return self._connection.execute(sql, parameters).rowcount

    def insert(self, table: str, rows: Sequence[Row]) -> None:
        """Write rows into a table."""
        names = schema.BY_NAME[table].column_names
        marks = ", ".join("?" * len(names))
        sql = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})"  # noqa: S608
        self._connection.executemany(sql, rows)

    def delete(self, table: str, column: str, values: Sequence[object]) -> int:
        """Delete the rows that have one of any number of values; return how many."""
        sql = f"DELETE FROM {table} WHERE {column} IN"  # noqa: S608 - names of the schema
        return sum(self.run(f"{sql} ({marks})", some) for some, marks in _parts(values))

    def interrupt(self) -> None:
        """End the query that runs now, from another thread."""
        self._connection.interrupt()


def _parts(values: Sequence[object]) -> Iterator[tuple[Sequence[object], str]]:
    """Yield so many values as one statement takes, with marks for them."""
    for at in range(0, len(values), _PARAMETERS):
        some = values[at : at + _PARAMETERS]
        yield some, ", ".join("?" * len(some))


def present(connection: sqlite3.Connection) -> Present:
    """Return the tables of a file."""
    columns: dict[str, list[str]] = {}
    rows = connection.execute(
        "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c"
        " WHERE m.type = 'table'"
    )
    for table, column in rows:
        columns.setdefault(table, []).append(column)
    indexes = connection.execute("SELECT name FROM sqlite_master WHERE type = 'index'")
    return Present(columns, frozenset(name for (name,) in indexes))


def check_inert(name: str, connection: sqlite3.Connection) -> None:
    """Raise if a file has what runs by itself: no store has triggers, views or modules.

    Parameters
    ----------
    name
        The store's, for messages.
    connection
        To the file.

    Raises
    ------
    StoreError
        Names the first one.
    """
    found = connection.execute(
        "SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view')"
        " OR (type = 'table' AND sql LIKE 'CREATE VIRTUAL%') ORDER BY name"
    ).fetchone()
    if found is not None:
        kind, own = found
        shown = "module" if kind == "table" else kind
        raise StoreError(
            f"it has a {shown} {own!r}, which no store has: it is not opened", store=name
        )


def check_tables(
    name: str,
    connection: sqlite3.Connection,
    tables: Sequence[Table],
    types: Mapping[str, str],
) -> None:
    """Raise unless a file has the tables of a store, with their columns.

    Parameters
    ----------
    name
        The store's, for messages.
    connection
        To the file.
    tables
        The tables of a store.
    types
        The names of types of columns.

    Raises
    ------
    StoreError
        Names a table that is another one.
    """
    for table in tables:
        sql = 'SELECT name, type, "notnull" FROM pragma_table_xinfo(?) WHERE hidden = 0'
        found = set(connection.execute(sql, (table.name,)))
        wanted = {
            (column.name, types[column.type], int(not column.is_optional))
            for column in table.columns
        }
        if not wanted <= found:
            raise StoreError(f"its table {table.name} is not that of a store", store=name)
