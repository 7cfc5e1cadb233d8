"""Transaction of a store in PostgreSQL."""

from __future__ import annotations

from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING

import psycopg

from chunkwright.store import schema
from chunkwright.store.database.postgres_connections import numbered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkwright.store.database.postgres_connections import Connection
    from chunkwright.store.database.protocol import Row

# Seconds that a server has to take note that a query is to end.
_CANCEL_SECONDS = 5.0
# The type that a column's values are copied by; JSON is sent as its text.
_COPIED = {"integer": "int8", "real": "float8", "text": "text", "bytes": "bytea", "json": "text"}


class PostgresSession:
    """Transaction of a connection.

    Parameters
    ----------
    connection
        It has begun.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._is_interrupted = False

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        """Return the rows of a query."""
        cursor = self.connection.execute(numbered(sql), parameters, binary=True)
        return cursor.fetchall()

    def row(self, sql: str, parameters: Sequence[object] = ()) -> Row | None:
        """Return the first row of a query; None if it has none."""
        cursor = self.connection.execute(numbered(sql), parameters, binary=True)
        return cursor.fetchone()

    def among(
        self, sql: str, values: Sequence[object], parameters: Sequence[object] = ()
    ) -> list[Row]:
        """Return the rows of a query for any number of values."""
        if not values:
            return []
        any_of = f"{sql.rstrip().removesuffix('IN')}= ANY(?)"
        return self.rows(any_of, [*parameters, list(values)])

    def run(self, sql: str, parameters: Sequence[object] = ()) -> int:
        """Run a statement; return how many rows it has changed."""
        return self.connection.execute(numbered(sql), parameters, binary=True).rowcount

    def insert(self, table: str, rows: Sequence[Row]) -> None:
        """Write rows into a table."""
        columns = schema.BY_NAME[table].columns
        types = [_COPIED[column.type] for column in columns]
        self.copy(table, [column.name for column in columns], types, rows)

    def delete(self, table: str, column: str, values: Sequence[object]) -> int:
        """Delete the rows that have one of any number of values; return how many."""
        if not values:
            return 0
        return self.run(f"DELETE FROM {table} WHERE {column} = ANY(?)", (list(values),))  # noqa: S608

    def interrupt(self) -> None:
        """End the query that runs now, from another thread, which does not wait for the server."""
        self._is_interrupted = True
        Thread(target=self._cancel, name="chunkwright-cancel", daemon=True).start()

    def close_interrupted(self) -> None:
        """Close the connection if it was interrupted, which may hit what would use it next."""
        if self._is_interrupted:
            self.connection.close()

    def _cancel(self) -> None:
        # A server that is gone ends the query by itself.
        with suppress(psycopg.Error):
            self.connection.cancel_safe(timeout=_CANCEL_SECONDS)

    def copy(self, table: str, columns: list[str], types: list[str], rows: Sequence[Row]) -> None:
        """Write rows by their columns and the types that these are copied by."""
        if not rows:
            return
        statement = f"COPY {table} ({', '.join(columns)}) FROM STDIN (FORMAT BINARY)"
        with self.connection.cursor() as cursor, cursor.copy(statement) as copy:
            copy.set_types(types)
            for row in rows:
                copy.write_row(row)
