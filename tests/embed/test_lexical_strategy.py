"""Vectors of texts by their words."""

import math

import numpy as np
import pytest

from chunkwright import _core
from chunkwright.errors import ConfigError

TEXTS = [
    "The cat sat on the mat.",
    "A cat, on A MAT!",
    "Stock prices fell again; parseHTTPRequest failed",
    "我爱北京天安门。",
    "北京欢迎你",
    "",
    "— … 😀",
]


def embed(texts: list[str], dimensions: int = 4096) -> np.ndarray:
    return np.asarray(_core.Embedder.lexical(dimensions).embed(texts))


def test_rows_are_of_length_one_and_of_zeros_without_words() -> None:
    rows = embed(TEXTS)
    assert rows.dtype == np.float32
    assert rows.shape == (len(TEXTS), 4096)
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 1, 1, 1, 1, 0, 0])
    assert embed([]).shape == (0, 4096)


def test_the_same_texts_have_the_same_vectors() -> None:
    assert (embed(TEXTS) == embed(TEXTS)).all()
    # No machine and no run puts a term elsewhere.
    half = math.sqrt(0.5)
    assert embed(["chunk retrieval"], 8)[0] == pytest.approx([0, -half, -half, 0, 0, 0, 0, 0])


def test_case_makes_no_difference() -> None:
    upper, lower = embed(["ÉCOLE Straße ΟΔΟΣ", "école STRASSE οδος"])
    assert (upper == lower).all()


def test_shared_words_bring_texts_together() -> None:
    cosines = embed(TEXTS) @ embed(TEXTS).T
    assert cosines[0, 1] > 0.2
    assert cosines[3, 4] > 0.1
    assert cosines[0, 2:] == pytest.approx(0, abs=1e-6)


def test_parts_of_identifiers_are_words() -> None:
    rows = embed(["parseHTTPRequest max_tokens", "http request", "tokens", "nothing"])
    cosines = rows @ rows[0]
    assert cosines[1] > cosines[2] > 0.1
    assert cosines[3] == 0


def test_rare_words_weigh_more() -> None:
    rows = embed(["common rare", "common", "common", "rare", *["common"] * 5])
    assert rows[0] @ rows[3] > rows[0] @ rows[1] > 0


def test_weights_are_those_of_smooth_tf_idf() -> None:
    # One word of two texts, twice; one of one text: ln(3/3) + 1 and ln(3/2) + 1.
    first, second = embed(["word word other", "word"], 1 << 16)
    common, rare = 2.0, 1.0 + math.log(1.5)
    assert abs(first @ second) == pytest.approx(common / math.hypot(common, rare), abs=1e-6)


def test_hostile_texts_have_vectors() -> None:
    texts = [
        "\ud800 word",
        "x" * 1_000_000,
        "aB" * 100_000,
        "é" * 100_000,
        "a" + "\u0301" * 100_000,
    ]
    rows = embed(texts)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1)
    assert (rows[0] == embed(["word", *texts[1:]])[0]).all()


@pytest.mark.parametrize("dimensions", [0, (1 << 20) + 1])
def test_dimensions_are_checked(dimensions: int) -> None:
    with pytest.raises(ConfigError, match=str(dimensions)):
        _core.Embedder.lexical(dimensions)


def test_one_dimension_is_enough_to_work() -> None:
    assert set(np.abs(embed(TEXTS, 1)).ravel().tolist()) <= {0.0, 1.0}
