"""PostgreSQL database of a store, with pgvector for its vectors."""

from __future__ import annotations

import hashlib
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

import psycopg

from chunkwright.concurrency.loop_thread import ended_by
from chunkwright.errors import NoStoreError, StoreError
from chunkwright.messages.logs import logger, timed, warn
from chunkwright.store import schema
from chunkwright.store.database.damage import decoding
from chunkwright.store.database.migrations import Present, check_migratable, migrate
from chunkwright.store.database.postgres_connections import Address, Connections, cause
from chunkwright.store.database.postgres_session import PostgresSession
from chunkwright.store.database.postgres_vectors import TABLES as VECTOR_TABLES
from chunkwright.store.database.postgres_vectors import PostgresVectors

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from chunkwright.store.database.postgres_connections import Connection
    from chunkwright.store.database.protocol import VectorTable

# Texts are compared by their code points, as SQLite does, whatever the language of the database.
_TYPES = {
    "integer": "bigint",
    "real": "double precision",
    "text": 'text COLLATE "C"',
    "bytes": "bytea",
    "json": "json",
}
# Keys of PostgreSQL's indexes are at most 2,704 bytes, and these texts may be of any length. Of
# fingerprints and models there are few, each written by one writer after the other.
_LONG_TEXTS = (
    "ALTER TABLE fingerprints DROP CONSTRAINT fingerprints_description_key",
    "ALTER TABLE models DROP CONSTRAINT models_fingerprint_key",
    "DROP INDEX metadata_items_by_name_text",
    "CREATE INDEX metadata_items_by_name_text ON metadata_items (name, substr(text, 1, 100))",
)
# The first release that goes on with the search where a filter leaves too few, and the first
# without known faults of its indexes.
_LEAST_VECTOR, _SOUND_VECTOR = (0, 8), (0, 8, 4)
# The first release that several processes build an index with, without writing where they must not.
_PARALLEL_VECTOR = (0, 8, 2)
# Milliseconds that are waited for another writer.
_WAIT_MS = 60_000


