"""Opening of databases of stores, by paths and addresses."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from chunkwright.errors import ConfigError, MissingExtraError
from chunkwright.store.database.sqlite import SqliteDatabase, as_path

if TYPE_CHECKING:
    from chunkwright.store.database.protocol import Database

_POSTGRES = ("postgresql://", "postgres://")
# What begins as addresses of other kinds do; a drive of Windows has one letter.
_OTHERS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://|file:|:memory:")


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
    other = _OTHERS.match(target) if isinstance(target, str) else None
    if other is not None:
        # What follows may have a password in it.
        message = f"a store is the path of a file, or an address postgresql://…, got {other[0]}…"
        raise ConfigError(message, option="target")
    return SqliteDatabase(as_path(target), is_read_only=is_read_only)
