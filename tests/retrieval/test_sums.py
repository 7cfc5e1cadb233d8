"""Sums of words and vectors: what a model's scale, and the questions beside one, do not change."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError, ModelError
from chunkwright.retrieval import Index, Retriever, cosine, fuse, smooth, standardise
from tests.support.texts import WORDS

if TYPE_CHECKING:
    from numpy.typing import NDArray


def texts_of(n: int, seed: int) -> list[str]:
    """Return texts of some words each."""
    chance = random.Random(seed)
    return [" ".join(chance.choices(WORDS, k=chance.randrange(3, 12))) for _ in range(n)]


class Model:
    """Counts of words in random directions, and a number that all vectors have in common."""

    def __init__(self, constant: float) -> None:
        self.fingerprint = f"model {constant}"
        self._constant = constant
        self._rows = np.random.default_rng(5).normal(size=(len(WORDS), 24))

    def embed(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return a vector for each text."""
        rows = np.array([sum(self._rows[WORDS.index(w)] for w in text.split()) for text in texts])
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return np.hstack([rows, np.full((len(texts), 1), self._constant)])


def test_a_model_whose_cosines_are_all_alike_finds_the_same() -> None:
    texts = texts_of(900, 1)
    questions = texts_of(40, 2)
    wide, narrow = (
        Retriever(embedder=Model(constant), neighbour_smoothing=False).index(texts)
        for constant in (0.0, 2.0)
    )
    same = [
        len({hit.index for hit in one[:5]} & {hit.index for hit in other[:5]})
        for one, other in zip(
            wide.search(questions, k=5), narrow.search(questions, k=5), strict=True
        )
    ]
    assert sum(same) >= 0.97 * 5 * len(questions)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 513, 1500])
def test_scores_of_some_rows_are_those_among_all(n: int) -> None:
    index = Retriever(embedder=Model(1.0)).index(texts_of(n, n), doc_ids=[i // 4 for i in range(n)])
    scores = index.scores("rain mill")[0]
    assert np.isfinite(scores).all()
    assert np.abs(scores).max() <= 1 + 1.5
    rows = sorted(random.Random(n).sample(range(n), (n + 1) // 2))
    (hits,) = index.search("rain mill", k=n, rows=rows)
    found = {hit.index: hit.score for hit in hits}
    texts = set(found)
    assert texts <= set(rows)
    assert all(found[row] == scores[row] for row in texts)
    reasons = index.explain("rain mill", rows)
    total = 1.5 * reasons.words + reasons.vectors
    assert np.allclose(total, scores[rows], atol=1e-5)
    (cosines,) = (
        Retriever(embedder=Model(1.0), words=False)
        .index(texts_of(n, n), doc_ids=[i // 4 for i in range(n)])
        .scores("rain mill")
    )
    order = np.argsort(cosines[rows], kind="stable")
    assert (np.diff(reasons.vectors[order]) >= -1e-6).all()


def test_equal_vectors_leave_the_order_to_words() -> None:
    equal = Retriever(embedder=lambda texts: [[1.0, 2.0]] * len(texts), neighbour_smoothing=False)
    (hits,) = equal.index(["sun", "rain", "sun and rain", "wind"]).search("rain", k=4)
    assert [hit.index for hit in hits][:2] == [1, 2]
    assert all(np.isfinite(hit.score) for hit in hits)


def test_vectors_alone_are_cosines() -> None:
    texts = texts_of(30, 4)
    model = Model(0.5)
    found = Retriever.dense(model).index(texts).scores("rain sun")
    assert np.allclose(found, cosine(model.embed(texts), model.embed(["rain sun"])))


def test_the_sum_is_that_of_its_steps() -> None:
    texts, model = texts_of(60, 9), Model(1.0)
    index = Retriever(embedder=model, neighbour_smoothing=False).index(texts)
    cosines = cosine(model.embed(texts).astype(np.float32), model.embed(["old mill"]))
    words = cw.retrieval.bm25(texts)
    summed = fuse(
        standardise(cosines), words.scores(["old mill"]), scale=words.bounds(["old mill"])
    )
    assert np.allclose(index.scores("old mill"), summed, atol=1e-6)


def test_what_cannot_be_standardised_is_refused() -> None:
    with pytest.raises(ModelError, match="finite"):
        standardise([[float("nan"), 0.5]])
    with pytest.raises(ConfigError, match="background"):
        standardise([[0.5], [0.25]], [[0.5]])
    assert standardise(np.zeros((2, 0))).shape == (2, 0)


@pytest.mark.parametrize("words", [True, False])
def test_a_question_does_not_depend_on_those_beside_it(*, words: bool) -> None:
    for seed in range(20):
        texts, questions = texts_of(25, seed), [*texts_of(6, -seed - 1), "rain", "nothing known"]
        index = Retriever(embedder="lexical", words=words, trim=0.4 if seed % 2 else None).index(
            texts
        )
        together = index.search(questions, k=6)
        alone = [index.search(question, k=6)[0] for question in questions]
        for one, other in zip(together, alone, strict=True):
            assert list(one) == list(other)
        shuffled = questions[::-1]
        assert [list(hits) for hits in index.search(shuffled, k=6)] == [
            list(h) for h in alone[::-1]
        ]


def test_a_saved_index_weighs_words_as_before(tmp_path: object) -> None:
    index = Retriever(embedder="lexical").index(texts_of(25, 1))
    path = f"{tmp_path}/words.index"
    index.save(path)
    same = Index.load(path, embedder="lexical")
    for question in texts_of(9, 2):
        assert list(same.search(question, k=9)[0]) == list(index.search(question, k=9)[0])


@pytest.mark.cpu_seconds(4)
def test_smoothing_of_sparse_vectors_takes_time_in_proportion() -> None:
    n = 50_000
    rows = np.zeros((n, 512), np.float32)
    rows[np.arange(n), np.arange(n) * 512 // n] = 1.0
    # It takes about 0.3 s; with all chunks of the document as neighbours it would take minutes.
    assert smooth(rows, [0] * n, n_tokens=[60] * n).shape == rows.shape