class PostgresDatabase:
    """Schema of a PostgreSQL database with the tables of a store.

    Parameters
    ----------
    address
        ``postgresql://user:password@host:port/database``, with options of a connection behind a
        question mark. The option ``schema`` names the schema of the tables, so that one database
        can hold several stores; it is made if there is none.
    is_read_only
        Whether the store must be there, and is never written.

    Raises
    ------
    ConfigError
        If it is no address.
    StoreError
        If the server cannot be reached, has no pgvector or an old one, or the schema holds no
        store, or one of a later version.
    """

    def __init__(self, address: str, *, is_read_only: bool = False) -> None:
        where = Address.of(address)
        self.name: str = where.name
        self._vectors = PostgresVectors()
        self.vectors: VectorTable = self._vectors
        self._schema, self._quoted = where.schema, _quoted(where.schema)
        self._is_read_only = is_read_only
        self._connections = Connections(where)
        try:
            self._prepare()
        except BaseException:
            self._connections.close()
            raise

    @contextmanager
    def reading(self) -> Iterator[PostgresSession]:
        """Open a transaction that sees one state and changes nothing; its queries can be ended."""
        begin = f"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {self._search_path()}"
        with decoding(self.name), self._connections.transaction(begin) as connection:
            session = PostgresSession(connection)
            try:
                with ended_by(session.interrupt):
                    yield session
            finally:
                session.close_interrupted()

    @contextmanager
    def writing(self, *, waits: bool = True) -> Iterator[PostgresSession]:
        """Open a transaction that is committed at the end, or not at all if something raises."""
        self.check_writable()
        begin = f"BEGIN; {self._search_path()}"
        with decoding(self.name), self._connections.transaction(begin) as connection:
            self._wait_for_turn(connection, _WAIT_MS if waits else 1)
            yield PostgresSession(connection)

    def check_writable(self) -> None:
        """Raise if the store is open for reading only."""
        if self._is_read_only:
            raise StoreError("the store is open for reading only", store=self.name)

    def settle(self) -> None:
        """Index the vectors of models that have become many.

        What was written stays, whatever happens: without an index, searches take longer.
        """
        with self.reading() as session:
            models = [model for (model,) in session.rows("SELECT id FROM models ORDER BY id")]
            wanted = [model for model in models if self._vectors.needs_index(session, model)]
        for model in wanted:
            try:
                self._build(model)
            except StoreError as error:
                logger().warning("the vectors of model %d have no index: %s", model, error)

    def backup(self, path: Path) -> None:
        """Raise: the server has means of its own."""
        raise StoreError(
            "a store in PostgreSQL is backed up with its server, by"
            f" pg_dump --schema={self._quoted} for one, and not into {path}",
            store=self.name,
        )

    def scrub(self) -> bool:
        """Let the server overwrite what was deleted, where nobody sees it any more.

        Its log and its backups keep it, and pages until they are used again.
        """
        with self._connections.alone() as connection:
            session = PostgresSession(connection)
            session.run(f"SET search_path TO {self._path}")
            for table in (*schema.BY_NAME, PostgresVectors.table):
                session.run(f"VACUUM {table}")
        return False

    def close(self) -> None:
        """Close all connections."""
        self._connections.close()

    def _wait_for_turn(self, connection: Connection, milliseconds: int = _WAIT_MS) -> None:
        """Wait until no other writer of this schema is left."""
        connection.execute(f"SET LOCAL lock_timeout = {milliseconds}")
        try:
            connection.execute("SELECT pg_advisory_xact_lock($1)", (self._key("writer"),))
        except psycopg.errors.LockNotAvailable as error:
            message = f"another writer has not ended in {milliseconds / 1000:g} s"
            raise StoreError(message, store=self.name) from error

    def _build(self, model: int) -> None:
        with self._connections.alone() as connection, timed(f"the index of model {model}"):
            session = PostgresSession(connection)
            session.run(f"SET search_path TO {self._path}")
            session.run(f"SET lock_timeout = {_WAIT_MS}")
            row = session.row("SELECT pg_try_advisory_lock(?)", (self._key(f"index {model}"),))
            if row is None or not row[0]:
                # Another process builds it.
                return
            try:
                self._vectors.build_index(session, model, self._n_workers)
            except psycopg.errors.DiskFull:
                # Processes that work together share memory, of which a container may have little.
                self._vectors.build_index(session, model, 0)

    def _search_path(self) -> str:
        return f"SET LOCAL search_path TO {self._path}"

    def _prepare(self) -> None:
        """Make the tables where there are none, and check what is there."""
        with self._connections.transaction("BEGIN READ ONLY") as connection:
            self._check_encoding(connection)
            is_new = not self._has_store(connection)
            is_current = not is_new and not self._is_outdated(connection)
        if is_new and self._is_read_only:
            raise NoStoreError(f"there is no store in the schema {self._schema!r}", store=self.name)
        if not is_current:
            with self._connections.transaction("BEGIN") as connection:
                self._wait_for_turn(connection)
                # Another process may have been faster.
                if not self._has_store(connection):
                    self._create(connection)
                elif self._is_outdated(connection):
                    self._migrate(connection)
        with self._connections.transaction("BEGIN READ ONLY") as connection:
            self._is_outdated(connection)
            self._check_vector(connection)

    def _check_encoding(self, connection: Connection) -> None:
        (encoding,) = connection.execute("SHOW server_encoding").fetchone() or ("",)
        if encoding != "UTF8":
            message = f"the database has to be encoded as UTF8, not {encoding}"
            raise StoreError(message, store=self.name)

    def _has_store(self, connection: Connection) -> bool:
        """Return whether the schema has the tables of a store; raise if it has those of others."""
        found = self._present(connection).columns
        own = [name for name in (*schema.BY_NAME, PostgresVectors.table) if name in found]
        if not own:
            return False
        if not set(schema.BY_NAME["state"].column_names) <= set(found.get("state", ())):
            message = f"the schema {self._schema!r} is taken: others have a table {own[0]} in it"
            raise StoreError(f"{message}; name another one, ?schema=NAME", store=self.name)
        return True

    def _present(self, connection: Connection) -> Present:
        # What looks names up keeps those that it has not found, while another process makes them.
        sql = (
            "SELECT c.relname, c.relkind IN ('i', 'I'), a.attname FROM pg_class c"
            " JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_attribute a"
            " ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped WHERE n.nspname = $1"
        )
        columns: dict[str, list[str]] = {}
        indexes = set[str]()
        for name, is_index, column in connection.execute(sql, (self._schema,)):
            if is_index:
                indexes.add(str(name))
            else:
                columns.setdefault(str(name), []).append(str(column))
        return Present(columns, frozenset(indexes))

    def _migrate(self, connection: Connection) -> None:
        self._check_vector(connection)
        connection.execute(f"SET LOCAL search_path TO {self._path}")
        session, version = PostgresSession(connection), str(self._version(connection))
        migrate(session, version, self._present(connection), schema.TABLES, _TYPES)

    def _create(self, connection: Connection) -> None:
        if self._vector(connection) is None:
            try:
                connection.execute("CREATE EXTENSION vector")
            except psycopg.Error as error:
                message = "it needs the extension vector of pgvector, 0.8 or later"
                raise StoreError(f"{message}: {cause(error)}", store=self.name) from error
        self._check_vector(connection)
        sql = "SELECT 1 FROM pg_namespace WHERE nspname = $1"
        # Those who may not make a schema may use one that is there.
        if connection.execute(sql, (self._schema,)).fetchone() is None:
            connection.execute(f"CREATE SCHEMA {self._quoted}")
        connection.execute(f"SET LOCAL search_path TO {self._path}")
        session = PostgresSession(connection)
        tables = schema.create_statements(schema.TABLES, _TYPES)
        for statement in (*tables, *_LONG_TEXTS, *VECTOR_TABLES):
            session.run(statement)
        session.insert("state", [("version", str(schema.VERSION))])

    def _check_vector(self, connection: Connection) -> None:
        """Check the version of pgvector, and keep where it is."""
        found = self._vector(connection)
        if found is None:
            raise StoreError("the extension vector of pgvector is gone", store=self.name)
        place, version = found
        release = tuple(map(int, re.findall(r"\d+", version)))
        if release < _LEAST_VECTOR:
            raise StoreError(f"it needs pgvector 0.8 or later, and has {version}", store=self.name)
        if release < _SOUND_VECTOR:
            warn(f"pgvector {version} of {self.name} may damage indexes of vectors; 0.8.4 does not")
        self._n_workers = 2 if release >= _PARALLEL_VECTOR else 0
        self._path = f"{self._quoted}, {_quoted(place)}"

    @staticmethod
    def _vector(connection: Connection) -> tuple[str, str] | None:
        """Return the schema and the version of pgvector."""
        sql = (
            "SELECT n.nspname, e.extversion FROM pg_extension e"
            " JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'"
        )
        row = connection.execute(sql).fetchone()
        return None if row is None else (str(row[0]), str(row[1]))

    def _is_outdated(self, connection: Connection) -> bool:
        """Return whether the tables are older ones; raise if they are of no version."""
        version = self._version(connection)
        if version == str(schema.VERSION):
            return False
        check_migratable(self.name, version, is_read_only=self._is_read_only)
        return True

    def _version(self, connection: Connection) -> str | None:
        sql = f"SELECT value FROM {self._quoted}.state WHERE name = 'version'"  # noqa: S608
        row = connection.execute(sql).fetchone()
        return None if row is None else str(row[0])

    def _key(self, what: str) -> int:
        """Return the number of a lock of this store."""
        digest = hashlib.sha256(f"chunkwright {self._schema} {what}".encode()).digest()
        return int.from_bytes(digest[:8], "big", signed=True)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
