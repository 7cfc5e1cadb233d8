"""Migrations: stores of older tables are brought up to date, in every database."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chunkwright.errors import StoreError
from chunkwright.store import schema
from chunkwright.store.database import migrations, sqlite, sqlite_session
from chunkwright.store.database.protocol import Session
from chunkwright.store.database.sqlite_session import present
from chunkwright.store.schema import Column, Table
from chunkwright.store.store import Store, opened
from tests.support import old_store
from tests.support.stores import Words, held

ANSWERS = json.loads(old_store.ANSWERS.read_text())
_POSTGRES = {"INTEGER": "bigint", "REAL": "double precision", "BLOB": "bytea"}
_JSON = {"headings", "pages", "boxes", "chunk", "context"}

# What 0.2.0 did with texts that are too long for a key.
_LONG_TEXTS = (
    "ALTER TABLE fingerprints DROP CONSTRAINT fingerprints_description_key",
    "ALTER TABLE models DROP CONSTRAINT models_fingerprint_key",
    "DROP INDEX metadata_by_name_text",
    "CREATE INDEX metadata_by_name_text ON metadata (name, substr(text, 1, 100))",
)


def rows_of(connection: sqlite3.Connection, table: str) -> list[tuple[Any, ...]]:
    return connection.execute(f"SELECT * FROM {table}").fetchall()


def write_to_postgres(address: str) -> None:
    """Write the store of 0.2.0 into a schema, as 0.2.0 had its tables there."""
    import psycopg

    where, _, own = address.rpartition("&schema=")
    with (
        closing(sqlite3.connect(old_store.DATABASE)) as old,
        psycopg.connect(where, autocommit=True) as new,
    ):
        new.execute("CREATE EXTENSION IF NOT EXISTS vector")
        new.execute(f"CREATE SCHEMA {own}".encode())
        new.execute(f"SET search_path TO {own}, public".encode())
        tables = [
            (name, sql)
            for name, sql in old.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
            if not name.startswith("vector_")
        ]
        for name, sql in tables:
            declared = sql
            for own_type, theirs in _POSTGRES.items():
                declared = declared.replace(f" {own_type}", f" {theirs}")
            declared = declared.replace(" TEXT", ' text COLLATE "C"')
            for column in _JSON:
                declared = declared.replace(f'{column} text COLLATE "C"', f"{column} json")
            new.execute(declared.encode())
            for row in rows_of(old, name):
                marks = ", ".join(["%s"] * len(row))
                new.execute(f"INSERT INTO {name} VALUES ({marks})".encode(), row)
        for (sql,) in old.execute("SELECT sql FROM sqlite_master WHERE type = 'index'"):
            if sql is not None:
                new.execute(sql.encode())
        new.execute("CREATE INDEX placements_by_input_hash ON placements (input_hash)")
        new.execute(
            "CREATE TABLE embeddings (model bigint NOT NULL, input_hash bytea NOT NULL,"
            " embedding halfvec NOT NULL, PRIMARY KEY (model, input_hash))"
        )
        (data,) = old.execute("SELECT data FROM vector_blobs").fetchone()
        for statement in _LONG_TEXTS:
            new.execute(statement.encode())
        vectors = np.frombuffer(data, "<f2").reshape(-1, Words.n_dims)
        for model, input_hash, slot in rows_of(old, "vector_slots"):
            vector = str(vectors[slot].tolist())
            new.execute("INSERT INTO embeddings VALUES (%s, %s, %s)", (model, input_hash, vector))


@pytest.fixture
def old(target: str) -> str:
    """Return what opens a store as 0.2.0 wrote it."""
    if "://" in target:
        write_to_postgres(target)
    else:
        shutil.copy(old_store.DATABASE, target)
    return target


def tables(target: str) -> tuple[dict[str, set[str]], set[str]]:
    """Return the columns of the tables of a store, and its indexes."""
    database: Any = opened(target, is_read_only=False)
    with closing(database):
        if isinstance(database, sqlite.SqliteDatabase):
            with database._connection() as connection:
                found = present(connection)
        else:
            with database._connections.transaction("BEGIN") as connection:
                found = database._present(connection)
    return {name: set(of) for name, of in found.columns.items()}, set(found.indexes)


def test_a_store_of_0_2_0_is_as_it_was(old: str) -> None:
    with Store.open(old, embedder=Words()) as store:
        found = old_store.answers(store)
        # Rows have more columns, which say nothing of what was never recognised nor said.
        for row in found["rows"]:
            added = [row.pop(name) for name in ("confidence", "speaker", "time_start", "time_end")]
            assert added == [None] * 4
            assert row.pop("speakers", []) == []
        for name, expected in ANSWERS.items():
            if name != "imported again":
                assert found[name] == expected, name
        # Nor does a filter leave it out.
        assert len(store.documents({"min_confidence": 1})) == len(store.documents())
        assert old_store.imported_again(store) == ANSWERS["imported again"]
    # Nothing is migrated twice.
    with Store.open(old, embedder=Words(), read_only=True) as store:
        assert [each.id for each in store.citations()] == [
            each["id"] for each in ANSWERS["citations"]
        ]


def test_it_says_what_one_says_that_is_made_now(old: str, tmp_path: Path) -> None:
    with (
        Store.open(old, embedder=Words()) as migrated,
        Store.open(tmp_path / "new.db", embedder=Words()) as new,
    ):
        old_store.make(new)
        found, expected = old_store.told(migrated), old_store.told(new)
    for name, of in expected.items():
        assert found[name] == of, name


def test_its_tables_are_those_of_a_new_store(old: str, tmp_path: Path) -> None:
    new = str(tmp_path / "new.db")
    if "://" in old:
        new = f"{old}_new"
    assert tables(old) == tables(new)


def test_a_store_for_reading_is_not_migrated(old: str) -> None:
    before = Path(old).read_bytes() if "://" not in old else b""
    with pytest.raises(StoreError, match=r"of version 1, this is version \d+: open it for writing"):
        Store.open(old, read_only=True)
    if before:
        assert Path(old).read_bytes() == before
    Store.open(old).close()
    Store.open(old, read_only=True).close()


@pytest.mark.parametrize(
    ("version", "message"),
    [
        ("99", "a later chunkwright wrote it"),
        ("0", "no chunkwright has written such a one"),
        ("-1", "no chunkwright"),
        ("2.0", "no chunkwright"),
        ("²", "no chunkwright"),
        ("", "no chunkwright"),
    ],
)
def test_other_versions_are_refused(target: str, version: str, message: str) -> None:
    database = opened(target, is_read_only=False)
    with closing(database), database.writing() as session:
        session.run("UPDATE state SET value = ? WHERE name = 'version'", (version,))
    with pytest.raises(StoreError, match=message):
        opened(target, is_read_only=False)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let the schema be one of a later version: with a table, columns and an index more."""
    added = Table(
        "added", schema.columns(id="integer", name="text?"), ("id",), indexes=(("name",),)
    )
    changed = []
    for table in schema.TABLES:
        one = table
        if table.name == "documents":
            more = (
                Column("reader", "text", default="'unknown'"),
                Column("size", "integer", is_optional=True),
            )
            # In the middle: rows are written by the names of columns.
            one = one._replace(
                columns=(*one.columns[:2], *more, *one.columns[2:]), indexes=(("reader",),)
            )
        if table.name == "citations":
            one = one._replace(indexes=(("cited_by",), *one.indexes[1:]))
        changed.append(one)
    filled: list[str] = []

    def fill(session: Session) -> None:
        filled.append("filled")
        session.run("UPDATE documents SET size = length(uri)")

    all_tables = (*changed, added)
    monkeypatch.setattr(schema, "TABLES", all_tables)
    monkeypatch.setattr(schema, "BY_NAME", {each.name: each for each in all_tables})
    monkeypatch.setattr(schema, "VERSION", schema.VERSION + 1)
    monkeypatch.setattr(migrations, "FILLS", (migrations.Fill(schema.VERSION, fill),))
    vectors = sqlite_session.TABLES[-2:]
    monkeypatch.setattr(sqlite, "TABLES", (*all_tables, *vectors))
    return filled


