"""Erasing: nothing of a document is left, and nothing of the others is changed."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError, StoreError
from chunkwright.store.store import Store
from tests.support import postgres_server
from tests.support.mostly_slow import mostly_slow
from tests.support.stores import Words, assert_filters_are_of_versions, held, with_lines

VICTIM = "vict-address-qv.md"
# Words, names and values that the erased document alone has.
OWN = (
    *("Zimmerblum", "quixovary", VICTIM, "ownkey-xj", "ownvalue-wz", "citer-uhk", "handmade-pyo"),
    "furnofoot-pag",
)
_SHARED = (
    "The same everywhere.",
    "A ledger of copper, kept in the winter by the harbour.",
    "An engine in the garden with a signal on it.",
)
_WORDS = ("harbour", "engine", "ledger", "winter", "copper", "signal", "garden", "quota")
QUESTIONS = ("copper ledger of winter", "engine in the garden", "the same everywhere", "quota")


def text(chance: random.Random, *own: str) -> str:
    """Return a document: paragraphs that others have too, some of its own, and these words."""
    parts = [chance.choice(_SHARED) for _ in range(chance.randrange(1, 4))]
    parts += [" ".join(chance.choices(_WORDS, k=12)) + "." for _ in range(chance.randrange(1, 4))]
    parts += own
    chance.shuffle(parts)
    return "\n\n".join(f"## {part.split()[-1]}\n\n{part}" for part in parts)


def document(uri: str, body: str) -> cw.Document:
    return cw.read(f"# Title\n\n{body}\n".encode(), name=uri, kind="markdown")


class History:
    """Some imports, citations and edits; the same with and without the document to be erased."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def run(self, store: Store, *, with_victim: bool) -> None:
        chance = random.Random(self._seed)
        n_others = chance.randrange(2, 6)
        place = chance.randrange(n_others + 1)
        n_versions = chance.randrange(1, 4)
        texts = [
            [text(random.Random(f"{self._seed} {i} {v}")) for v in range(n_versions)]
            for i in range(n_others)
        ]
        for version in range(n_versions):
            for number in range(n_others + 1):
                if number == place and with_victim:
                    self._victim(store, version)
                if number < n_others and (version == 0 or chance.random() < 0.7):
                    uri = f"other-{number}.md"
                    store.add(document(uri, texts[number][version]), metadata={"n": number})
            for number in range(n_others):
                blocks = store.blocks(f"other-{number}.md")
                chosen = chance.choice(blocks)
                if chance.random() < 0.6:
                    store.cite(chosen.id, by=f"paper {number}")
                if chance.random() < 0.2 and chosen.text.strip():
                    store.edit(chosen.id, f"By hand, {number} in {version}.")
        if chance.random() < 0.5:
            store.remove("other-0.md")
        if with_victim and chance.random() < 0.3:
            store.remove(VICTIM)
        store.link_duplicates(0.5)

    def _victim(self, store: Store, version: int) -> None:
        chance = random.Random(f"{self._seed} {version}")
        body = text(chance, f"Frau Zimmerblum was here in {version}.", "A quixovary one.")
        lines = [("page footer", f"Page {page} of furnofoot-pag", page) for page in (1, 2)]
        victim = with_lines(document(VICTIM, body), lines)
        store.add(victim, metadata={"ownkey-xj": "ownvalue-wz"})
        blocks = store.blocks(VICTIM)
        store.cite(chance.choice(blocks).id, by="citer-uhk")
        if version == 0:
            store.edit(chance.choice(blocks).id, "It is handmade-pyo.")


def answers(store: Store) -> dict[str, Any]:
    """Return what a store says, without what is by chance."""
    uris = [each.uri for each in store.documents()]
    citations = sorted(store.citations(), key=lambda one: (one.document, one.created_at, one.block))
    resolved = [store.resolve(each) for each in citations]
    return {
        "documents": store.documents(),
        "versions": [replace(each, created_at="") for u in uris for each in store.versions(u)],
        "blocks": [each for uri in uris for each in store.blocks(uri)],
        "edits": store.edits(),
        "resolved": [replace(each, citation=without_chance(each.citation)) for each in resolved],
        "verified": [store.verify(words) for words in (*_SHARED, "Nobody has said this.")],
        "hits": [
            (each.document, each.block, round(each.score, 5), each.text, sorted(each.duplicates))
            for question in QUESTIONS
            for retriever in (cw.Retriever(), cw.Retriever.dense(Words()), None)
            for each in store.search(question, 8, retriever=retriever)
        ],
    }


def without_chance(citation: Any) -> Any:
    return replace(citation, id="", created_at="")


def vectors(store: Store) -> list[tuple[Any, ...]]:
    return [each for name, rows in held(store).items() if "vectors" in name for each in rows]


def traces(store: Store) -> list[tuple[str, str]]:
    """Return what rows have of the erased document, also within what is packed."""
    found = []
    for table, rows in held(store).items():
        for row in rows:
            for value in row:
                data = value if isinstance(value, bytes) else str(value).encode()
                for each in (data, _unpacked(data)):
                    found += [
                        (table, word) for word in OWN if word.lower().encode() in each.lower()
                    ]
    return found


def _unpacked(data: bytes) -> bytes:
    try:
        return zlib.decompress(data)
    except zlib.error:
        return b""


def in_files(folder: Path) -> list[tuple[str, str]]:
    """Return what the bytes of files have of the erased document."""
    return [
        (file.name, word)
        for file in folder.rglob("*")
        if file.is_file()
        for word in OWN
        if word.lower().encode() in file.read_bytes().lower()
    ]


