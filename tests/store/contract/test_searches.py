"""Searches of stores: the same hits in each of the databases, with an index and without."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.retrieval import Retriever
from chunkwright.store.database import postgres_vectors
from chunkwright.store.searching.found import Found, Results
from chunkwright.store.store import Store
from chunkwright.tokens.tokenizer import as_tokenizer
from tests.support.stores import Words, documents

N_DOCUMENTS = 24
EMBEDDER = Words()
QUESTIONS = [
    "Where is the ledger of the harbour?",
    "copper signal garden",
    "Which quota was revised in winter?",
    "Größe",
    "engine winter winter winter",
    "What was added of version 1?",
    "Something of which no document says a word.",
]
ASKED: list[dict[str, Any]] = [
    {},
    {"k": 3, "where": {"documents": ["report-1.md", "report-2*"]}},
    {"k": 8, "where": {"metadata": {"team": "red"}, "types": "heading_para"}},
    {"k": 8, "where": {"metadata": {"share": 0.25}}},
    {"k": 4, "floor": 0.1, "gate": 0.9},
    {"k": 4, "expand": "section"},
    {"max_tokens": 120},
    {"k": 2, "max_tokens": 200, "expand": "neighbours"},
    {"k": 6, "retriever": Retriever(words=False, embedder=EMBEDDER)},
    {"k": 6, "retriever": Retriever(subwords=None)},
    {"k": 6, "skip_duplicates": False},
]


def tags(uri: str) -> dict[str, str | float]:
    return {"team": "red" if uri < "report-2" else "blue", "share": 0.25 * (len(uri) % 2)}


def filled(store: Store) -> Store:
    for version in (0, 1):
        store.add(documents(N_DOCUMENTS, version), metadata=tags)
    block = store.search("copper signal garden", 1)[0].block
    store.edit(block, "Written by hand: copper signal garden of the harbour.")
    store.remove("report-7.md")
    return store


@pytest.fixture(scope="module")
def sqlite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    path = tmp_path_factory.mktemp("searched") / "kb.db"
    with Store.open(path, embedder=EMBEDDER) as store:
        yield filled(store)


@pytest.fixture(scope="module")
def postgres_store(_shared_database: str) -> Iterator[Store]:
    with Store.open(f"{_shared_database}&schema=searched", embedder=EMBEDDER) as store:
        yield filled(store)


def without_scores(hits: Results) -> list[Found]:
    def rounded(hit: Found) -> Found:
        return replace(hit, score=0.0, why=replace(hit.why, words=None, vectors=None))

    return [rounded(hit) for hit in hits]


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: "-".join(asked) or "plain")
def test_hits_are_the_same(sqlite: Store, postgres_store: Store, asked: dict[str, Any]) -> None:
    n_hits = 0
    for question in QUESTIONS:
        mine, others = sqlite.search(question, **asked), postgres_store.search(question, **asked)
        assert without_scores(mine) == without_scores(others)
        assert [hit.score for hit in mine] == pytest.approx([hit.score for hit in others], abs=1e-3)
        assert mine.is_complete == others.is_complete
        n_hits += len(mine)
    assert n_hits > len(QUESTIONS)


def test_a_store_for_reading_is_searched(target: str) -> None:
    with Store.open(target, embedder=EMBEDDER) as store:
        store.add(documents(3, 0))
        wanted = store.search(QUESTIONS[0])
        with Store.open(target, embedder=EMBEDDER, read_only=True) as reader:
            assert reader.search(QUESTIONS[0]) == wanted
            # What was written since is found, too.
            store.add(documents(3, 1))
            assert reader.search(QUESTIONS[5]) == store.search(QUESTIONS[5])
            assert reader.search(QUESTIONS[0]) != wanted


def test_hits_are_those_of_a_retriever_in_memory(target: str) -> None:
    strategy = cw.Sentence(max_tokens=40)
    texts = documents(N_DOCUMENTS, 1)
    index = Retriever(embedder=EMBEDDER).index(strategy.batch(texts))
    with Store.open(target, embedder=EMBEDDER) as store:
        store.add(texts, strategy=strategy)
        for question in QUESTIONS:
            expected = index.search(question, 10)[0]
            found = store.search(question, 10, skip_duplicates=False)
            scores = [hit.score for hit in expected]
            assert [hit.score for hit in found] == pytest.approx(scores, abs=2e-3)


def test_an_index_of_vectors_finds_the_same(
    tmp_path: Path, schema_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_vectors, "MOST_WITHOUT_INDEX", 40)
    with (
        Store.open(tmp_path / "kb.db", embedder=EMBEDDER) as exact,
        Store.open(schema_address, embedder=EMBEDDER) as indexed,
    ):
        for store in (exact, indexed):
            filled(store)
        with indexed._database.reading() as session:
            assert indexed._database.vectors.has_index(session, 1)
        for asked in ({"k": 5}, {"k": 5, "where": {"metadata": {"team": "red"}}}):
            for question in QUESTIONS:
                wanted, found = exact.search(question, **asked), indexed.search(question, **asked)
                assert [hit.block for hit in found] == [hit.block for hit in wanted]
                scores = [hit.score for hit in wanted]
                assert [hit.score for hit in found] == pytest.approx(scores, abs=1e-3)


@pytest.mark.parametrize("max_tokens", [20, 80, 320])
def test_a_number_and_a_budget_hold_together(sqlite: Store, max_tokens: int) -> None:
    for question in QUESTIONS[:5]:
        filled = sqlite.search(question, max_tokens=max_tokens)
        for k in (1, 3, 40):
            assert sqlite.search(question, k, max_tokens=max_tokens) == filled[:k]


@pytest.mark.parametrize("max_tokens", [80, 160, 320])
@pytest.mark.parametrize("k", [None, 3])
def test_expanded_hits_keep_their_budget(sqlite: Store, k: int | None, max_tokens: int) -> None:
    tokenizer = as_tokenizer("cl100k_base")
    for question in QUESTIONS[:5]:
        plain = sqlite.search(question, k or 5)
        wide = sqlite.search(question, k, max_tokens=max_tokens, expand="neighbours")
        assert wide
        assert len(wide) <= (k or 5)
        assert sum(tokenizer.count(hit.text) for hit in wide) <= max_tokens
        assert [hit.block for hit in wide] == [hit.block for hit in plain[: len(wide)]]
        assert all(hit.text in more.text for hit, more in zip(plain, wide, strict=False))
