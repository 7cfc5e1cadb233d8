"""SQLite database of a store: one file, written ahead into a log."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from chunkwright.errors import ConfigError, StoreError
from chunkwright.store import schema
from chunkwright.store.database.pool import Pool
from chunkwright.store.database.sqlite_vectors import TABLES as VECTOR_TABLES
from chunkwright.store.database.sqlite_vectors import SqliteVectors

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chunkwright.store.database.protocol import Row, VectorTable

# Of files of this kind, in their headers.
APPLICATION_ID = 0x63_77_73_74
# Milliseconds that are waited for another writer.
_WAIT_MS = 60_000
_TRY_AGAIN_SECONDS = 0.02
# Parameters of one statement, whatever SQLite's version.
_PARAMETERS = 500
_TYPES = {"integer": "INTEGER", "real": "REAL", "text": "TEXT", "bytes": "BLOB", "json": "TEXT"}
_MAGIC = b"SQLite format 3\0"


class SqliteSession:
    """Transaction of a connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        """Return the rows of a query."""
        return self._connection.execute(sql, parameters).fetchall()

    def row(self, sql: str, parameters: Sequence[object] = ()) -> Row | None:
        """Return the first row of a query; None if it has none."""
        found: Row | None = self._connection.execute(sql, parameters).fetchone()
        return found

    def among(
        self, sql: str, values: Sequence[object], parameters: Sequence[object] = ()
    ) -> list[Row]:
        """Return the rows of a query for any number of values."""
        found: list[Row] = []
        for at in range(0, len(values), _PARAMETERS):
            some = values[at : at + _PARAMETERS]
            marks = ", ".join("?" * len(some))
            found += self.rows(f"{sql} ({marks})", [*parameters, *some])
        return found

    def run(self, sql: str, parameters: Sequence[object] = ()) -> int:
        """Run a statement; return how many rows it has changed."""
        return self._connection.execute(sql, parameters).rowcount

    def insert(self, table: str, rows: Sequence[Row]) -> None:
        """Write rows into a table."""
        n_columns = len(schema.BY_NAME[table].columns)
        marks = ", ".join("?" * n_columns)
        self._connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608


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
        if path.is_dir():
            raise StoreError(f"{path}: it is a folder, and a store is one file")
        if is_read_only and not path.exists():
            raise StoreError(f"{path}: no such file")
        try:
            with self._told():
                self._prepare()
        except BaseException:
            self.close()
            raise

    @contextmanager
    def reading(self) -> Iterator[SqliteSession]:
        """Open a transaction that sees one state and changes nothing."""
        with self._transaction("BEGIN") as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[SqliteSession]:
        """Open a transaction that is committed at the end, or not at all if something raises."""
        if self._is_read_only:
            raise StoreError(f"{self.name}: the store is open for reading only")
        with self._transaction("BEGIN IMMEDIATE") as session:
            yield session

    def settle(self) -> None:
        """Do nothing: all is up to date with each commit."""

    def close(self) -> None:
        """Close all connections that are not used now, and the others when they no longer are."""
        self._pool.close()

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[SqliteSession]:
        with self._told(), self._connection() as connection:
            connection.execute(begin)
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
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"{self.name}: {_cause(error)}") from error
        except (UnicodeEncodeError, OverflowError) as error:
            raise StoreError(f"{self.name}: a value cannot be stored: {error}") from error

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

    def _connected(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"{self._path.absolute().as_uri()}?{self._mode()}",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
        )
        connection.execute(f"PRAGMA busy_timeout = {_WAIT_MS}")
        # What is committed survives the end of the process, and the file is whole whatever happens.
        connection.execute("PRAGMA synchronous = NORMAL")
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
        """Make the tables of a new file, or look whether those of another one are known."""
        self._check_kind()
        with self._connection() as connection:
            is_new = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
            if not is_new:
                self._check_version(connection)
            if not self._is_read_only:
                _write_ahead(connection)
            if is_new:
                if not self._is_read_only:
                    self._create(connection)
                self._check_version(connection)

    def _check_kind(self) -> None:
        """Raise for a file of another kind, before SQLite writes beside it."""
        if not self._path.exists():
            if not self._path.parent.is_dir():
                raise StoreError(f"{self.name}: no folder {self._path.parent}")
            return
        try:
            with self._path.open("rb") as file:
                start = file.read(len(_MAGIC))
        except OSError as error:
            raise StoreError(f"{self.name}: {error.strerror or error}") from error
        if start and start != _MAGIC:
            raise StoreError(f"{self.name}: it is no store, and no database")

    @staticmethod
    def _create(connection: sqlite3.Connection) -> None:
        """Make the tables, if there are none."""
        connection.execute("BEGIN IMMEDIATE")
        # Another process may have been faster.
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
            for statement in (*schema.create_statements(_TYPES), *VECTOR_TABLES):
                connection.execute(statement)
            connection.execute("INSERT INTO state VALUES ('version', ?)", (str(schema.VERSION),))
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("COMMIT")

    def _check_version(self, connection: sqlite3.Connection) -> None:
        if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            raise StoreError(f"{self.name}: it is a database of SQLite, but no store")
        version = connection.execute("SELECT value FROM state WHERE name = 'version'").fetchone()
        if version is None or version[0] != str(schema.VERSION):
            found = None if version is None else version[0]
            raise StoreError(
                f"{self.name}: it is a store of version {found}, this is version {schema.VERSION}"
            )


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Let writes go into a log: SQLite itself does not wait while another process does so."""
    deadline = time.monotonic() + _WAIT_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_TRY_AGAIN_SECONDS)
        else:
            return


def _cause(error: sqlite3.Error) -> str:
    """Return what went wrong, in words."""
    name = getattr(error, "sqlite_errorname", None)
    return f"{error} ({name})" if name else str(error)


def as_path(target: object) -> Path:
    """Return the path of a file.

    Raises
    ------
    ConfigError
        If it is none.
    """
    try:
        return Path(target)  # type: ignore[arg-type]
    except TypeError:
        kind = type(target).__name__
        raise ConfigError(f"a store is a path or an address, got {kind}", option="target") from None
