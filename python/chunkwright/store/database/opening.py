"""Opening of databases of stores, by paths and addresses."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from chunkwright.errors import MissingExtraError
from chunkwright.store.database.sqlite import SqliteDatabase, as_path

if TYPE_CHECKING:
    from chunkwright.store.database.protocol import Database

_POSTGRES = ("postgresql://", "postgres://")


def opened(target: str | os.PathLike[str], *, is_read_only: bool) -> Database:
    """Open the database of a store.

    Parameters
    ----------
    target
        The path of a file of SQLite, or the address of a database of PostgreSQL.
    is_read_only
        Whether it must be there, and is never written.

    Raises
    ------
    ConfigError
        If the target is none.
    StoreError
        If it cannot be opened, holds something else, or is of another version.
    MissingExtraError
        If PostgreSQL is asked for, and psycopg is not installed.
    """
    if isinstance(target, str) and target.startswith(_POSTGRES):
        try:
            from chunkwright.store.database.postgres import PostgresDatabase
        except ModuleNotFoundError as error:
            raise MissingExtraError("a store in PostgreSQL", "postgres") from error
        return PostgresDatabase(target, is_read_only=is_read_only)
    return SqliteDatabase(as_path(target), is_read_only=is_read_only)
