"""SQLite database of a store: one file, written ahead into a log."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from chunkwright.concurrency.loop_thread import ended_by
from chunkwright.errors import StoreError
from chunkwright.store import schema
from chunkwright.store.database.damage import decoding
from chunkwright.store.database.migrations import check_migratable, migrate
from chunkwright.store.database.pool import Pool
from chunkwright.store.database.sqlite_session import (
    TABLES,
    SqliteSession,
    check_inert,
    check_tables,
    present,
)
from chunkwright.store.database.sqlite_vectors import SqliteVectors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chunkwright.store.database.protocol import VectorTable

# Of files of this kind, in their headers.
APPLICATION_ID = 0x63_77_73_74
# Milliseconds that are waited for another writer.
_WAIT_MS = 60_000
# Milliseconds that are waited for readers of an old state.
_READERS_MS = 2_000
_TRY_AGAIN_SECONDS = 0.02
_TYPES = {"integer": "INTEGER", "real": "REAL", "text": "TEXT", "bytes": "BLOB", "json": "TEXT"}
_MAGIC = b"SQLite format 3\0"
# Of a connection. What is committed survives the end of the process, and the file is whole whatever
# happens; what is deleted is overwritten; nothing that stands in a file is run.
_SETTINGS = (
    f"busy_timeout = {_WAIT_MS}",
    "synchronous = NORMAL",
    # Pages that many documents change are copied into the file once for them all: 16 MB of log.
    "wal_autocheckpoint = 4000",
    "secure_delete = ON",
    "trusted_schema = OFF",
    "cell_size_check = ON",
)


class SqliteDatabase:
    """File of SQLite with the tables of a store.

    Parameters
    ----------
    path
        The file; it is made if there is none.
    is_read_only
        Whether it must be there, and is never written.

    Raises
    ------
    StoreError
        If it cannot be opened, is no store, or one of a later version.
    """

    def __init__(self, path: Path, *, is_read_only: bool = False) -> None:
        self.name: str = str(path)
        self.vectors: VectorTable = SqliteVectors()
        self._path = path
        self._is_read_only = is_read_only
        self._pool: Pool[sqlite3.Connection] = Pool(self.name)
        self._file: _File | None = None
        if path.is_dir():
            raise StoreError("it is a folder, and a store is one file", store=str(path))
        if is_read_only and not path.exists():
            raise StoreError("no such file", store=str(path))
        try:
            with self._told():
                self._prepare()
        except BaseException:
            self.close()
            raise

    @contextmanager
    def reading(self) -> Iterator[SqliteSession]:
        """Open a transaction that sees one state and changes nothing; its queries can be ended."""
        with self._transaction("BEGIN") as session, ended_by(session.interrupt):
            yield session

    @contextmanager
    def writing(self, *, waits: bool = True) -> Iterator[SqliteSession]:
        """Open a transaction that is committed at the end, or not at all if something raises."""
        self.check_writable()
        with self._transaction("BEGIN IMMEDIATE", waits=waits) as session:
            yield session

    def check_writable(self) -> None:
        """Raise if the store is open for reading only."""
        if self._is_read_only:
            raise StoreError("the store is open for reading only", store=self.name)

    def settle(self) -> None:
        """Do nothing: all is up to date with each commit."""

    def close(self) -> None:
        """Close all connections that are not used now, and the others when they no longer are."""
        self._pool.close()

    def backup(self, path: Path) -> None:
        """Write what is there now into a new file, while others read and write."""
        with self._told(), self._connection() as connection:
            self._check_file()
            connection.execute("VACUUM INTO ?", (str(path),))

    def scrub(self) -> bool:
        """Write the file anew, and empty its log: what was deleted stands in neither any more."""
        with self._told(), self._connection() as connection:
            connection.execute("VACUUM")
            # Who reads an old state now needs the log.
            connection.execute(f"PRAGMA busy_timeout = {_READERS_MS}")
            is_busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            connection.execute(f"PRAGMA busy_timeout = {_WAIT_MS}")
            return not is_busy

    @contextmanager
    def _transaction(self, begin: str, *, waits: bool = True) -> Iterator[SqliteSession]:
        with self._told(), self._connection() as connection:
            self._check_file()
            if waits:
                connection.execute(begin)
            else:
                connection.execute("PRAGMA busy_timeout = 0")
                try:
                    connection.execute(begin)
                finally:
                    connection.execute(f"PRAGMA busy_timeout = {_WAIT_MS}")
            try:
                yield SqliteSession(connection)
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Raise errors of SQLite as those of the store."""
        with decoding(self.name):
            try:
                yield
            except sqlite3.Error as error:
                raise StoreError(_cause(error), store=self.name) from error
            except (UnicodeEncodeError, OverflowError) as error:
                raise StoreError(f"a value cannot be stored: {error}", store=self.name) from error

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """Return a connection that nothing else uses."""
        connection = self._pool.take() or self._connected()
        try:
            yield connection
        finally:
            if connection.in_transaction:
                connection.close()
            else:
                self._pool.give_back(connection)

    def _check_file(self) -> None:
        """Raise if the file was deleted or replaced: what is written then would be lost."""
        found = _file_of(self._path)
        if found != self._file:
            what = "was deleted" if found is None else "is another one"
            raise StoreError(f"the file {what} since the store was opened", store=self.name)

    def _connected(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"{self._path.absolute().as_uri()}?{self._mode()}",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
        )
        for setting in _SETTINGS:
            connection.execute(f"PRAGMA {setting}")
        return connection

    def _mode(self) -> str:
        if not self._is_read_only:
            return "mode=rwc"
        log = self._path.with_name(f"{self._path.name}-wal")
        if os.access(self._path.parent, os.W_OK) or log.exists():
            return "mode=ro"
        # Readers tell one another of themselves beside the file, where this one may not write; and
        # no writer has it open.
        return "mode=ro&immutable=1"

    def _prepare(self) -> None:
        """Make the tables of a new file, or bring those of another one up to date."""
        self._check_kind()
        with self._connection() as connection:
            is_new = not present(connection).columns
            is_outdated = not is_new and self._is_outdated(connection)
            if not self._is_read_only:
                write_ahead(connection)
                if is_new or is_outdated:
                    self._bring_up_to_date(connection)
            if is_new:
                self._is_outdated(connection)
            check_tables(self.name, connection, TABLES, _TYPES)
        self._file = _file_of(self._path)

    def _bring_up_to_date(self, connection: sqlite3.Connection) -> None:
        connection.execute("BEGIN IMMEDIATE")
        found = present(connection)
        # Another process may have been faster.
        if not found.columns:
            self._create(connection)
        elif self._is_outdated(connection):
            version = str(self._version(connection))
            migrate(SqliteSession(connection), version, found, TABLES, _TYPES)
        connection.execute("COMMIT")

    def _check_kind(self) -> None:
        """Raise for a file of another kind, before SQLite writes beside it."""
        if not self._path.exists():
            if not self._path.parent.is_dir():
                raise StoreError(f"no folder {self._path.parent}", store=self.name)
            return
        try:
            with self._path.open("rb") as file:
                start = file.read(len(_MAGIC))
        except OSError as error:
            raise StoreError(error.strerror or error, store=self.name) from error
        if start and start != _MAGIC:
            raise StoreError("it is no store, and no database", store=self.name)

    @staticmethod
    def _create(connection: sqlite3.Connection) -> None:
        for statement in schema.create_statements(TABLES, _TYPES):
            connection.execute(statement)
        connection.execute("INSERT INTO state VALUES ('version', ?)", (str(schema.VERSION),))
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")

    def _is_outdated(self, connection: sqlite3.Connection) -> bool:
        """Return whether the tables are older ones; raise if they are none of a store."""
        if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            raise StoreError("it is a database of SQLite, but no store", store=self.name)
        check_inert(self.name, connection)
        version = self._version(connection)
        if version == str(schema.VERSION):
            return False
        check_migratable(self.name, version, is_read_only=self._is_read_only)
        return True

    @staticmethod
    def _version(connection: sqlite3.Connection) -> str | None:
        row = connection.execute("SELECT value FROM state WHERE name = 'version'").fetchone()
        return None if row is None else str(row[0])


def write_ahead(connection: sqlite3.Connection, patience: float = _WAIT_MS / 1000) -> None:
    """Let writes go into a log: SQLite itself does not wait while another process does so."""
    deadline = time.monotonic() + patience
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_TRY_AGAIN_SECONDS)
        else:
            return


_File = tuple[int, int]


def _file_of(path: Path) -> _File | None:
    """Return what tells a file from others that have its name later; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _cause(error: sqlite3.Error) -> str:
    """Return what went wrong, in words."""
    name = getattr(error, "sqlite_errorname", None)
    return f"{error} ({name})" if name else str(error)
