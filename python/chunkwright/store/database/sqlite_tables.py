"""Tables that a file of SQLite has, compared with those of a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright.errors import StoreError
from chunkwright.store.migrations import Present

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence

    from chunkwright.store.schema import Table


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
