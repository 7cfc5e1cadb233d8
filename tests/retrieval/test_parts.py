"""Parts of an index that a store keeps: segments of words, blocks of half floats."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright import ConfigError, ModelError, ReadError, _core
from chunkwright.retrieval import cosine, smooth
from chunkwright.retrieval.steps.bm25 import Bm25Index, Subwords, bm25

from . import twins

TEXTS = st.lists(
    st.lists(
        st.sampled_from(["the", "a", "rain", "rains", "raining", "häuser", "häusern", "漢字"]),
        max_size=9,
    ).map(" ".join),
    max_size=12,
)

SUBWORDS: st.SearchStrategy[Subwords | None] = st.sampled_from([None, "prefix", "4-grams"])


def stored(texts: list[str], cuts: list[int], subwords: Subwords | None) -> list[_core.Bm25Segment]:
    """Return the segments between these places, written and read."""
    edges = sorted({0, len(texts), *(min(cut, len(texts)) for cut in cuts)})
    segments = [_core.Bm25Segment(texts[a:b], subwords=subwords) for a, b in pairwise(edges)]
    return [_core.Bm25Segment.of_bytes(segment.to_bytes()) for segment in segments]


@given(TEXTS, st.lists(st.integers(0, 12), max_size=4), SUBWORDS)
def test_segments_score_as_their_texts_together(
    texts: list[str], cuts: list[int], subwords: Subwords | None
) -> None:
    whole = bm25(texts, subwords=subwords)
    parts = Bm25Index.of_segments(stored(texts, cuts, subwords), subwords=subwords)
    assert (len(parts), parts.n_terms) == (len(whole), whole.n_terms)
    questions = ["the rain", "häuserzeile 漢字", "raining a the rains"]
    assert parts.scores(questions).tobytes() == whole.scores(questions).tobytes()
    assert parts.bounds(questions).tolist() == whole.bounds(questions).tolist()
    assert parts.search(questions, 3) == whole.search(questions, 3)


def test_segments_know_their_neighbours() -> None:
    texts = [f"rain {number} the sun {number % 3}" for number in range(50)]
    neighbours = _core.Neighbours((np.arange(50) // 7).data, np.full(50, 40).data, 200.0)
    whole = bm25(texts, doc_ids=np.arange(50) // 7, n_tokens=[40] * 50)
    parts = Bm25Index.of_segments(stored(texts, [20, 31], "prefix"), neighbours=neighbours)
    assert parts.is_smoothed
    assert parts.scores("rain 7 2").tobytes() == whole.scores("rain 7 2").tobytes()


def test_damaged_segments_are_refused() -> None:
    segment = _core.Bm25Segment(["rain", "sun"], subwords="prefix")
    assert (segment.n_texts, segment.n_terms) == (2, 2)
    data = segment.to_bytes()
    for at in range(0, len(data), 7):
        damaged = bytearray(data)
        damaged[at] ^= 16
        with pytest.raises(ReadError, match="not a segment of a BM25 index"):
            _core.Bm25Segment.of_bytes(bytes(damaged))
    with pytest.raises(ConfigError, match="no subwords, got prefixes in segment 0"):
        Bm25Index.of_segments([segment], subwords=None)
    with pytest.raises(ConfigError, match="k1 must be"):
        Bm25Index.of_segments([segment], k1=-1)


def test_texts_beside_the_index_have_shares() -> None:
    index = bm25(["the rain in spain", "the sun", "the snow"])
    shares = index.shares("rain in spain", ["rain in spain", "the rain", "the", ""])
    assert 1 >= shares[0] > shares[1] > shares[2] == shares[3] == 0
    own = index.scores("sun rain")[0] / index.bounds("sun rain")[0]
    texts = ["the rain in spain", "the sun", "the snow"]
    np.testing.assert_allclose(index.shares("sun rain", texts), own, rtol=1e-6)


VECTORS = st.lists(
    st.lists(st.floats(-1, 1, width=32), min_size=3, max_size=3), min_size=1, max_size=8
)


@given(twins.chunks(least=1), VECTORS, st.data())
def test_cosines_of_slots_are_those_of_smoothed_vectors(
    chunks: tuple[list[str], list[int]], vectors: list[list[float]], data: st.DataObject
) -> None:
    docs, sizes = chunks
    slots = data.draw(
        st.lists(st.integers(-1, len(vectors) - 1), min_size=len(docs), max_size=len(docs))
    )
    table = np.array(vectors, np.float32)
    block = _core.to_halves(table.data)
    halves = np.frombuffer(block, "<f2").reshape(-1, 3)
    norms = np.linalg.norm(table.astype(np.float64), axis=1, keepdims=True)
    units = table / np.where(norms > 0, norms, 1)
    np.testing.assert_allclose(halves, units, atol=1e-3)
    rows = np.vstack([halves.astype(np.float32), np.zeros((1, 3), np.float32)])[slots]
    numbers = np.unique(docs, return_inverse=True)[1].astype(np.int64)
    neighbours = _core.Neighbours(numbers.data, np.array(sizes, np.int64).data, 200.0)
    question = np.array([[0.5, -1, 2]], np.float32)
    blocks = [_core.HalfBlock(block, 3)]
    smoothed = _core.Slots(blocks, 3, np.array(slots, np.int64).data, neighbours, 0.5)
    expected = cosine(smooth(rows, docs, n_tokens=sizes), question)
    found = np.asarray(smoothed.cosines(question.data))
    np.testing.assert_allclose(found, expected, atol=2e-6)
    some = np.flatnonzero(np.arange(len(docs)) % 2).astype(np.int64)
    assert (
        np.asarray(smoothed.cosines(question.data, some.data)).reshape(1, -1).tolist()
        == found[:, some].tolist()
    )
    plain = _core.Slots(blocks, 3, np.array(slots, np.int64).data)
    found = np.asarray(plain.cosines(question.data))
    np.testing.assert_allclose(found, cosine(rows, question), atol=1e-6)


def test_half_floats_are_checked() -> None:
    with pytest.raises(ModelError, match="nan as value 1 of row 0"):
        _core.to_halves(np.array([[1, np.nan]], np.float32).data)
    with pytest.raises(ReadError, match="6 bytes do not make rows of 2 half floats"):
        _core.HalfBlock(b"123456", 2)
    bad = np.array([[0, 1], [np.inf, 0]], "<f2").tobytes()
    with pytest.raises(ReadError, match="got inf as value 0 of row 1"):
        _core.HalfBlock(bad, 2)
    block = _core.HalfBlock(_core.to_halves(np.eye(2, dtype=np.float32).data), 2)
    assert len(block) == 2
    with pytest.raises(ConfigError, match="slots must be -1, or from 0 to below 2, got 2"):
        _core.Slots([block], 2, np.array([0, 2]).data)
    slots = _core.Slots([block], 2, np.array([0, 1, -1]).data)
    assert len(slots) == 3
    with pytest.raises(ConfigError, match="rows must ascend, got 0 behind 1"):
        slots.cosines(np.ones((1, 2), np.float32).data, np.array([1, 0]).data)
    with pytest.raises(ConfigError, match="queries have 3 dimensions, vectors have 2"):
        slots.cosines(np.ones((1, 3), np.float32).data)
