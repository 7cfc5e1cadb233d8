"""Embedders that are small enough to be known by heart."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st

if TYPE_CHECKING:
    from numpy.typing import NDArray

N_DIMS = 8


def letters(texts: list[str]) -> list[list[float]]:
    """Count a few letters: texts of the same words are equal, others often nearly so."""
    return [[float(text.count(letter)) for letter in "aeo1漢 .\n"] for text in texts]


def dice(texts: list[str]) -> NDArray[np.float32]:
    """Give each text a direction that only depends on it."""
    seeds = [zlib.crc32(text.encode()) for text in texts]
    rows = [np.random.default_rng(seed).standard_normal(N_DIMS) for seed in seeds]
    return np.array(rows, dtype=np.float32).reshape(len(texts), N_DIMS)


def doubles(texts: list[str]) -> NDArray[np.float64]:
    """Give the same in double precision, and of many lengths."""
    return dice(texts).astype(np.float64) * np.arange(1, len(texts) + 1)[:, None]


def equal(texts: list[str]) -> NDArray[np.float32]:
    """Give all texts one vector."""
    return np.ones((len(texts), 3), dtype=np.float32)


def opposed(texts: list[str]) -> list[tuple[int, int]]:
    """Point each text away from its neighbours."""
    return [(1 - 2 * (i % 2), 0) for i in range(len(texts))]


def zeros(texts: list[str]) -> NDArray[np.float64]:
    """Give vectors without a direction."""
    return np.zeros((len(texts), 2))


def one_zero(texts: list[str]) -> NDArray[np.float32]:
    """Give one text among others no direction."""
    rows = dice(texts)
    rows[len(texts) // 2] = 0
    return rows


EMBEDDERS: list[Any] = [letters, dice, doubles, equal, opposed, zeros, one_zero]


@st.composite
def semantic_options(draw: st.DrawFn, strategy: str, limit: int) -> dict[str, Any]:
    """Make the options of one semantic strategy."""
    piece_max = st.none() | st.integers(1, limit)
    options: dict[str, st.SearchStrategy[Any]] = {
        "kamradt": st.fixed_dictionaries(
            {"window": st.integers(0, 3), "min_size": st.integers(0, limit)},
            optional={"n_chunks": st.integers(1, 9)},
        )
        | st.fixed_dictionaries(
            {
                "threshold": st.sampled_from(["percentile", "gradient"]),
                "amount": st.none() | st.floats(0, 100),
            }
        )
        | st.fixed_dictionaries(
            {
                "threshold": st.sampled_from(["standard_deviation", "interquartile"]),
                "amount": st.none() | st.floats(-3, 3),
            }
        ),
        "kamradt_modified": st.fixed_dictionaries(
            {
                "window": st.integers(0, 3),
                "target": st.sampled_from(["average", "max"]),
                "target_size": st.none() | st.integers(1, limit),
                "piece_max": piece_max,
            }
        ),
        "cluster": st.fixed_dictionaries(
            {
                "mean": st.sampled_from(["global", "local"]),
                "piece_max": piece_max,
            }
        ),
        "discontinuity": st.fixed_dictionaries({"window": st.integers(1, 4)}),
    }
    chosen: dict[str, Any] = draw(options[strategy])
    return chosen
