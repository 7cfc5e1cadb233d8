"""PostgreSQL behind a store: addresses, servers that fail, rights, schemas and connections."""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError, MissingExtraError, StoreError
from chunkwright.store.database.protocol import Database
from chunkwright.store.store import Store, opened
from tests.support import postgres_server

if TYPE_CHECKING:
    import psycopg

if not postgres_server.is_there():
    pytest.skip(postgres_server.NO_SERVER, allow_module_level=True)


@contextmanager
def connected(address: str) -> Iterator[psycopg.Connection]:
    """Connect beside the store, as the server's administrator."""
    import psycopg

    with psycopg.connect(address, autocommit=True) as connection:
        yield connection


@pytest.fixture
def role(postgres: str) -> Iterator[str]:
    """Return the name of a role that is asked for its password, and has no rights."""
    # Roles are those of all databases of a server.
    name = f"{postgres_server.PROTECTED}{uuid.uuid4().hex}"
    with connected(postgres) as admin:
        admin.execute(f"CREATE ROLE {name} LOGIN PASSWORD 'right'".encode())
        yield name
        admin.execute(f"DROP OWNED BY {name}".encode())
        admin.execute(f"DROP ROLE {name}".encode())


def as_role(address: str, role: str) -> str:
    return address.replace("postgres@", f"{role}:right@", 1)


def write(address: str, value: str) -> None:
    with closing(opened(address, is_read_only=False)) as database, database.writing() as session:
        session.insert("state", [("value", value)])


def value(database: Database) -> str | None:
    with database.reading() as session:
        row = session.row("SELECT value FROM state WHERE name = 'value'")
    return None if row is None else str(row[0])


def read(address: str) -> str | None:
    with closing(opened(address, is_read_only=True)) as database:
        return value(database)


# ------------------------------------------------------------------ addresses


def test_names_say_no_password() -> None:
    address = (
        "postgresql://me:se%40cret@127.0.0.1:1/kb?password=se%40cret&schema=one&sslmode=disable"
    )
    with pytest.raises(StoreError, match="Connection refused") as caught:
        opened(address, is_read_only=False)
    assert "postgresql://me@127.0.0.1:1/kb?schema=one&sslmode=disable: " in str(caught.value)
    assert "cret" not in str(caught.value)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("postgresql://host/kb?schema=", "no name of a schema: ''"),
        ("postgresql://host/kb?schema=%00", "no name of a schema: '"),
        (f"postgresql://host/kb?schema={'ä' * 32}", "no name of a schema: 'ä"),
        ("postgresql://host/kb?color=red", 'invalid URI query parameter: "color"'),
        ("postgresql://me:secret@host/%zz", 'invalid percent-encoded token: "%zz"'),
    ],
)
def test_what_is_no_address_is_refused(address: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        opened(address, is_read_only=False)
    assert caught.value.option == "target"
    assert "secret" not in str(caught.value)


def test_an_extra_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if "database.postgres" in name]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtraError, match=r"chunkwright\[postgres\]"):
        opened("postgresql://host/kb", is_read_only=False)


# ------------------------------------------------------------------ servers


def test_servers_that_cannot_be_used_are_named(server: postgres_server.Server, role: str) -> None:
    for address, message in [
        (server.address("none"), 'database "none" does not exist'),
        (server.address("postgres", "nobody_here"), 'role "nobody_here" does not exist'),
        (server.address("postgres", f"{role}:wrong"), "password authentication failed"),
        (server.address("postgres", role), "no password supplied"),
        ("postgresql:///kb?host=/no/such/folder", "Is the server running"),
    ]:
        with pytest.raises(StoreError, match=message) as caught:
            opened(address, is_read_only=False)
        assert "\n" not in str(caught.value)
        assert "wrong" not in str(caught.value)


def test_a_database_has_to_hold_all_letters(server: postgres_server.Server) -> None:
    name = f"latin_{uuid.uuid4().hex}"
    with connected(server.address("postgres")) as admin:
        admin.execute(f"CREATE DATABASE {name} ENCODING 'LATIN1' TEMPLATE template0".encode())
        try:
            with pytest.raises(StoreError, match="encoded as UTF8, not LATIN1"):
                opened(server.address(name), is_read_only=False)
        finally:
            admin.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def test_pgvector_has_to_be_there(postgres: str) -> None:
    with connected(postgres) as admin:
        name = admin.info.dbname
        admin.execute(f"ALTER DATABASE {name} SET extension_control_path = '/none'".encode())
        with pytest.raises(StoreError, match=r"pgvector, 0.8 or later: .*is not available"):
            opened(postgres, is_read_only=False)
        admin.execute(f"ALTER DATABASE {name} RESET extension_control_path".encode())
        opened(postgres, is_read_only=False).close()
        admin.execute("DROP EXTENSION vector CASCADE")
    with pytest.raises(StoreError, match="pgvector is gone"):
        opened(postgres, is_read_only=False)


