"""An index of stored parts: the scores of one in memory, texts read for hits alone, filters."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import chunkwright as cw
from chunkwright import ConfigError, _core
from chunkwright.retrieval import Index, Retriever
from chunkwright.retrieval.indexed_chunks import IndexedChunks
from chunkwright.retrieval.steps.bm25 import Bm25Index
from chunkwright.retrieval.steps.neighbours import REACH
from chunkwright.retrieval.steps.top_k import groups_of
from chunkwright.retrieval.vectors import StoredRows, Vectors
from tests.support.toy_embedders import dice

TEXTS = [
    "The reactor was built in 1956. Nobody remembers why.",
    "It was shut down for good in 2003. Then it was forgotten.",
    "Since then the site has been a park.",
    "Cats sleep all day.",
    "Engines hum. Dogs bark at engines, and cats at dogs.",
    "Cats sleep all day.",
    "The park has a reactor of its own, for cats.",
]
DOC_IDS = [0, 0, 0, 1, 1, 1, 2]
SIZES = np.array([12, 14, 9, 5, 12, 5, 11])
QUESTIONS = ["When was the reactor shut down?", "Do cats sleep in the park?", "engines"]
OPTIONS: list[dict[str, Any]] = [
    {},
    {"neighbour_smoothing": False, "skip_duplicate_text": False},
    {"embedder": dice},
    {"embedder": dice, "words": False},
    {"embedder": dice, "fusion": "rank"},
    {"embedder": dice, "neighbour_smoothing": False, "trim": 0.5},
]


@dataclass(frozen=True)
class Stored:
    """A chunk that was read."""

    text: str

    @property
    def contextual_text(self) -> str:
        """Return the text: there is no context."""
        return self.text

    @property
    def chunk(self) -> None:
        """Return None: no strategy cut it."""


@dataclass
class Store:
    """Chunks that are read one by one, and counted."""

    texts: list[str]
    read: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, row: int, /) -> Stored:
        self.read.append(row)
        return Stored(self.texts[row])

    def contextual_texts(self) -> list[str]:
        """Return all texts."""
        self.read.extend(range(len(self.texts)))
        return list(self.texts)


def in_memory(options: dict[str, Any]) -> Index:
    """Return the usual index."""
    return Retriever(**options).index(TEXTS, doc_ids=DOC_IDS, n_tokens=SIZES)


def stored(options: dict[str, Any]) -> tuple[Index, Store]:
    """Return the index of parts, and what its texts are read from."""
    retriever, store = Retriever(**options), Store(TEXTS)
    smoothing = retriever.neighbour_smoothing
    given = IndexedChunks(store, np.array(DOC_IDS) if smoothing else None, SIZES)
    neighbours = given.neighbours(REACH)
    segments = [
        _core.Bm25Segment.of_bytes(_core.Bm25Segment(part, subwords="prefix").to_bytes())
        for part in (TEXTS[:3], TEXTS[3:])
    ]
    words = Bm25Index.of_segments(segments, neighbours=neighbours, neighbour_smoothing=smoothing)
    vectors = None
    if retriever.embedder is not None:
        # Equal texts share a slot.
        slots = {text: slot for slot, text in enumerate(dict.fromkeys(TEXTS))}
        table = np.asarray(dice(list(slots)), np.float32)
        block = _core.HalfBlock(_core.to_halves(table.data), table.shape[1])
        numbers = np.array([slots[text] for text in TEXTS])
        rows = StoredRows(
            [block],
            table.shape[1],
            numbers,
            neighbours=neighbours,
            neighbour_smoothing=float(smoothing),
        )
        vectors = Vectors(retriever.embedder, rows)
    index = Index.of_parts(
        retriever,
        given,
        words=words if retriever.words else None,
        vectors=vectors,
        groups=groups_of(TEXTS) if retriever.skip_duplicate_text else None,
    )
    return index, store


@pytest.mark.parametrize("options", OPTIONS)
def test_it_finds_what_an_index_in_memory_finds(options: dict[str, Any]) -> None:
    index, _ = stored(options)
    usual = in_memory(options)
    assert len(index) == len(usual)
    assert repr(index) == repr(usual)
    # Half floats have eleven bits; words are the same to the last bit.
    np.testing.assert_allclose(index.scores(QUESTIONS), usual.scores(QUESTIONS), atol=2e-3)
    if "embedder" not in options:
        assert index.scores(QUESTIONS).tobytes() == usual.scores(QUESTIONS).tobytes()
    for one, other in (
        (index.search(QUESTIONS, 4), usual.search(QUESTIONS, 4)),
        (index.search(QUESTIONS, max_tokens=30), usual.search(QUESTIONS, max_tokens=30)),
    ):
        assert one.indices.tolist() == other.indices.tolist()
        assert one.texts() == other.texts()


def test_texts_are_read_for_hits_alone() -> None:
    index, store = stored({"embedder": dice})
    hits = index.search(QUESTIONS[0], 2)
    assert not store.read
    first, second = hits[0]
    assert store.read == [first.index, second.index]
    assert first.text == TEXTS[first.index]
    assert first.chunk == Stored(first.text)


def test_a_reranker_is_given_the_texts_of_candidates() -> None:
    seen: list[str] = []

    def longest(_: str, texts: list[str]) -> list[float]:
        seen.extend(texts)
        return [float(len(text)) for text in texts]

    index, _ = stored({"reranker": longest, "candidates": 3})
    (hits,) = index.search("cats", k=1)
    assert len(seen) == 3
    assert hits[0].text == max(seen, key=len)


def test_a_store_keeps_its_index_itself(tmp_path: Path) -> None:
    for options in ({}, {"embedder": dice}):
        index, _ = stored(options)
        with pytest.raises(ConfigError, match="is of a store"):
            index.save(tmp_path / "x.index")
        with pytest.raises(ConfigError, match="is of a store"):
            pickle.dumps(index)


@pytest.mark.parametrize("of_store", [False, True])
@pytest.mark.parametrize("options", OPTIONS)
def test_a_filter_is_that_of_all_scores(options: dict[str, Any], of_store: bool) -> None:
    index = stored(options)[0] if of_store else in_memory(options)
    all_scores = index.scores(QUESTIONS)
    is_distinct = options.get("skip_duplicate_text", True)
    for mask in range(1, 2 ** len(TEXTS), 5):
        rows = [row for row in range(len(TEXTS)) if mask >> row & 1]
        hits = index.search(QUESTIONS, 3, rows=rows)
        for found, scores in zip(hits, all_scores, strict=True):
            order = sorted(rows, key=lambda row: (-scores[row], row))
            if "embedder" not in options:
                order = [row for row in order if scores[row] > 0]
            if is_distinct:
                order = list({TEXTS[row]: row for row in reversed(order)}.values())
                order.sort(key=lambda row: (-scores[row], row))
            assert [hit.index for hit in found] == order[:3]
            assert [hit.score for hit in found] == [float(scores[row]) for row in order[:3]]


def test_a_filter_holds_for_budgets_and_empty_ones_find_nothing() -> None:
    index = in_memory({})
    (hits,) = index.search("cats", max_tokens=10**6, rows=np.array([0, 3, 6]))
    assert [hit.index for hit in hits] == [3, 6]
    for found in (index.search(QUESTIONS, 3, rows=[]), index.search("cats", max_chars=9, rows=[])):
        assert not found.indices.size


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([3, 1], "rows must ascend, got 1 at place 1"),
        ([1, 1], "rows must ascend, got 1 at place 1"),
        ([0, 7], "rows must be from 0 to below 7, got 7 at place 1"),
        ([-1], "rows must be from 0 to below 7, got -1 at place 0"),
        ([0.5], "rows must be numbers of chunks, got an array of shape"),
        ([[1]], "rows must be numbers of chunks, got an array of shape"),
        ([True], "rows must be numbers of chunks, got an array of shape"),
        ([[1], [1, 2]], "rows must be numbers of chunks: "),
        (3, "rows must be numbers of chunks, got an array of shape"),
    ],
)
def test_filters_are_checked(rows: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        in_memory({}).search("cats", 1, rows=rows)


@pytest.mark.parametrize("options", OPTIONS[:4])
def test_reasons_add_up(options: dict[str, Any]) -> None:
    for index in (stored(options)[0], in_memory(options)):
        scores = index.scores(QUESTIONS[0])[0]
        words, vectors = index.explain(QUESTIONS[0], [1, 2, 5])
        assert index.explain(index.questions(QUESTIONS[0]), [1]).words.tolist() == [words[0]]
        expected = scores[[1, 2, 5]]
        if "embedder" not in options:
            assert not vectors.any()
            bound = Bm25Index.of_segments([_core.Bm25Segment(TEXTS, subwords="prefix")])
            expected = expected / bound.bounds(QUESTIONS[0])[0]
            np.testing.assert_allclose(words, expected, rtol=1e-6)
        else:
            weight = 1.5 if options.get("words", True) else 0
            assert words.any() == bool(weight)
            np.testing.assert_allclose(weight * words + vectors, expected, rtol=1e-6)
    with pytest.raises(ConfigError, match="question must be one, got 3"):
        index.explain(index.questions(QUESTIONS), [1])


def test_texts_beside_the_chunks_are_compared_with_a_question() -> None:
    index = in_memory({})
    shares = index.word_shares("When was the reactor shut down?", ["the reactor shut down", "cats"])
    assert 0.3 < shares[0] <= 1
    assert not shares[1]
    assert index.word_shares("nothing known", ["nothing"]).tolist() == [0]
    assert in_memory(OPTIONS[3]).word_shares("cats", ["cats"]).tolist() == [0]
    with pytest.raises(ConfigError, match="texts"):
        index.word_shares("cats", [3])  # type: ignore[list-item]


def test_chunks_may_be_filtered_by_what_they_are() -> None:
    chunks = cw.Sentence(max_tokens=20, sentences=1).batch(TEXTS)
    index = Retriever().index(chunks)
    rows = np.flatnonzero(np.asarray(chunks.doc_index) == 4)
    (hits,) = index.search("cats and the reactor", 9, rows=rows)
    assert {hit.chunk.doc_index for hit in hits if hit.chunk} == {4}
