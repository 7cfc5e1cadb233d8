"""Stores: imports, edits and citations come to the same in each of the databases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import chunkwright as cw
from chunkwright.store.importing.report import Report
from chunkwright.store.model import Citation
from chunkwright.store.store import Store
from tests.support.stores import Toy, blocks, documents, held, markdown

if TYPE_CHECKING:
    from chunkwright.document import Scalar

N_DOCUMENTS = 6


@pytest.fixture
def store(target: str) -> Iterator[Store]:
    with Store.open(target, embedder=Toy()) as store:
        yield store


def told(report: Report) -> list[dict[str, Any]]:
    return [asdict(each) for each in report]


def without_chance(citation: Citation) -> Citation:
    return replace(citation, id="", created_at="")


def history(store: Store) -> list[object]:
    """Import, cite, edit, remove, and say what came of each step."""
    seen: list[object] = []
    first = documents(N_DOCUMENTS, 0)
    tags: dict[str, Scalar] = {"team": "red", "size": 3, "share": 0.25, "final": True, "note": None}
    seen.append(told(store.add(first, metadata=tags)))
    seen.append(told(store.add(first, metadata=tags)))
    plain = cw.Document(text="Half \ud800 and NUL \0.\n\n" * 40, name="odd\0name \U0001f600")
    seen.append(told(store.add([plain], strategy=cw.Recursive(max_tokens=40))))
    quotes = []
    for number in range(N_DOCUMENTS):
        _, found = blocks(store, f"report-{number}.md")
        quotes += [store.cite(block, by="test") for block, _ in found[:4]]
    seen += [without_chance(quote) for quote in quotes]
    _, found = blocks(store, "report-2.md")
    seen.append(store.edit(found[1][0], "Written by hand."))
    seen.append(told(store.add(documents(N_DOCUMENTS, 1), metadata={"team": "blue"}, dry_run=True)))
    for version in (1, 2):
        seen.append(told(store.add(documents(N_DOCUMENTS, version), metadata={"team": "blue"})))
        for quote in quotes:
            resolved = store.resolve(quote.id)
            seen.append(replace(resolved, citation=without_chance(resolved.citation)))
    seen.append(told(store.add(documents(2, 2), strategy="sentence", resync=False)))
    seen.append(store.remove("report-3.md"))
    seen.append(store.remove("report-3.md"))
    seen.append(store.documents())
    seen.append(store.edits())
    cited = [without_chance(each) for each in store.citations("report-1.md")]
    # Those of one millisecond come in any order.
    seen.append(sorted(cited, key=lambda citation: citation.block))
    for number in range(N_DOCUMENTS):
        uri = f"report-{number}.md"
        for stored in store.versions(uri):
            seen.append(replace(stored, created_at=""))
            seen.append(store.document(uri, stored.version).text)
            chunks = store.chunks(uri, stored.version)
            seen += [chunks.ids, chunks.texts(), chunks.prefix_shadows, chunks.suffix_shadows]
            seen += [chunks.starts.tolist(), chunks.line_ends.tolist(), chunks.n_tokens.tolist()]
    return seen


def test_both_databases_come_to_the_same(tmp_path: Path, postgres: str) -> None:
    found = []
    for target in (str(tmp_path / "kb.db"), postgres):
        with Store.open(target, embedder=Toy()) as store:
            found.append((history(store), held(store)))
    (sqlite_history, sqlite_held), (postgres_history, postgres_held) = found
    assert len(postgres_history) == len(sqlite_history)
    for mine, theirs in zip(postgres_history, sqlite_history, strict=True):
        assert mine == theirs
    assert postgres_held.keys() == sqlite_held.keys()
    for table, rows in sqlite_held.items():
        # Ids of citations are by chance.
        first = 1 if table == "citations" else 0
        own, others = postgres_held[table], rows
        assert sorted(repr(row[first:]) for row in own) == sorted(
            repr(row[first:]) for row in others
        ), table
    assert len(sqlite_held["vectors of 1"]) > N_DOCUMENTS


def test_an_import_again_keeps_ids_and_vectors(store: Store) -> None:
    (new,) = store.add(documents(1, 0))
    assert new.outcome == "new"
    assert new.n_embedded > 4
    (unchanged,) = store.add(documents(1, 0))
    assert (unchanged.outcome, unchanged.n_embedded) == ("unchanged", 0)
    (changed,) = store.add(documents(1, 1))
    assert changed.outcome == "changed"
    assert len(changed.kept) >= 3
    assert changed.n_embedded < new.n_embedded
    text, found = blocks(store, "report-0.md")
    assert text == markdown(0, 1)
    assert {block for block, _ in found} == {*changed.kept, *changed.new}


def test_a_store_is_read_by_others_while_it_is_written(target: str) -> None:
    with (
        Store.open(target, embedder=Toy()) as writer,
        Store.open(target, embedder=Toy(), read_only=True) as reader,
    ):
        for version in (0, 1, 2):
            writer.add(documents(2, version))
            assert reader.document("report-1.md").text == markdown(1, version)
            assert len(reader.versions("report-1.md")) == version + 1


def test_addresses_that_no_database_takes_are_known_again(store: Store) -> None:
    uri = "odd\0name \ud800.md"
    for _ in range(2):
        (report,) = store.add([cw.Document(text="Some words. " * 9, name=uri)], strategy="sentence")
    assert report.outcome == "unchanged"
    assert report.uri == "odd\ufffdname \ufffd.md"
    assert store.document(uri).text == store.document(report.uri).text
    assert len(store.versions(uri)) == 1
    assert store.remove(uri).outcome == "removed"
