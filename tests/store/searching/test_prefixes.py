"""Laws of hits: fewer are the first of more, and thresholds are on the scale of scores."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.retrieval import Retriever
from tests.support.mostly_slow import mostly_slow
from tests.support.stores import Words, with_lines
from tests.support.texts import WORDS

EMBEDDER = Words()
KS = (1, 2, 3, 5, 8, 13, 21, 40)


def reranker(question: str, texts: list[str]) -> list[float]:
    """Return scores that have nothing to do with those of the search."""
    return [float(sum(map(ord, text)) % 17) - 8 + len(question) % 3 for text in texts]


def made(folder: Path, seed: int) -> cw.Store:
    """Return a store of some documents, of which some say nearly the same."""
    chance = random.Random(seed)
    store = cw.Store.open(folder / f"{seed}.db", embedder=EMBEDDER)
    documents: list[str] = []
    for number in range(chance.randrange(3, 60)):
        n = chance.randrange(4, 60)
        text = " ".join(chance.choice(WORDS) for _ in range(n)) + "."
        if documents and chance.random() < 0.3:
            text = chance.choice(documents).replace("mill", "mills", 1)
        documents.append(text)
        document = cw.Document(text=text, name=f"{chance.choice('ab')}{number}")
        n_lines = chance.choice([0, 0, 1, 3])
        lines = [" ".join(chance.choices(WORDS, k=chance.randrange(1, 4))) for _ in range(n_lines)]
        store.add([with_lines(document, [("page header", line, 1) for line in lines])])
    if chance.random() < 0.5:
        store.link_duplicates(0.5)
    return store


def options_of(chance: random.Random) -> dict[str, Any]:
    """Return options of a search."""
    retriever = chance.choice(
        [
            Retriever(),
            Retriever(embedder=EMBEDDER),
            Retriever(reranker=reranker),
            Retriever(embedder=EMBEDDER, reranker=reranker, fusion=chance.choice(["sum", "rank"])),
            Retriever(embedder=EMBEDDER, words=False),
        ]
    )
    is_reranked = retriever.reranker is not None
    return {
        "retriever": retriever,
        "floor": chance.choice([None, 0.05, 1.0 if is_reranked else 0.2]),
        "gate": chance.choice([None, 5.0 if is_reranked else 0.5, 99.0]),
        "where": chance.choice([None, {"documents": "a*"}]),
        "skip_duplicates": chance.random() < 0.7,
    }


def check(folder: Path, seed: int) -> None:
    """Check the laws for one store."""
    chance = random.Random(-seed)
    with made(folder, seed) as store:
        for _ in range(6):
            question = " ".join(chance.choices(WORDS, k=chance.randrange(1, 5)))
            options = options_of(chance)
            found = {k: store.search(question, k=k, **options) for k in KS}
            most = [(hit.block or hit.text, hit.score) for hit in found[40]]
            for k in KS:
                own = [(hit.block or hit.text, hit.score) for hit in found[k]]
                assert own == most[:k], (seed, question, options, k)
            floor = options["floor"]
            assert floor is None or all(score >= floor for _, score in most), (seed, options)
            assert [score for _, score in most] == sorted((s for _, s in most), reverse=True)
            if options["gate"] is None and not options["skip_duplicates"]:
                free = store.search(question, k=40, **{**options, "floor": None})
                over = [hit.block for hit in free if floor is None or hit.score >= floor]
                blocks = [hit.block for hit in found[40] if hit.block]
                assert blocks == [block for block in over if block], (seed, question, options)


@pytest.mark.parametrize("seed", mostly_slow(range(8), quick=2))
def test_fewer_hits_are_the_first_of_more(tmp_path: Path, seed: int) -> None:
    check(tmp_path, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 170))
def test_fewer_hits_are_the_first_of_more_in_many_stores(tmp_path: Path, seed: int) -> None:
    check(tmp_path, seed)


@pytest.mark.parametrize(
    "retriever", [Retriever(), Retriever(embedder=EMBEDDER), Retriever(reranker=reranker)]
)
def test_fewer_hits_are_the_first_of_more_in_memory(retriever: Retriever) -> None:
    chance = random.Random(3)
    texts = [" ".join(chance.choices(WORDS, k=9)) for _ in range(90)]
    index = retriever.index(texts, doc_ids=[i // 5 for i in range(90)])
    for question in WORDS:
        most = list(index.search(question, k=40)[0])
        for k in KS:
            assert list(index.search(question, k=k)[0]) == most[:k]


def test_thresholds_are_compared_with_the_score_of_the_reranker(tmp_path: Path) -> None:
    texts = {"a": "rain falls on the mill", "b": "rain", "c": "the mill is old"}
    store = cw.Store.open(tmp_path / "kb.db")
    store.add([cw.Document(text=text, id=name) for name, text in texts.items()])
    old = Retriever(reranker=lambda _, texts: [10.0 if "old" in text else -3.0 for text in texts])
    for floor, wanted in ((None, "cab"), (0.3, "c"), (9, "c"), (-3, "cab"), (10.5, "")):
        found = store.search("rain mill", k=3, retriever=old, floor=floor)
        assert "".join(hit.document for hit in found) == wanted, floor
        assert all(hit.score in {10.0, -3.0} for hit in found)


def test_calibration_is_of_the_retriever_with_its_reranker(tmp_path: Path) -> None:
    store = cw.Store.open(tmp_path / "kb.db")
    texts = {"a": "The mill has four wheels.", "b": "The lake is deep.", "c": "Bread is baked."}
    store.add([cw.Document(text=text, id=name) for name, text in texts.items()])
    by_length = Retriever(reranker=lambda _, texts: [100.0 + len(text) for text in texts])
    picked = store.calibrate({"How many wheels has the mill?": "four wheels"}, retriever=by_length)
    assert picked.floor > 100
    (hit, *_) = store.search("wheels of the mill", retriever=by_length)
    assert hit.document == "a"
    # What was picked with the reranker says nothing of searches without it.
    assert store.search("wheels of the mill", retriever=Retriever())


def test_a_reranker_is_given_as_many_whatever_is_asked_for(tmp_path: Path) -> None:
    store = cw.Store.open(tmp_path / "kb.db")
    store.add([cw.Document(text=f"rain {WORDS[i % 15]} {i}", id=f"{i}") for i in range(80)])
    given: list[int] = []

    def counting(_: str, texts: list[str]) -> list[float]:
        given.append(len(texts))
        return [0.0] * len(texts)

    for k in KS:
        store.search("rain", k=k, retriever=Retriever(reranker=counting, candidates=40))
    assert set(given) == {40}


@pytest.mark.parametrize("words", [True, False])
def test_an_empty_store_finds_nothing(tmp_path: Path, *, words: bool) -> None:
    store = cw.Store.open(tmp_path / "kb.db", embedder=EMBEDDER)
    assert store.search("hello", retriever=Retriever(embedder=EMBEDDER, words=words)) == []
    assert list(Retriever(embedder=EMBEDDER, words=words).index([]).search("hello", k=3)[0]) == []
