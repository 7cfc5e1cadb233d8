"""A retriever is its steps, one after another."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.errors import ConfigError, ModelError
from chunkwright.retrieval import (
    Hit,
    Retriever,
    bm25,
    cosine,
    fuse,
    scoring,
    smooth,
    standardise,
    top_k,
)
from tests.support.toy_embedders import dice, zeros

TEXTS = [
    "The reactor was built in 1956.",
    "It was shut down for good in 2003.",
    "Since then the site has been a park.",
    "Cats sleep all day.",
    "Engines hum.",
    "Engines hum.",
]
DOC_IDS = ["reactor"] * 3 + ["rest"] * 3
SIZES = [9, 10, 9, 5, 4, 4]
WORDS = st.lists(st.sampled_from(["cat", "dog", "engine", "hum", "é", "\ud800", "."]), max_size=5)


def lines(text: Any) -> Any:
    return text.map(" ".join)


def numbers(hits: Any) -> list[list[int]]:
    return [[hit.index for hit in found] for found in hits]


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({}, "words, smoothed"),
        ({"neighbour_smoothing": False}, "words"),
        ({"embedder": dice}, "vectors + words, smoothed"),
        ({"neighbour_smoothing": 0.5}, "words, smoothed"),
        ({"neighbour_smoothing": 0.3}, "words, smoothed by 0.3"),
        ({"neighbour_smoothing": 0}, "words"),
        ({"neighbour_reach": 600}, "words, smoothed over 600 tokens"),
        ({"neighbour_reach": 600, "neighbour_smoothing": 0}, "words"),
        ({"subwords": "prefix"}, "words, smoothed"),
        ({"subwords": None}, "words, no subwords, smoothed"),
        ({"embedder": dice, "subwords": "4-grams"}, "vectors + words, 4-grams, smoothed"),
        ({"embedder": dice, "words": False, "subwords": None}, "vectors, smoothed"),
        ({"embedder": dice, "fusion": "rank"}, "vectors + words, by rank, smoothed"),
        ({"embedder": dice, "words": False, "fusion": "rank"}, "vectors, smoothed"),
        ({"embedder": dice, "words": False, "neighbour_smoothing": False}, "vectors"),
    ],
)
def test_its_name_says_what_it_does(options: Any, name: str) -> None:
    assert Retriever(**options).name == name
    assert repr(Retriever(**options).index(TEXTS)) == f"<Index of 6 chunks by {name}>"


def test_the_reports_way_is_vectors_and_nothing_else() -> None:
    dense = Retriever.dense(dice)
    assert dense.name == "vectors"
    found = dense.index(TEXTS, doc_ids=DOC_IDS)
    scores = cosine(dice(TEXTS), dice(["Where?", "Why?"]))
    assert np.array_equal(found.scores(["Where?", "Why?"]), scores)
    assert found.search(["Where?", "Why?"], 4) == top_k(scores, 4)


@given(lines(WORDS) | st.lists(lines(WORDS), max_size=4), st.integers(1, 9), st.booleans())
def test_all_of_it_is_its_steps(queries: Any, k: int, is_skipping: bool) -> None:
    questions = [queries] if isinstance(queries, str) else queries
    options: dict[str, Any] = {"n_tokens": SIZES, "doc_ids": DOC_IDS}
    retriever = Retriever(embedder=dice, word_weight=0.7, skip_duplicate_text=is_skipping)
    made = retriever.index(TEXTS, **options)
    words = bm25(TEXTS, **options)
    repaired = [
        text.encode("utf-8", "replace").decode().replace("?", "\ufffd") for text in questions
    ]
    by_vectors = cosine(smooth(dice(TEXTS), **options), dice(repaired).reshape(-1, 8))
    scores = fuse(
        standardise(by_vectors),
        words.scores(questions),
        word_weight=0.7,
        scale=words.bounds(questions),
    )
    assert np.array_equal(made.scores(queries), scores)
    texts = TEXTS if is_skipping else None
    assert made.search(queries, k) == top_k(scores, k, texts=texts)


@given(st.lists(lines(WORDS), max_size=6), st.lists(lines(WORDS), max_size=3), st.integers(1, 9))
def test_by_words_alone_hits_have_a_word(texts: list[str], queries: list[str], k: int) -> None:
    plain = Retriever(neighbour_smoothing=False, skip_duplicate_text=False).index(texts)
    scores = plain.scores(queries)
    assert scores.shape == (len(queries), len(texts))
    best = plain.search(queries, k)
    assert best == top_k(scores, k).over(0.0)
    assert best == bm25(texts).search(queries, k)
    for query, hits in zip(queries, best, strict=True):
        assert all(set(query.split()) & set(texts[hit.index].split()) for hit in hits)


def test_neighbours_lend_their_words() -> None:
    smoothed = Retriever().index(TEXTS, doc_ids=DOC_IDS, n_tokens=SIZES)
    assert numbers(smoothed.search("When was the reactor shut down for good?", 9)) == [[1, 0, 2]]
    found = numbers(smoothed.search("reactor", 9))
    assert found[0][0] == 0
    assert sorted(found[0]) == [0, 1, 2]
    alone = Retriever(neighbour_smoothing=False).index(TEXTS)
    assert numbers(alone.search("reactor", 9)) == [[0]]


def test_neighbours_count_as_much_as_is_said() -> None:
    queries = ["a reactor in a park", "engines"]
    options: dict[str, Any] = {"doc_ids": DOC_IDS, "n_tokens": SIZES}

    def scores(*, smoothing: float) -> Any:
        retriever = Retriever(embedder=dice, neighbour_smoothing=smoothing)
        return retriever.index(TEXTS, **options).scores(queries)

    assert np.array_equal(scores(smoothing=True), scores(smoothing=0.5))
    assert np.array_equal(scores(smoothing=False), scores(smoothing=0))
    words = bm25(TEXTS, neighbour_smoothing=0.3, **options)
    by_vectors = cosine(smooth(dice(TEXTS), neighbour_smoothing=0.3, **options), dice(queries))
    expected = fuse(standardise(by_vectors), words.scores(queries), scale=words.bounds(queries))
    assert np.array_equal(scores(smoothing=0.3), expected)


def test_texts_that_are_equal_are_found_once() -> None:
    assert numbers(Retriever(neighbour_smoothing=False).index(TEXTS).search("engines", 9)) == [[4]]
    keeps = Retriever(neighbour_smoothing=False, skip_duplicate_text=False)
    assert numbers(keeps.index(TEXTS).search("engines", 9)) == [[4, 5]]
    dense = Retriever(embedder=dice, words=False, neighbour_smoothing=False)
    assert len(dense.index(TEXTS).search("engines", 9)[0]) == 5


def test_chunks_know_their_documents_and_sizes() -> None:
    chunks = cw.Sentence(max_tokens=20, sentences=1).batch(
        [" ".join(TEXTS[:3]), " ".join(TEXTS[3:])]
    )
    assert chunks.texts() == TEXTS
    queries = ["a reactor in a park", "engines"]
    of_chunks = Retriever(embedder=dice).index(chunks)
    by_hand = Retriever(embedder=dice).index(
        TEXTS, doc_ids=chunks.doc_index, n_tokens=chunks.n_tokens
    )
    assert np.array_equal(of_chunks.scores(queries), by_hand.scores(queries))
    one_document = Retriever(embedder=dice).index(chunks, doc_ids=[0] * 6)
    assert np.array_equal(
        Retriever(embedder=dice).index(TEXTS).scores(queries), one_document.scores(queries)
    )
    assert not np.array_equal(of_chunks.scores(queries), one_document.scores(queries))


def test_sizes_that_nobody_gave_are_counted() -> None:
    long = ["word " * 400, "reactor " * 400]
    assert numbers(Retriever().index(long).search("reactor", 9)) == [[1]]
    told = Retriever().index(long, n_tokens=[10, 10])
    assert numbers(told.search("reactor", 9)) == [[1, 0]]


def test_the_order_of_documents_does_not_matter() -> None:
    queries = ["When was the reactor shut down?", "engines in a park"]
    scores = Retriever(embedder=dice).index(TEXTS, doc_ids=DOC_IDS).scores(queries)
    moved = Retriever(embedder=dice).index(TEXTS[3:] + TEXTS[:3], doc_ids=DOC_IDS)
    np.testing.assert_allclose(np.roll(moved.scores(queries), 3, axis=1), scores, rtol=1e-5)


@pytest.mark.parametrize("options", [{}, {"embedder": dice}, {"embedder": dice, "fusion": "rank"}])
def test_blocks_of_questions_change_nothing(options: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    queries = [f"{text} {i}" for i, text in enumerate(TEXTS)]
    made = Retriever(**options).index(TEXTS, doc_ids=DOC_IDS)
    hits, scores = made.search(queries, 3), made.scores(queries)
    for n_bytes in (1, 150):
        monkeypatch.setattr(scoring, "SCORES_BYTES", n_bytes)
        assert made.search(queries, 3) == hits
        assert np.array_equal(made.scores(queries), scores)


@pytest.mark.parametrize("options", [{}, {"embedder": dice}, {"embedder": dice, "words": False}])
def test_nothing_is_found_where_nothing_is(options: Any) -> None:
    retriever = Retriever(**options)
    empty = retriever.index([])
    assert len(empty) == 0
    assert list(empty.search(["a", "b"], 3)) == [[], []]
    assert empty.scores("a").shape == (1, 0)
    some = retriever.index(TEXTS)
    assert list(some.search([], 3)) == []
    assert some.scores([]).shape == (0, 6)


def test_all_questions_are_embedded_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def embed(texts: list[str]) -> Any:
        asked.append(texts)
        return dice(texts)

    monkeypatch.setattr(scoring, "SCORES_BYTES", 1)
    Retriever(embedder=embed).index(TEXTS).search(["a", "b", "c"], 2)
    assert asked == [TEXTS, ["a", "b", "c"]]


def test_vectors_without_a_direction_leave_it_to_words() -> None:
    found = Retriever(embedder=zeros, neighbour_smoothing=False).index(TEXTS)
    score = float(found.scores("cats")[0, 3])
    assert found.search("cats", 1)[0] == [Hit(3, score, text=TEXTS[3])]
    assert not found.scores("nobody knows")[0].any()


def test_an_embedder_that_fails_is_a_model_error() -> None:
    def other(texts: list[str]) -> Any:
        return np.ones((len(texts), len(texts[0])))

    with pytest.raises(
        ModelError, match="gave vectors of 3 dimensions for questions, 5 for chunks"
    ):
        Retriever(embedder=other).index(["texts"]).search("why", 1)
    with pytest.raises(ModelError, match="the embedder gave nan as value 0 of row 0"):
        Retriever(embedder=lambda texts: [[float("nan")]] * len(texts)).index(["a"])
    with pytest.raises(ModelError, match="1 vector for 2 texts"):
        Retriever(embedder=lambda _: [[1.0]]).index(["a", "b"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"words": False}, "words=False needs an embedder"),
        ({"words": 1}, "words must be True or False, got 1"),
        ({"neighbour_smoothing": -1}, "neighbour_smoothing must be between 0 and .* got -1"),
        ({"neighbour_smoothing": None}, "neighbour_smoothing must be a number, got None"),
        ({"skip_duplicate_text": None}, "skip_duplicate_text must be True or False, got None"),
        ({"k1": -1}, "k1 must be between 0 and .* got -1"),
        ({"k1": 10**400}, "k1 must be finite, got 1000"),
        ({"neighbour_smoothing": 1e7}, "neighbour_smoothing must be .* got 10000000"),
        ({"b": 1.5}, "b must be between 0 and 1, got 1.5"),
        ({"word_weight": "1"}, "word_weight must be a number, got '1'"),
        ({"fusion": "max"}, "unknown fusion 'max': known are 'sum', 'rank'"),
        ({"embedder": "lexicon"}, "unknown embedder 'lexicon'"),
        ({"embedder": 5}, "5 is no embedder"),
    ],
)
def test_options_are_checked(options: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Retriever(**options)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda made: made.index("text"), "texts must be a list of str, got str"),
        (lambda made: made.index([1]), r"texts\[0\] must be a str, got int"),
        (lambda made: made.index(["a"], doc_ids=[]), "1 chunks need as many doc_ids, got 0"),
        (lambda made: made.index(["a"], n_tokens=[]), "n_tokens must be 1 numbers"),
        (lambda made: made.index(["a"]).search(5, 1), "queries must be a str or a list of str"),
        (lambda made: made.index(["a"]).search([5], 1), "queries must be a str or a list of str"),
        (lambda made: made.index(["a"]).search("a", 0), "k must be at least 1, got 0"),
    ],
)
def test_what_it_is_given_is_checked(call: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        call(Retriever())


def test_it_is_a_value() -> None:
    retriever = Retriever(embedder=dice, word_weight=2)
    assert retriever == Retriever(embedder=dice, word_weight=2)
    assert retriever != Retriever(embedder=dice)
    assert len({retriever, Retriever(embedder=dice, word_weight=2)}) == 1
    assert pickle.loads(pickle.dumps(retriever)) == retriever


def test_it_is_imported_late_and_is_light() -> None:
    code = """
import sys, chunkwright
assert "chunkwright.retrieval" not in sys.modules
import chunkwright.retrieval
assert chunkwright.Retriever is chunkwright.retrieval.Retriever
assert "numpy" not in sys.modules
"""
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert shown.stderr == ""