def test_pgvector_has_to_be_new_enough(postgres: str) -> None:
    write(postgres, "kept")
    with connected(postgres) as admin:
        change = "UPDATE pg_extension SET extversion = '{}' WHERE extname = 'vector'"
        admin.execute(change.format("0.7.4").encode())
        with pytest.raises(StoreError, match=r"needs pgvector 0\.8 or later, and has 0\.7\.4"):
            opened(postgres, is_read_only=True)
        admin.execute(change.format("0.8.1").encode())
        with pytest.warns(RuntimeWarning, match=r"pgvector 0\.8\.1 of .* may damage indexes"):
            assert read(postgres) == "kept"


def test_pgvector_may_stand_in_any_schema(postgres: str) -> None:
    with connected(postgres) as admin:
        admin.execute('CREATE SCHEMA "Add-ons"; CREATE EXTENSION vector SCHEMA "Add-ons"')
    write(postgres, "kept")
    assert read(postgres) == "kept"


# ------------------------------------------------------------------ rights


def test_rights_that_are_missing_are_named(postgres: str, role: str) -> None:
    address = as_role(postgres, role)
    with pytest.raises(StoreError, match="permission denied to create extension"):
        opened(address, is_read_only=False)
    with connected(postgres) as admin:
        admin.execute("CREATE EXTENSION vector")
    with pytest.raises(StoreError, match="permission denied for database"):
        opened(address, is_read_only=False)
    with connected(postgres) as admin:
        admin.execute(f"CREATE SCHEMA own AUTHORIZATION {role}".encode())
    write(f"{address}&schema=own", "own")
    assert read(f"{postgres}&schema=own") == "own"
    write(postgres, "kept")
    with pytest.raises(StoreError, match="permission denied for schema"):
        opened(address, is_read_only=True)


def test_who_may_only_read_reads(postgres: str, role: str) -> None:
    write(postgres, "kept")
    with connected(postgres) as admin:
        admin.execute(f"GRANT USAGE ON SCHEMA chunkwright TO {role}".encode())
        admin.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA chunkwright TO {role}".encode())
    assert read(as_role(postgres, role)) == "kept"
    with Store.open(postgres) as store, Store.open(as_role(postgres, role)) as reader:
        store.add([cw.Document(text="Cats sleep all day.", name="cats")], strategy="sentence")
        assert [hit.text for hit in reader.search("Do cats sleep?")] == ["Cats sleep all day."]
    with pytest.raises(StoreError, match=r"permission denied .*InsufficientPrivilege"):
        write(as_role(postgres, role), "lost")
    assert read(postgres) == "kept"


# ------------------------------------------------------------------ schemas


def test_a_database_holds_several_stores(postgres: str) -> None:
    names = ["one", "two", 'with "quotes"; --', "UPPER", "chunkwright"]
    for name in names:
        write(f"{postgres}&schema={name}", name)
    for name in names:
        assert read(f"{postgres}&schema={name}") == name
    assert read(postgres) == "chunkwright"


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("table", ["documents", "state", "embeddings"])
def test_tables_of_others_are_left_alone(postgres: str, table: str, *, read_only: bool) -> None:
    with connected(postgres) as admin:
        admin.execute(f"CREATE TABLE {table} (theirs int)".encode())
    message = f"the schema 'public' is taken: others have a table {table} in it; name another one"
    with pytest.raises(StoreError, match=message):
        opened(f"{postgres}&schema=public", is_read_only=read_only)
    with connected(postgres) as admin:
        found = admin.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        assert sorted(found) == [(table,)]


# ------------------------------------------------------------------ connections


def backends(admin: psycopg.Connection) -> list[int]:
    """Return the processes of the server that serve the store."""
    sql = (
        "SELECT pid FROM pg_stat_activity"
        " WHERE datname = current_database() AND application_name = 'chunkwright'"
    )
    return [pid for (pid,) in admin.execute(sql)]


def end(admin: psycopg.Connection) -> None:
    for pid in backends(admin):
        admin.execute("SELECT pg_terminate_backend(%s, 10000)", (pid,))


