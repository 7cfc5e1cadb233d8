"""Hits as a sequence and as columns."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from chunkwright.retrieval import Hit, Hits, top_k

SCORES = [[0.5, 0.25, 1.0], [0.0, -1.0, 3.0], [1.0, 1.0, 1.0]]
HITS = top_k(SCORES, 2)


def test_they_are_a_sequence_over_questions() -> None:
    assert len(HITS) == 3
    assert HITS[0] == [Hit(2, 1.0), Hit(0, 0.5)]
    assert HITS[-1] == [Hit(0, 1.0), Hit(1, 1.0)]
    assert HITS[1:] == [HITS[1], HITS[2]]
    assert list(HITS) == [HITS[0], HITS[1], HITS[2]]
    with pytest.raises(IndexError):
        HITS[3]
    assert repr(HITS) == "<6 hits of 3 questions>"


def test_they_are_columns() -> None:
    assert HITS.offsets.tolist() == [0, 2, 4, 6]
    assert HITS.indices.tolist() == [2, 0, 2, 0, 0, 1]
    assert HITS.scores.dtype == np.float64
    assert HITS.offsets.dtype == HITS.indices.dtype == np.int64


def test_they_can_be_compared_and_kept() -> None:
    assert top_k(SCORES, 2) == HITS
    assert top_k(SCORES[:1], 2) != HITS
    assert HITS != "hits"
    assert pickle.loads(pickle.dumps(HITS)) == copy.deepcopy(HITS) == HITS


def test_parts_are_joined() -> None:
    parts = [top_k([[1, 2]], 1), top_k(np.zeros((0, 2)), 1), top_k([[5, 4], [0, 1]], 2)]
    assert Hits.joined(parts) == Hits(
        np.array([0, 1, 3, 5]), np.array([1, 0, 1, 1, 0]), np.array([2.0, 5, 4, 1, 0])
    )
    assert list(Hits.joined([])) == []
    assert Hits.joined(parts[:1]) == parts[0]


def test_those_over_a_score_are_left() -> None:
    assert list(HITS.over(0.5)) == [[Hit(2, 1.0)], [Hit(2, 3.0)], HITS[2]]
    assert list(HITS.over(9)) == [[], [], []]
