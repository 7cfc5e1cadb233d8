"""Databases of stores: the same statements have the same results on each."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from chunkwright.errors import StoreError
from chunkwright.store import schema
from chunkwright.store.database.protocol import Database, Row
from chunkwright.store.store import opened

# One row of each table; numbers at the ends of what 64 bits hold.
LARGEST = 2**63 - 1
ROWS: dict[str, Row] = {
    "state": ("name ?", 'it\'s a "value" with $1, %s and ?'),
    "fingerprints": (-(2**63), '{"strategy":"structural"}'),
    "documents": (
        1,
        "reports/ä.md",
        None,
        "source",
        1,
        LARGEST,
        "a",
        "file",
        "/a/b.md",
        None,
        None,
    ),
    "metadata": (1, "size", "float", None, 0.1),
    "metadata_items": (1, "tags", 0, "str", "x", None),
    "versions": (1, 1, b"\0\xff", 1, None, 1, 0.5, "2026-11-26T04:00:00.000+00:00"),
    "blocks": ("b1", 1, b"", 0, "cut", None, 0, "Zeile\n\U0001f600\t\\N", 3, 1, 1, None),
    "placements": (
        *(1, 1, 0, "b1", "text", None, '["A \\" b","\U0001f600"]', None, 2, "[]", '[{"x":1.50}]'),
        *(0, 10, 1, 2, None, 4, '{"b":1,"a":[1e2]}', None, "", None, bytes(range(256)), 3, 0.25),
        *('["Ada"]', 1.5, None),
    ),
    "citations": ("c1", 1, 1, "b1", "quote", 0, 5, None, "2026-11-26"),
    "tombstones": ("c2", "2026-11-26"),
    "models": (7, "lexical", 384),
    "word_segments": (0, "prefixes", bytes(100_000), b"\1"),
    "quote_filters": (bytes(32), 1, bytes(100_000)),
    "signatures": ("b1", b"\0" * 16),
    "duplicates": ("b1", "b2", 1 / 3),
}

# The last columns of a document of which it is not known what it was read from.
NO_ORIGIN = [None] * 5


@pytest.fixture
def database(target: str) -> Iterator[Database]:
    database = opened(target, is_read_only=False)
    yield database
    database.close()


def values(database: Database) -> list[str]:
    sql = "SELECT value FROM state WHERE name <> 'version' ORDER BY value"
    with database.reading() as session:
        return [value for (value,) in session.rows(sql)]


def test_rows_come_back_as_they_were_written(database: Database) -> None:
    assert ROWS.keys() == schema.BY_NAME.keys()
    for table, row in ROWS.items():
        names = schema.BY_NAME[table].column_names
        key = schema.BY_NAME[table].key
        where = " AND ".join(f"{name} = ?" for name in key)
        values = [row[names.index(name)] for name in key]
        select = f"SELECT {', '.join(names)} FROM {table} WHERE {where}"
        with database.writing() as session:
            session.insert(table, [row])
        with database.reading() as session:
            assert session.row(select, values) == row
        with database.writing() as session:
            assert session.run(f"DELETE FROM {table} WHERE {where}", values) == 1
            marks = ", ".join("?" * len(row))
            assert session.run(f"INSERT INTO {table} VALUES ({marks})", row) == 1
        with database.reading() as session:
            assert session.rows(select, values) == [row]


def test_statements_mean_the_same(database: Database) -> None:
    with database.writing() as session:
        uris = ["b", "B", "a", "Z", "ä", "é", "z", "\U0001f600", "\uffff", "a b", "a-b", ""]
        rows = [(i, uri, i % 3 or None, "", 1, i, *NO_ORIGIN) for i, uri in enumerate(uris)]
        session.insert("documents", rows)
        # By code points, whatever the language of a server.
        ordered = [uri for (uri,) in session.rows("SELECT uri FROM documents ORDER BY uri")]
        assert ordered == sorted(uris)
        sums = "SELECT sum(revision), count(*), max(id), min(uri), count(current_version)"
        assert session.row(f"{sums} FROM documents") == (66, 12, 11, "", 8)
        assert session.row("SELECT uri FROM documents WHERE uri = '?' OR id = ?", (2,)) == ("a",)
        assert session.row("SELECT uri FROM documents WHERE id = ?", (99,)) is None
        assert session.row("SELECT 7 / 2, 7 % 2, 'a' || ?, COALESCE(NULL, ?)", ("b", "c")) == (
            *(3, 1, "ab", "c"),
        )
        assert session.run("UPDATE documents SET revision = ? WHERE id < ?", (True, 3)) == 3
        found = session.rows("SELECT revision FROM documents WHERE id < 3 ORDER BY id")
        assert found == [(1,)] * 3
        assert session.run("DELETE FROM documents WHERE current_version IS NULL") == 4
        upsert = "ON CONFLICT (name) DO UPDATE SET value = excluded.value"
        for value in ("one", "two"):
            session.run(f"INSERT INTO state VALUES (?, ?) {upsert}", ("mode", value))
    assert values(database) == ["two"]


def test_any_number_of_values_is_looked_for(database: Database) -> None:
    n = 70_000
    with database.writing() as session:
        session.insert("signatures", [(f"b{i}", i.to_bytes(4, "big")) for i in range(n)])
    with database.reading() as session:
        sql = "SELECT data FROM signatures WHERE data > ? AND block IN"
        wanted = [f"b{i}" for i in range(0, 2 * n, 2)]
        found = session.among(sql, wanted, (b"\0\0\0\5",))
        assert len(found) == n // 2 - 3
        by_bytes = "SELECT block FROM signatures WHERE data IN"
        assert session.among(by_bytes, [b"\0\0\0\1", b"none"]) == [("b1",)]
        assert session.among(sql, [], (b"",)) == []
        numbers = "SELECT count(*) FROM documents WHERE id IN"
        assert session.among(numbers, [1, 2**40]) == [(0,)]


def test_texts_of_any_length_are_kept(database: Database) -> None:
    # Two bytes a letter, and too many kinds to be compressed into the key of an index.
    text = "".join(chr(0x100 + i * i * 7 % 1700) for i in range(50_000))
    with database.writing() as session:
        session.insert("metadata", [(1, "note", "str", text, None)])
        session.insert("metadata_items", [(1, "note", 0, "str", text, None)])
        session.insert("fingerprints", [(1, text)])
        session.insert("models", [(1, text, 384)])
    with database.reading() as session:
        assert session.row("SELECT id FROM fingerprints WHERE description = ?", (text,)) == (1,)
        assert session.row("SELECT document FROM metadata WHERE text = ?", (text,)) == (1,)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("INSERT INTO state VALUES ('a', '2')", r"UNIQUE|duplicate key"),
        ("INSERT INTO state VALUES ('b', NULL)", r"NOT NULL|null value"),
        ("SELECT * FROM no_such_table", "no_such_table"),
        ("SELEKT 1", 'near "SELEKT"'),
    ],
)
def test_what_fails_leaves_nothing(database: Database, statement: str, message: str) -> None:
    def write() -> None:
        with database.writing() as session:
            session.insert("state", [("a", "1")])
            session.run(statement)

    with pytest.raises(StoreError, match=message):
        write()
    assert values(database) == []


def test_what_is_given_up_leaves_nothing(database: Database) -> None:
    def write(error: BaseException | None) -> None:
        with database.writing() as session:
            session.insert("state", [("a", "1")])
            if error is not None:
                raise error

    for error in (ZeroDivisionError(), KeyboardInterrupt(), GeneratorExit()):
        with pytest.raises(type(error)):
            write(error)
        assert values(database) == []
    write(None)
    assert values(database) == ["1"]


def test_a_reader_sees_one_state(database: Database) -> None:
    with database.writing() as session:
        session.insert("state", [("a", "before")])
    with database.reading() as session:
        sql = "SELECT value FROM state WHERE name = 'a'"
        assert session.row(sql) == ("before",)

        def write() -> list[str]:
            with database.writing() as other:
                other.run("UPDATE state SET value = 'after' WHERE name = 'a'")
            return values(database)

        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(write).result() == ["after"]
        assert session.row(sql) == ("before",)
    assert values(database) == ["after"]


def test_writers_follow_one_another(database: Database) -> None:
    n_writers, n_times = 8, 10
    barrier = threading.Barrier(n_writers)

    def write() -> None:
        barrier.wait()
        for _ in range(n_times):
            with database.writing() as session:
                row = session.row("SELECT COALESCE(max(id), 0) + 1 FROM documents")
                assert row is not None
                session.insert("documents", [(row[0], f"doc{row[0]}", 1, "", 1, 1, *NO_ORIGIN)])

    with ThreadPoolExecutor(n_writers) as pool:
        for done in [pool.submit(write) for _ in range(n_writers)]:
            done.result()
    with database.reading() as session:
        ids = session.rows("SELECT id FROM documents ORDER BY id")
    assert ids == [(i,) for i in range(1, n_writers * n_times + 1)]


def test_a_writer_sees_what_was_committed_while_it_waited(database: Database) -> None:
    def append() -> None:
        with database.writing() as session:
            found = session.row("SELECT value FROM state WHERE name = 'n'")
            assert found is not None
            session.run("UPDATE state SET value = ? WHERE name = 'n'", (found[0] + "3",))

    with ThreadPoolExecutor(1) as pool:
        with database.writing() as session:
            session.insert("state", [("n", "1")])
            waiting = pool.submit(append)
            session.run("UPDATE state SET value = '2' WHERE name = 'n'")
        waiting.result()
    assert values(database) == ["23"]


def test_a_thread_reads_while_it_reads_and_while_it_writes(database: Database) -> None:
    with database.writing() as session:
        session.insert("state", [("a", "1")])
        with database.reading() as reader, database.reading() as other:
            sql = "SELECT count(*) FROM state WHERE name = 'a'"
            assert reader.row(sql) == other.row(sql) == (0,)
            assert session.row(sql) == (1,)
    assert values(database) == ["1"]


def _child(database: Database, told: multiprocessing.SimpleQueue[list[str]]) -> None:
    told.put(values(database))
    database.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_of_a_fork_has_connections_of_its_own(database: Database) -> None:
    with database.writing() as session:
        session.insert("state", [("a", "1")])
    context = multiprocessing.get_context("fork")
    told = context.SimpleQueue()
    with database.reading() as session:
        sql = "SELECT value FROM state WHERE name = 'a'"
        assert session.row(sql) == ("1",)
        child = context.Process(target=_child, args=(database, told))
        child.start()
        assert told.get() == ["1"]
        child.join()
        assert child.exitcode == 0
        assert session.row(sql) == ("1",)
    with database.writing() as session:
        session.insert("state", [("b", "2")])
    assert values(database) == ["1", "2"]


def test_a_store_is_opened_while_it_is_written(target: str) -> None:
    with closing(opened(target, is_read_only=False)) as database, database.writing() as session:
        session.insert("state", [("a", "1")])
        for is_read_only in (False, True):
            with closing(opened(target, is_read_only=is_read_only)) as other:
                assert values(other) == []


def test_a_store_is_opened_by_many_at_once(target: str) -> None:
    n_threads = 6
    barrier = threading.Barrier(n_threads)

    def open_it() -> None:
        barrier.wait()
        opened(target, is_read_only=False).close()

    with ThreadPoolExecutor(n_threads) as pool:
        for done in [pool.submit(open_it) for _ in range(n_threads)]:
            done.result()
    database = opened(target, is_read_only=True)
    with database.reading() as session:
        assert session.row("SELECT value FROM state") == (str(schema.VERSION),)
    database.close()


def test_a_store_for_reading_is_not_written(target: str) -> None:
    with pytest.raises(StoreError, match=r"no such file|no store in the schema"):
        opened(target, is_read_only=True)
    opened(target, is_read_only=False).close()
    database = opened(target, is_read_only=True)
    with pytest.raises(StoreError, match="for reading only"), database.writing():
        pass
    assert values(database) == []
    database.close()


def test_a_store_of_another_version_is_left_alone(target: str) -> None:
    database = opened(target, is_read_only=False)
    with database.writing() as session:
        session.run("UPDATE state SET value = '99' WHERE name = 'version'")
    database.close()
    message = rf"a store of version 99, this is version {schema.VERSION}"
    for is_read_only in (False, True):
        with pytest.raises(StoreError, match=message):
            opened(target, is_read_only=is_read_only)


def test_a_closed_database_says_so(target: str) -> None:
    database = opened(target, is_read_only=False)
    database.close()
    database.close()
    with pytest.raises(StoreError, match="closed"), database.reading():
        pass