def test_a_connection_that_is_lost_takes_its_transaction_along(postgres: str) -> None:
    database = opened(postgres, is_read_only=False)
    with connected(postgres) as admin:

        def lose() -> None:
            with database.writing() as session:
                session.insert("state", [("value", "half")])
                end(admin)
                session.run("UPDATE state SET value = 'whole' WHERE name = 'value'")

        with pytest.raises(StoreError, match=r"terminating connection|closed the connection"):
            lose()
        assert value(database) is None

        def lose_at_the_end() -> None:
            with database.writing() as session:
                session.insert("state", [("value", "half")])
                end(admin)

        with pytest.raises(StoreError, match=r"terminating connection|closed the connection"):
            lose_at_the_end()
        assert value(database) is None
    database.close()


def test_a_connection_that_was_lost_while_idle_is_replaced(postgres: str) -> None:
    database = opened(postgres, is_read_only=False)
    with database.writing() as session:
        session.insert("state", [("value", "kept")])
    with connected(postgres) as admin:
        assert len(backends(admin)) == 1
        end(admin)
        assert value(database) == "kept"
        assert len(backends(admin)) == 1
    database.close()


def test_connections_are_shared_and_few_stay_open(postgres: str) -> None:
    database = opened(postgres, is_read_only=False)
    n_threads = 20
    barrier = threading.Barrier(n_threads)

    def look() -> None:
        with database.reading() as session:
            session.row("SELECT 1")
            barrier.wait()

    with ThreadPoolExecutor(n_threads) as pool:
        for done in [pool.submit(look) for _ in range(n_threads)]:
            done.result()
    with connected(postgres) as admin:
        # A process of the server ends a little later than its connection.
        deadline = time.monotonic() + 60
        while len(backends(admin)) > 8:
            assert time.monotonic() < deadline
        assert backends(admin)
        database.close()
        end(admin)
        assert backends(admin) == []


def test_a_writer_that_does_not_end_is_named(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chunkwright.store.database.postgres._WAIT_MS", 50)
    database = opened(postgres, is_read_only=False)
    with (
        database.writing(),
        pytest.raises(StoreError, match="another writer has not ended"),
        database.writing(),
    ):
        pass
    with database.writing() as session:
        session.insert("state", [("value", "kept")])
    assert value(database) == "kept"
    database.close()


def _limit_files(pid: int, folder: str, most: int) -> None:
    """Let a process of the server write no larger files: its own user may do that."""
    import resource

    owner = Path(folder).stat()
    if os.geteuid() != owner.st_uid:
        os.setgroups([])
        os.setgid(owner.st_gid)
        os.setuid(owner.st_uid)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, most))


@pytest.mark.skipif(sys.platform != "linux", reason="limits of other processes are Linux's")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_full_disk_is_named_and_nothing_is_half_written(
    server: postgres_server.Server, postgres: str
) -> None:
    database = opened(postgres, is_read_only=False)

    def fill() -> None:
        with database.writing() as session:
            session.insert("state", [("value", "half")])
            pid = session.row("SELECT pg_backend_pid()")
            assert pid is not None
            context = multiprocessing.get_context("fork")
            child = context.Process(target=_limit_files, args=(pid[0], server.folder, 3_000_000))
            child.start()
            child.join()
            assert child.exitcode == 0
            rows = [(f"more {number}", os.urandom(900).hex()) for number in range(4_000)]
            session.insert("state", rows)

    with pytest.raises(StoreError, match=r"File too large|No space left"):
        fill()
    with connected(postgres) as admin:
        end(admin)
    assert value(database) is None
    with database.writing() as session:
        session.insert("state", [("value", "whole")])
    assert value(database) == "whole"
    database.close()


def test_a_server_that_recovers_is_waited_for(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psycopg

    with closing(opened(postgres, is_read_only=False)) as database:
        with connected(postgres) as admin:
            end(admin)
        connections = database._connections  # type: ignore[attr-defined]
        inner, n_tries = connections._opened, 0

        def recovering() -> psycopg.Connection:
            nonlocal n_tries
            n_tries += 1
            if n_tries < 3:
                raise psycopg.OperationalError("the database system is in recovery mode")
            connection: psycopg.Connection = inner()
            return connection

        monkeypatch.setattr(connections, "_opened", recovering)
        assert value(database) is None
        assert n_tries == 3


def test_a_server_that_does_not_come_back_is_told(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psycopg

    where = "chunkwright.store.database.postgres_connections"
    monkeypatch.setattr(f"{where}._BACK_SECONDS", 0.3)
    with closing(opened(postgres, is_read_only=False)) as database:
        with connected(postgres) as admin:
            end(admin)

        def gone() -> psycopg.Connection:
            raise psycopg.OperationalError("connection refused")

        monkeypatch.setattr(database._connections, "_opened", gone)  # type: ignore[attr-defined]
        with pytest.raises(StoreError, match="connection refused"):
            value(database)
