"""Pruning: it comes to what the plain rule says, in steps, and looks at no table over and over."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.store import pruning
from chunkwright.store.database.protocol import Session, VectorTable
from chunkwright.store.database.sqlite_session import SqliteSession
from chunkwright.store.erasing import drop_unused
from chunkwright.store.store import Store
from tests.support.mostly_slow import mostly_slow
from tests.support.stores import Held, Words, assert_filters_are_of_versions, documents, held


def write(store: Store, seed: int) -> None:
    """Import versions of documents; cite, edit and remove some."""
    chance = random.Random(seed)
    n = chance.randrange(1, 5)
    for version in range(chance.randrange(1, 5)):
        some = [each for each in documents(n, version % 3) if chance.random() < 0.8]
        store.add(some, strategy=chance.choice(["structural", "sentence"]))
        for one in store.documents():
            block = chance.choice(store.blocks(one.uri))
            if chance.random() < 0.3:
                store.cite(block.id)
            if chance.random() < 0.2 and block.text.strip():
                store.edit(block.id, f"By hand in {version}.")
        if chance.random() < 0.4:
            store.remove([one.uri for one in store.documents()][:1])
    store.link_duplicates(0.5)


def prune_plainly(session: Session, vectors: VectorTable, keep: int) -> None:
    """Prune by the rule itself: all rows are looked at for each row, until none goes any more."""
    rows = session.rows(
        "SELECT d.id, v.version, d.current_version FROM versions v JOIN documents d"
        " ON d.id = v.document ORDER BY d.id, v.version DESC"
    )
    cited = set(session.rows("SELECT document, version FROM citations"))
    n_free: dict[int, int] = {}
    gone: list[tuple[int, int]] = []
    for document, version, current in rows:
        if version != current and (document, version) not in cited:
            n_free[document] = n_free.get(document, 0) + 1
            if n_free[document] > keep:
                gone.append((document, version))
    for document, version in gone:
        _give_content_on(session, document, version, gone)
        for table in ("placements", "versions"):
            session.run(
                f"DELETE FROM {table} WHERE document = ? AND version = ?", (document, version)
            )
    _without_place(session)
    for (model,) in session.rows("SELECT id FROM models"):
        used = {row[0] for row in session.rows("SELECT input_hash FROM placements")}
        vectors.drop(
            session, model, [each for each in vectors.unused(session, model) if each not in used]
        )


def _without_place(session: Session) -> None:
    session.run(
        "DELETE FROM blocks WHERE document IN (SELECT d.id FROM documents d WHERE"
        " d.current_version IS NULL AND NOT EXISTS (SELECT 1 FROM versions v"
        " WHERE v.document = d.id))"
    )
    while session.run(
        "DELETE FROM blocks WHERE id NOT IN (SELECT block FROM placements)"
        " AND id NOT IN (SELECT block FROM citations) AND origin = 'cut'"
        " AND id NOT IN (SELECT e.base FROM blocks e WHERE e.base IS NOT NULL)"
        " AND id NOT IN (SELECT s.superseded_by FROM blocks s WHERE s.superseded_by IS NOT NULL)"
    ):
        pass
    for table, column in (
        ("signatures", "block"),
        ("duplicates", "block"),
        ("duplicates", "other"),
    ):
        session.run(f"DELETE FROM {table} WHERE {column} NOT IN (SELECT id FROM blocks)")
    for document, current in session.rows("SELECT id, current_version FROM documents"):
        sql = "SELECT 1 FROM versions WHERE document = ?"
        if current is None and session.row(sql, (document,)) is None:
            session.run("DELETE FROM documents WHERE id = ?", (document,))
            session.run("DELETE FROM metadata WHERE document = ?", (document,))


def _give_content_on(
    session: Session, document: int, version: int, gone: Sequence[tuple[int, int]]
) -> None:
    rows = session.rows(
        "SELECT version FROM versions WHERE document = ? AND content_version = ? ORDER BY version",
        (document, version),
    )
    heirs = [heir for (heir,) in rows if (document, heir) not in gone]
    if heirs:
        content = session.row(
            "SELECT content FROM versions WHERE document = ? AND version = ?", (document, version)
        )
        assert content is not None
        session.run(
            "UPDATE versions SET content = ? WHERE document = ? AND version = ?",
            (*content, document, heirs[0]),
        )
        session.run(
            "UPDATE versions SET content_version = ? WHERE document = ? AND content_version = ?",
            (heirs[0], document, version),
        )


def compared(store: Store) -> Held:
    """Return the rows of all tables, but of what is derived from the others."""
    found = held(store)
    for table in ("state", "word_segments", "quote_filters", "fingerprints"):
        del found[table]
    return found


def check(seed: int, target: str, copy: Path) -> None:
    keep = seed % 3
    with Store.open(target, embedder=Words()) as store:
        write(store, seed)
        store.verify("Nobody has said this.")
        assert_filters_are_of_versions(store, are_all=True)
        expected: Held
        if "://" in target:
            with Store.open(copy, embedder=Words()) as other:
                write(other, seed)
        else:
            store.backup(copy)
        with Store.open(copy, embedder=Words()) as other:
            with other._database.writing() as session:
                prune_plainly(session, other._database.vectors, keep)
            expected = compared(other)
        before = compared(store)
        pruned = store.prune(keep)
        found = compared(store)
        if "://" in target:
            # Ids of citations are by chance.
            for each in (found, expected):
                each["citations"] = sorted(row[1:] for row in each["citations"])
        assert found == expected
        for table, n in (("versions", pruned.n_versions), ("blocks", pruned.n_blocks)):
            assert len(before[table]) - len(found[table]) == n
        assert len(before["documents"]) - len(found["documents"]) == pruned.n_documents
        sums = [
            sum(len(rows) for name, rows in of.items() if name.startswith("vectors"))
            for of in (before, found)
        ]
        assert sums[0] - sums[1] == pruned.n_vectors
        assert store.prune(keep) == pruning.Pruned(0, 0, 0)
        assert_filters_are_of_versions(store)
        for one in store.documents():
            assert store.document(one.uri).text
        list(store.search("copper ledger"))


@pytest.mark.parametrize("seed", mostly_slow(range(12), quick=4))
def test_it_comes_to_what_the_rule_says(seed: int, target: str, tmp_path: Path) -> None:
    check(seed, target, tmp_path / "copy.db")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12, 200))
def test_it_always_comes_to_what_the_rule_says(seed: int, tmp_path: Path) -> None:
    check(seed, str(tmp_path / "kb.db"), tmp_path / "copy.db")


@pytest.fixture
def store(target: str) -> Iterator[Store]:
    with Store.open(target, embedder=Words()) as store:
        write(store, 5)
        yield store


def test_others_write_in_between(
    store: Store, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pruning, "_DOCUMENTS", 1)
    monkeypatch.setattr(pruning, "_INPUTS", 1)
    database = store._database
    begin, n = database.writing, 0

    def writing() -> Any:
        nonlocal n
        n += 1
        # Before each step of the pruning another store imports, cites, and removes.
        with Store.open(target, embedder=Words()) as other:
            other.add(documents(n % 3 + 1, n % 3))
            other.cite(other.blocks("report-0.md")[0].id)
            if n % 2:
                other.remove("report-1.md")
        return begin()

    with monkeypatch.context() as patch:
        patch.setattr(database, "writing", writing)
        store.prune()
    assert n >= 4
    assert all(store.resolve(each).cited.text for each in store.citations())
    for each in store.documents():
        assert store.blocks(each.uri)
    assert list(store.search("copper ledger of winter"))


# Of these there are few, whatever a store holds.
_SMALL = {"fingerprints", "models", "word_segments", "w", "state"}
_LARGE = re.compile(r"^SCAN (?!CONSTANT)(\w+)")


def test_no_table_is_looked_through_for_each_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = set[str]()
    with closing(Store.open(tmp_path / "kb.db", embedder=Words())) as store:
        write(store, 3)
        for name in ("rows", "row", "run", "among", "delete"):
            inner = getattr(SqliteSession, name)

            def noted(self: SqliteSession, *given: Any, _inner: Any = inner) -> Any:
                sql = given[0]
                if sql.endswith(" IN"):
                    sql += " (NULL)"
                if not re.fullmatch(r"\w+", sql):
                    seen.add(sql)
                return _inner(self, *given)

            monkeypatch.setattr(SqliteSession, name, noted)
        with store._database.writing() as session:
            numbers = [row[0] for row in session.rows("SELECT id FROM documents")]
            seen.clear()
            for number in numbers:
                pruning._pruned(session, number, 0)
            session.run("UPDATE documents SET current_version = NULL")
            session.run("DELETE FROM citations")
            seen.clear()
            for number in numbers:
                pruning._pruned(session, number, 0)
                drop_unused(session, store._database, [b"x"])
        monkeypatch.undo()
        with store._database.reading() as session:
            for sql in seen:
                marks = (None,) * sql.count("?")
                for row in session.rows(f"EXPLAIN QUERY PLAN {sql}", marks):
                    found = _LARGE.match(row[3])
                    assert found is None or found[1] in _SMALL, (sql, row[3])
    assert len(seen) > 8


@pytest.mark.slow
def test_ten_thousand_blocks_go_at_once(tmp_path: Path) -> None:
    """The count of statements is that of blocks, at most; each is found by an index."""
    text = "\n\n".join(f"# Part {i}\n\nOf the number {i}, with {i * 7}." for i in range(50))
    with Store.open(tmp_path / "kb.db") as store:
        store.add([cw.read(f"{text}\n\n{n}".encode(), name=f"{n}.md") for n in range(200)])
        store.remove([f"{n}.md" for n in range(200)])
        assert store.prune().n_blocks > 10_000
        assert all(not rows for table, rows in held(store).items() if table != "state")
