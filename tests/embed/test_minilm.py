"""A real sentence model: facts about its vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from chunkwright.embed import Onnx, as_embedder

TEXTS = [
    "The cat sat on the mat.",
    "A kitten was sitting on a rug.",
    "Interest rates rose by half a point.",
    "",
    "Die Katze saß auf der Matte.",
    "The cat sat on the mat.",
]


@pytest.fixture(scope="module")
def embedder(shared: Path) -> Onnx:
    path = shared / "models" / "all-MiniLM-L6-v2"
    if not path.is_dir():
        pytest.skip(f"{path} is no folder of a model")
    return Onnx(path, workers=2)


def test_vectors_are_those_of_sentence_transformers(embedder: Onnx) -> None:
    (found,) = embedder.embed(["Hello world"])
    # From sentence-transformers 6.2 with torch 2.15 and the same weights.
    expected = [-0.03447721, 0.03102321, 0.00673498, 0.02610898, -0.03936200, -0.16030246]
    np.testing.assert_allclose(found[: len(expected)], expected, atol=1e-6)
    assert found.shape == (384,)
    assert abs(np.linalg.norm(found) - 1) < 1e-6


def test_what_is_alike_is_near(embedder: Onnx) -> None:
    cosines = embedder.embed(TEXTS) @ embedder.embed(TEXTS).T
    assert cosines[0, 1] > 0.5
    assert cosines[0, 2] < 0.2
    assert cosines[0, 5] > 1 - 1e-6


def test_neighbours_and_threads_change_no_vector(embedder: Onnx) -> None:
    together = embedder.embed(TEXTS)
    alone = np.concatenate([embedder.embed([text]) for text in TEXTS])
    np.testing.assert_allclose(together, alone, atol=1e-6)


def test_so_much_of_a_text_is_read(embedder: Onnx) -> None:
    # 256 tokens, of which the first and the last are the model's own.
    long, short, shorter = embedder.embed(["cat " * 400, "cat " * 254, "cat " * 253])
    np.testing.assert_allclose(long, short, atol=1e-6)
    assert np.abs(long - shorter).max() > 1e-5


def test_a_folder_is_known_by_its_files(embedder: Onnx) -> None:
    assert as_embedder(Path(embedder.path)) == Onnx(Path(embedder.path))