def test_what_the_schema_says_more_is_made(old: str, later: list[str], tmp_path: Path) -> None:
    database = opened(old, is_read_only=False)
    with closing(database):
        with database.reading() as session:
            found = session.rows("SELECT reader, size, uri FROM documents")
            assert [(reader, size) for reader, size, _ in found] == [
                ("unknown", len(uri)) for *_, uri in found
            ]
            assert len(found) == len(ANSWERS["documents"]) + 2
        with database.writing() as session:
            session.insert(
                "documents", [(99, "a.md", "text", None, None, "hash", 1, 1, *[None] * 5)]
            )
            session.insert("added", [(1, "one")])
        with database.reading() as session:
            sql = "SELECT uri, reader, size, source_hash FROM documents WHERE id = 99"
            assert session.row(sql) == ("a.md", "text", None, "hash")
    assert later == ["filled"]
    new = f"{old}_new" if "://" in old else str(tmp_path / "new.db")
    assert tables(old) == tables(new)
    assert later == ["filled"]


def test_a_migration_that_fails_leaves_the_store_as_it_was(
    old: str, later: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(session: Session) -> None:
        session.run("DELETE FROM documents")
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr(migrations, "FILLS", (migrations.Fill(schema.VERSION, fail),))
        with pytest.raises(RuntimeError):
            opened(old, is_read_only=False)
    assert later == []
    with closing(opened(old, is_read_only=False)) as database, database.reading() as session:
        row = session.row("SELECT count(*) FROM documents")
        assert row == (len(ANSWERS["documents"]) + 2,)
    assert later == ["filled"]


def test_a_migrated_store_is_pruned_and_erased(old: str) -> None:
    with Store.open(old, embedder=Words()) as store:
        store.prune()
        found = store.erase([each.uri for each in store.documents()] + ["letter-shed"])
        assert found.n_citations == len(ANSWERS["citations"])
        rows = held(store)
        assert not any(rows[table] for table in ("blocks", "placements", "versions", "citations"))
