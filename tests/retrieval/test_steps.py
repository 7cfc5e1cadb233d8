"""Each step of retrieval against NumPy, and what is true of it whatever is given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.errors import ConfigError, ModelError
from chunkwright.retrieval import cosine, fuse, smooth, smooth_scores, top_k
from tests.retrieval import twins

SHAPES = st.tuples(st.integers(0, 5), st.integers(1, 12))


@given(st.data(), SHAPES, st.integers(1, 40))
def test_cosines_are_numpys(data: st.DataObject, shape: tuple[int, int], n_dims: int) -> None:
    queries = data.draw(twins.rows(shape[0], n_dims))
    vectors = data.draw(twins.rows(shape[1], n_dims))
    found = cosine(vectors, queries)
    assert found.dtype == np.float32
    assert found.shape == shape
    np.testing.assert_allclose(found, twins.cosine(vectors, queries), atol=1e-6)


@given(st.data(), twins.chunks(), st.floats(0, 2), st.floats(10, 1000))
def test_smoothed_vectors_are_numpys(
    data: st.DataObject, chunks: tuple[list[str], list[int]], weight: float, reach: float
) -> None:
    doc_ids, n_tokens = chunks
    vectors = data.draw(twins.rows(len(doc_ids), 7))
    found = smooth(vectors, doc_ids, n_tokens=n_tokens, neighbour_smoothing=weight, reach=reach)
    expected = twins.smooth(vectors, twins.kernel(doc_ids, n_tokens, reach), weight)
    assert found.shape == vectors.shape
    np.testing.assert_allclose(found, expected, atol=2e-5)


@given(st.data(), twins.chunks(), st.floats(0, 2), st.floats(10, 1000), st.integers(0, 3))
def test_smoothed_scores_are_numpys(
    data: st.DataObject,
    chunks: tuple[list[str], list[int]],
    weight: float,
    reach: float,
    n_queries: int,
) -> None:
    doc_ids, n_tokens = chunks
    scores = data.draw(twins.rows(n_queries, len(doc_ids)))
    found = smooth_scores(
        scores, doc_ids, n_tokens=n_tokens, neighbour_smoothing=weight, reach=reach
    )
    expected = scores + weight * scores @ twins.kernel(doc_ids, n_tokens, reach).T
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-4)


@given(st.data(), twins.chunks(least=2))
def test_a_document_does_not_see_another(
    data: st.DataObject, chunks: tuple[list[str], list[int]]
) -> None:
    doc_ids, n_tokens = chunks
    vectors = data.draw(twins.rows(len(doc_ids), 5))
    together = smooth(vectors, doc_ids, n_tokens=n_tokens)
    first = doc_ids.count(doc_ids[0])
    for part in (slice(0, first), slice(first, None)):
        alone = smooth(vectors[part], doc_ids[part], n_tokens=n_tokens[part])
        assert alone.tobytes() == together[part].tobytes()
    # So it does not matter in what order documents are, nor what they are called.
    order = [*range(first, len(doc_ids)), *range(first)]
    names = [("other", doc_ids[i]) for i in order]
    moved = smooth(vectors[order], names, n_tokens=[n_tokens[i] for i in order])
    assert moved.tobytes() == together[order].tobytes()


def test_large_chunks_and_weight_0_take_nothing() -> None:
    vectors = np.array([[1, 0], [0, 2], [1, 1]], np.float32)
    unit = twins.units(vectors).astype(np.float32)
    assert np.array_equal(smooth(vectors, [0, 0, 0], n_tokens=[300, 301, 5000]), unit)
    assert np.array_equal(smooth(vectors, [0, 0, 0], neighbour_smoothing=0), unit)
    # Sizes that are not known are 100 tokens.
    usual = smooth(vectors, [0, 0, 0], n_tokens=[100, 100, 100])
    assert np.array_equal(smooth(vectors, [0, 0, 0]), usual)
    assert not np.array_equal(usual, unit)


@given(st.data(), SHAPES, st.floats(0, 2))
def test_fused_scores_are_numpys(
    data: st.DataObject, shape: tuple[int, int], weight: float
) -> None:
    dense, words = data.draw(twins.rows(*shape)), abs(data.draw(twins.rows(*shape)))
    most = words.max(axis=1, initial=0, keepdims=True)
    expected = dense + weight * words / np.where(most > 0, most, 1)
    np.testing.assert_allclose(
        fuse(dense, words, word_weight=weight), expected, rtol=1e-5, atol=1e-4
    )
    scale = data.draw(st.lists(st.floats(0.5, 9), min_size=shape[0], max_size=shape[0]))
    expected = dense + weight * words / np.reshape(scale, (-1, 1))
    found = fuse(dense, words, word_weight=weight, scale=scale)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-4)


@given(st.data(), SHAPES)
def test_fused_ranks_are_numpys(data: st.DataObject, shape: tuple[int, int]) -> None:
    tables = [data.draw(twins.rows(*shape)) for _ in range(2)]
    better = [(table[:, :, None] < table[:, None, :]).sum(axis=2) for table in tables]
    expected = sum(1 / (61 + n_better) for n_better in better)
    np.testing.assert_allclose(fuse(*tables, fusion="rank"), expected, rtol=1e-6)
    # Ranks know no chunk by its number.
    order = data.draw(st.permutations(range(shape[1])))
    moved = fuse(*(table[:, order] for table in tables), fusion="rank")
    assert np.array_equal(moved, fuse(*tables, fusion="rank")[:, order])


@given(st.data(), SHAPES, st.integers(1, 15))
def test_the_best_are_numpys(data: st.DataObject, shape: tuple[int, int], k: int) -> None:
    scores = data.draw(twins.rows(*shape))
    letters = st.lists(st.sampled_from("abcd"), min_size=shape[1], max_size=shape[1])
    texts = data.draw(st.none() | letters)
    hits = top_k(scores, k, texts=texts)
    assert [[hit.index for hit in found] for found in hits] == twins.top_k(scores, k, texts)
    for row, found in zip(scores, hits, strict=True):
        assert [hit.score for hit in found] == [float(row[hit.index]) for hit in found]


def test_steps_take_lists_and_integers() -> None:
    assert cosine([[1, 0], [3, 4]], [[2, 0]])[0].tolist() == pytest.approx([1.0, 0.6])
    assert top_k([[1, 3, 2]], 2).indices.tolist() == [1, 2]
    # In float32 these were equal.
    assert top_k([[2**24, 2**24 + 1]], 1).indices.tolist() == [1]
    assert smooth(np.array([[3, 4]]), ["a"])[0].tolist() == pytest.approx([0.6, 0.8])
    slow = np.arange(24, dtype=np.float64).reshape(4, 6).T[:, ::2]
    assert np.array_equal(cosine(slow, slow), cosine(slow.copy(), slow.copy()))


def test_texts_may_come_one_by_one() -> None:
    texts: Any = (text for text in ["a", "b", "a"])
    assert top_k([[1, 2, 3]], 3, texts=texts).indices.tolist() == [2, 1]


def test_a_scale_of_next_to_nothing_leaves_numbers() -> None:
    assert fuse([[1.0]], [[1e38]], word_weight=0, scale=[1e-300]).tolist() == [[1.0]]
    assert fuse([[1.0]], [[-1e38]], scale=[1e-300])[0, 0] == np.finfo(np.float32).min


def test_nothing_gives_nothing() -> None:
    none = np.zeros((0, 3), np.float32)
    assert cosine(none, none).shape == (0, 0)
    assert cosine(none, [[1, 2, 3]]).shape == (1, 0)
    assert smooth(none, []).shape == (0, 3)
    assert smooth_scores(none, [1, 1, 1]).shape == (0, 3)
    assert smooth_scores(none.T, []).shape == (3, 0)
    assert fuse(none.T, none.T).shape == (3, 0)
    assert list(top_k(none.T, 4)) == [[], [], []]
    assert list(top_k(none, 4)) == []


NAN = float("nan")
INF = float("inf")
# What no type checker would let pass.
UNHASHABLE: Any = [[]]
RANKS: Any = "ranks"
HALF: Any = 1.5
ONE: Any = 1
NUMBERS: Any = [1]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cosine([[1, 2]], [[1]]), "queries must have as many dimensions as vectors, got 1"),
        (
            lambda: cosine([1, 2], [[1]]),
            r"vectors must be numbers in rows and columns, got .*\(2,\)",
        ),
        (lambda: cosine([["a"]], [[1]]), "vectors must be numbers in rows and columns"),
        (lambda: cosine([[1], [1, 2]], [[1]]), "vectors must be rows of equal length"),
        (lambda: smooth([[1, 2]], []), "1 chunks need as many doc_ids, got 0"),
        (lambda: smooth([[1, 2]], "a"), "doc_ids must be one for each chunk, got 'a'"),
        (lambda: smooth([[1, 2]], UNHASHABLE), "doc_ids must be hashable"),
        (lambda: smooth([[1, 2]], [1], n_tokens=[1, 2]), "n_tokens must be 1 numbers"),
        (lambda: smooth([[1, 2]], ONE), "doc_ids must be one for each chunk, got 1"),
        (lambda: smooth([[1, 2]], np.array(1)), r"doc_ids must be one for each chunk, got array"),
        (
            lambda: smooth([[1, 2]], [1], n_tokens=[-1]),
            "n_tokens must be whole .* got -1 for chunk 0",
        ),
        (lambda: smooth([[1, 2]], [1], n_tokens=[0.5]), "n_tokens must be whole .* got 0.5"),
        (lambda: smooth([[1, 2]], [1], n_tokens=[NAN]), "n_tokens must be whole .* got nan"),
        (lambda: smooth([[1, 2]], [1], n_tokens=[2**63]), r"n_tokens must be .* got 9.22337e\+18"),
        (
            lambda: smooth([[1, 2]], [1], neighbour_smoothing=10**400),
            "smoothing must be finite",
        ),
        (
            lambda: smooth([[1, 2]], [1], neighbour_smoothing=-1),
            "neighbour_smoothing must be at least 0, got -1",
        ),
        (
            lambda: smooth([[1, 2]], [1], neighbour_smoothing=INF),
            "neighbour_smoothing must be finite, got inf",
        ),
        (lambda: smooth([[1, 2]], [1], reach=0), "reach must be more than 0 and finite, got 0"),
        (lambda: fuse([[1, 2]], [[1]]), r"scores must be of one shape, got \(1, 2\) and \(1, 1\)"),
        (lambda: fuse([[1]], [[1]], fusion=RANKS), "unknown fusion 'ranks': did you mean 'rank'"),
        (lambda: fuse([[1]], [[1]], scale=[1, 2]), "scale must be 1 numbers"),
        (lambda: fuse([[1]], [[1]], scale=[NAN]), "scales must be finite, got NaN for question 0"),
        (lambda: top_k([[1]], 0), "k must be at least 1, got 0"),
        (lambda: top_k([[1]], HALF), "k must be an int, got 1.5"),
        (lambda: top_k([[1]], k=True), "k must be an int, got True"),
        (lambda: top_k([[1]], 1, texts=["a", "b"]), "1 chunks need as many texts, got 2"),
        (lambda: top_k([[1]], 1, texts=NUMBERS), r"texts\[0\] must be a str, got int"),
    ],
)
def test_what_makes_no_sense_is_a_config_error(call: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cosine([[1.0, 2.0], [1.0, NAN]], [[1, 1]]), "nan as value 1 of row 1"),
        (lambda: cosine([[1.0, 2.0]], [[-INF, 1.0]]), "-inf as value 0 of row 0"),
        (lambda: smooth([[1.0, INF]], ["a"]), "inf as value 1 of row 0"),
        (lambda: smooth_scores([[1.0], [NAN]], ["a"]), "scores must .* nan as value 0 of row 1"),
        (lambda: fuse([[1.0]], [[INF]]), "scores must be finite .* got inf as value 0 of row 0"),
        (lambda: fuse([[1e300]], [[1.0]], fusion="rank"), "got 1e300 as value 0 of row 0"),
        (lambda: top_k([[1.0, NAN]], 1), "got nan as value 1 of row 0"),
    ],
)
def test_numbers_that_are_none_are_model_errors(call: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        call()