def check(seed: int, target: str, other: str) -> None:
    history = History(seed)
    with Store.open(other, embedder=Words()) as never:
        history.run(never, with_victim=False)
        expected, kept = answers(never), vectors(never)
    with Store.open(target, embedder=Words()) as store:
        history.run(store, with_victim=True)
        store.verify("Nobody has said this.")
        assert_filters_are_of_versions(store, are_all=True)
        assert {word for _, word in traces(store)} == set(OWN)
        citations = [each.id for each in store.citations(VICTIM)]
        n_versions = len(store.versions(VICTIM))
        keeps = bool(seed % 2)
        found = store.erase(VICTIM, keep_citations=keeps)
        assert (found.n_documents, found.n_versions) == (1, n_versions)
        assert found.n_citations == len(citations) > 0
        assert traces(store) == []
        assert_filters_are_of_versions(store)
        assert answers(store) == expected
        assert vectors(store) == kept
        for each in citations:
            if keeps:
                assert store.resolve(each).status == "erased"
                assert not any(word in repr(store.resolve(each)) for word in OWN)
                assert store.uncite(each)
            with pytest.raises(StoreError, match="no citation"):
                store.resolve(each)
        if "://" not in target:
            assert found.is_overwritten
            assert in_files(Path(target).parent) == []
        # It may come again, as one that was never there.
        (report,) = store.add(document(VICTIM, "Frau Zimmerblum is back."))
        assert (report.outcome, report.version) == ("new", 1)
        assert store.search("Zimmerblum", retriever=cw.Retriever())[0].document == VICTIM
        assert store.citations(VICTIM) == []


@pytest.mark.parametrize("seed", mostly_slow(range(8), quick=3))
def test_nothing_of_a_document_is_left(seed: int, target: str, tmp_path: Path) -> None:
    check(seed, target, str(tmp_path / "other.db"))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8, 120))
def test_nothing_of_any_document_is_left(seed: int, tmp_path: Path) -> None:
    check(seed, str(tmp_path / "kb.db"), str(tmp_path / "other.db"))


@pytest.fixture
def store(target: str) -> Iterator[Store]:
    with Store.open(target, embedder=Words()) as store:
        History(1).run(store, with_victim=True)
        store.verify("Nobody has said this.")
        yield store


def test_what_is_removed_and_pruned_leaves_nothing(store: Store, target: str) -> None:
    for each in store.citations(VICTIM):
        assert store.uncite(each)
        assert not store.uncite(each.id)
    store.remove(VICTIM)
    assert store.prune(keep=99).n_documents == 0
    found = store.prune()
    assert found.n_documents == 1
    assert traces(store) == []
    assert_filters_are_of_versions(store)
    if "://" not in target:
        assert in_files(Path(target).parent) == []
    assert store.versions(VICTIM) == []


def test_what_is_cited_is_not_pruned(store: Store) -> None:
    store.remove(VICTIM)
    assert store.prune().n_documents == 0
    assert all(store.resolve(each).status == "gone" for each in store.citations(VICTIM))


def test_several_are_erased_together(store: Store) -> None:
    uris = [each.uri for each in store.documents()]
    found = store.erase([*uris, "none.md", VICTIM])
    assert found.n_documents == len({*uris, VICTIM})
    assert store.documents() == []
    assert all(rows == [] for table, rows in held(store).items() if table.startswith("vectors"))
    assert asdict(store.erase(uris)) | {"is_overwritten": None} == {
        **dict.fromkeys(asdict(found), 0),
        "is_overwritten": None,
    }
    assert list(store.search("copper")) == []


def test_numbers_of_erased_documents_are_not_given_again(store: Store) -> None:
    """Or an index that another process holds would take the one for the other."""
    before = store.search("copper ledger of winter")
    for _ in range(3):
        store.add(document("last.md", "The first text of a document about copper."))
        assert "first" in store.search("first text", retriever=cw.Retriever())[0].text
        store.erase("last.md")
        store.add(document("last.md", "Another text of a document about copper."))
        hit = store.search("another text", retriever=cw.Retriever())[0]
        assert "Another text" in hit.text
        store.erase("last.md")
    assert store.search("copper ledger of winter") == before


@pytest.mark.parametrize("wrong", [b"a.md", 5, [5], None])
def test_what_is_no_address_is_refused(store: Store, wrong: Any) -> None:
    with pytest.raises(ConfigError, match="uri"):
        store.erase(wrong)


def test_a_store_for_reading_erases_nothing(store: Store, target: str) -> None:
    with Store.open(target, read_only=True) as reader:
        for act in (lambda: reader.erase(VICTIM), reader.prune, lambda: reader.uncite("x")):
            with pytest.raises(StoreError, match="reading only"):
                act()
    assert store.versions(VICTIM)


@pytest.mark.skipif(not postgres_server.is_there(), reason=postgres_server.NO_SERVER)
def test_a_server_keeps_nothing_in_its_tables(
    postgres: str, server: postgres_server.Server
) -> None:
    """Its log keeps more; pages are written anew by VACUUM FULL."""
    import psycopg

    with Store.open(postgres, embedder=Words()) as store:
        History(1).run(store, with_victim=True)
        store.erase(VICTIM)
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("VACUUM FULL")
        connection.execute("CHECKPOINT")
        row = connection.execute("SELECT oid FROM pg_database WHERE datname = current_database()")
        (oid,) = row.fetchone() or (0,)
    assert in_files(Path(server.folder) / "data" / "base" / str(oid)) == []
