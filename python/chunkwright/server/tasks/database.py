"""File of SQLite that tasks are kept in: tables, connections, calls off the event loop."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from chunkwright.concurrency.daemon_threads import in_thread
from chunkwright.errors import StoreError
from chunkwright.store.database.pool import Pool
from chunkwright.store.database.sqlite import write_ahead

T = TypeVar("T")

# One process at a time writes to the file: more threads would only wait.
_AT_ONCE = 4


class OffLoop:
    """Threads for calls that wait for the disk or for another process."""

    def __init__(self) -> None:
        self._seats = asyncio.Semaphore(_AT_ONCE)

    async def __call__(self, call: Callable[[], T]) -> T:
        """Return what a call returns; the event loop goes on meanwhile."""
        async with self._seats:
            return await in_thread(call)


# Marks of this kind of file and of its layout, in the header of SQLite.
APPLICATION_ID = 0x63_77_74_6B
VERSION = 1

TABLES = (
    # Numbers are never used twice, so that they are the order of submission.
    """CREATE TABLE tasks (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        owner TEXT NOT NULL,
        kind TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('pending', 'started', 'success', 'failure')),
        attempts INTEGER NOT NULL DEFAULT 0,
        created REAL NOT NULL,
        started REAL,
        ended REAL,
        lease TEXT UNIQUE,
        lease_ends REAL,
        media_type TEXT,
        status INTEGER,
        code TEXT,
        message TEXT,
        field TEXT
    )""",
    "CREATE INDEX unfinished ON tasks (number) WHERE ended IS NULL",
    "CREATE INDEX finished ON tasks (ended) WHERE ended IS NOT NULL",
    # Apart from the tasks, so that looking through these reads no bodies.
    """CREATE TABLE bodies (
        number INTEGER NOT NULL,
        part TEXT NOT NULL CHECK (part IN ('request', 'result')),
        size INTEGER NOT NULL,
        body BLOB NOT NULL,
        PRIMARY KEY (number, part)
    )""",
    # One row, so that nothing has to be added up when a task is submitted.
    "CREATE TABLE totals (bytes INTEGER NOT NULL)",
    "INSERT INTO totals VALUES (0)",
    """CREATE TRIGGER body_kept AFTER INSERT ON bodies BEGIN
        UPDATE totals SET bytes = bytes + NEW.size;
    END""",
    """CREATE TRIGGER body_dropped AFTER DELETE ON bodies BEGIN
        UPDATE totals SET bytes = bytes - OLD.size;
    END""",
    # What was here, so that its owner can be told what became of it.
    """CREATE TABLE gone (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        owner TEXT NOT NULL,
        why TEXT NOT NULL CHECK (why IN ('expired', 'deleted'))
    )""",
)


# Bytes that a checkpoint leaves of the write-ahead log.
_LOG_BYTES = 64 << 20
_MAGIC = b"SQLite format 3\0"


class TaskDatabase:
    """File of SQLite with the tables of tasks.

    What is committed survives the end of any process. If the whole machine loses its power, the
    last commits may be lost, and the file is whole.

    Parameters
    ----------
    path
        The file; it is made if there is none, and only its owner may read it.
    patience
        Seconds that another process is waited for which writes.

    Raises
    ------
    StoreError
        If it cannot be opened, or holds something else than tasks of this version.
    """

    def __init__(self, path: Path, *, patience: float = 5.0) -> None:
        self.path = path
        self._patience = patience
        self._pool: Pool[sqlite3.Connection] = Pool(str(path))
        try:
            with self.told():
                self._prepare()
        except BaseException:
            self.close()
            raise

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Open a transaction that sees one state and changes nothing."""
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Open a transaction that is committed at the end, or not at all if something raises."""
        with self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    def connected(self) -> sqlite3.Connection:
        """Return a connection of the caller's own."""
        with self.told():
            return self._connected()

    def close(self) -> None:
        """Close all connections that are not used now, and the others when they no longer are."""
        self._pool.close()

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self.told():
            connection = self._pool.take() or self._connected()
            try:
                connection.execute(begin)
                yield connection
                connection.execute("COMMIT")
            except sqlite3.Error:
                # A new connection is free of whatever this one suffers from.
                connection.close()
                raise
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                self._pool.give_back(connection)
                raise
            self._pool.give_back(connection)

    @contextmanager
    def told(self) -> Iterator[None]:
        """Raise errors of SQLite and of the system as those of a store."""
        try:
            yield
        except sqlite3.Error as error:
            name = getattr(error, "sqlite_errorname", "of the library")
            raise StoreError(f"{self.path}: {error} ({name})") from error
        except OSError as error:
            raise StoreError(f"{self.path}: {error.strerror or error}") from error
        except ValueError as error:
            # Surrogates, and null bytes in the path.
            raise StoreError(f"{self.path}: a value cannot be used: {error}") from error

    def _connected(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode=rw",
            uri=True,
            timeout=self._patience,
            isolation_level=None,
            check_same_thread=False,
        )
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA journal_size_limit = {_LOG_BYTES}")
        return connection

    def _prepare(self) -> None:
        """Make the file and its tables, or look whether those of another process are known."""
        if self.path.is_dir():
            raise StoreError(f"{self.path}: it is a folder, and tasks are kept in one file")
        # SQLite gives the files beside it the same rights.
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        with self.path.open("rb") as file:
            start = file.read(len(_MAGIC))
        if start not in (b"", _MAGIC):
            raise StoreError(f"{self.path}: it is no file of tasks, and no database")
        connection = self._connected()
        try:
            if not self._is_new(connection):
                self._check(connection)
            write_ahead(connection, self._patience)
            connection.execute("BEGIN IMMEDIATE")
            # Another process may have been faster.
            if self._is_new(connection):
                for statement in TABLES:
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {VERSION}")
            connection.execute("COMMIT")
            self._check(connection)
        finally:
            connection.close()

    @staticmethod
    def _is_new(connection: sqlite3.Connection) -> bool:
        return bool(connection.execute("SELECT count(*) = 0 FROM sqlite_master").fetchone()[0])

    def _check(self, connection: sqlite3.Connection) -> None:
        if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            raise StoreError(f"{self.path}: it is a database of SQLite that holds no tasks")
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version != VERSION:
            raise StoreError(
                f"{self.path}: its tasks are kept as version {version} does, this is version "
                f"{VERSION}; name another file"
            )
