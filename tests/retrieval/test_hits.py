"""Hits as a sequence and as columns."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import numpy as np
import pytest

import chunkwright as cw
from chunkwright.retrieval import Hit, Hits, Retriever, top_k

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


CHUNKS = cw.Sentence(sentences=1)("Cats sleep. Engines hum. Dogs bark at engines.")


def test_a_hit_has_its_text_and_its_chunk() -> None:
    first, second = Retriever().index(CHUNKS).search("Which engines hum?", 2)[0]
    assert (first.text, second.text) == ("Engines hum.", "Dogs bark at engines.")
    assert first.chunk == CHUNKS[1]
    assert pickle.loads(pickle.dumps(first)).chunk == CHUNKS[1]
    # Of a slice, numbers are those of its chunks.
    (hit,) = Retriever().index(CHUNKS[1:]).search("hum", 1)[0]
    assert (hit.index, hit.chunk) == (0, CHUNKS[1])


def test_a_hit_among_texts_has_no_chunk() -> None:
    (hit,) = Retriever().index(CHUNKS.texts()).search("hum", 1)[0]
    assert (hit.text, hit.chunk) == ("Engines hum.", None)
    assert top_k([[1, 2]], 1, texts=["a", "b"])[0][0].text == "b"
    assert top_k([[1, 2]], 1)[0][0].text is None


def test_a_hit_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        HITS[0][0].score = 1.0  # type: ignore[misc]
    assert len({HITS[0][0], HITS[0][0]}) == 1


WRITTEN = {
    "index": 1,
    "score": 2.0,
    "start": 0,
    "end": None,
    "score_before": None,
    "rank_before": None,
    "text": "Engines hum.",
}


def test_it_is_written_as_an_object_with_names() -> None:
    hit = Hits(np.array([0, 1]), np.array([1]), np.array([2.0]), searched=CHUNKS)[0][0]
    assert dataclasses.asdict(hit) == WRITTEN
    pydantic = pytest.importorskip("pydantic")
    adapter = pydantic.TypeAdapter(list[Hit])
    assert adapter.dump_python([hit]) == [WRITTEN]
    assert adapter.validate_json(adapter.dump_json([hit])) == [hit]


def test_fastapi_writes_it_so() -> None:
    encoders = pytest.importorskip("fastapi.encoders")
    hit = Hits(np.array([0, 1]), np.array([1]), np.array([2.0]), searched=CHUNKS)[0][0]
    assert encoders.jsonable_encoder({"hits": [hit]}) == {"hits": [WRITTEN]}
