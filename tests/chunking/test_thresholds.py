"""Thresholds to the last bit as NumPy has them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from chunkwright import _core

DISTANCES = st.one_of(
    hnp.arrays(np.float64, st.integers(2, 700), elements=st.floats(0, 2)),
    # Few different values: many are equal.
    hnp.arrays(np.float64, st.integers(2, 40), elements=st.sampled_from([0.1, 0.25, 1 / 3, 2])),
)
PERCENT = st.one_of(st.floats(0, 100), st.integers(0, 100).map(float))


@given(DISTANCES, PERCENT)
def test_percentile(distances: NDArray[np.float64], q: float) -> None:
    threshold, compared = _core.breakpoint_threshold(distances.tolist(), "percentile", q)
    assert threshold == np.percentile(distances, q)
    assert compared == distances.tolist()


@given(DISTANCES, st.floats(-3, 3))
def test_standard_deviation(distances: NDArray[np.float64], n: float) -> None:
    threshold, _ = _core.breakpoint_threshold(distances.tolist(), "standard_deviation", n)
    assert threshold == np.mean(distances) + n * np.std(distances)


@given(DISTANCES, st.floats(-3, 3))
def test_interquartile(distances: NDArray[np.float64], n: float) -> None:
    threshold, _ = _core.breakpoint_threshold(distances.tolist(), "interquartile", n)
    low, high = np.percentile(distances, [25, 75])
    assert threshold == np.mean(distances) + n * (high - low)


@given(DISTANCES, PERCENT)
def test_gradient(distances: NDArray[np.float64], q: float) -> None:
    threshold, compared = _core.breakpoint_threshold(distances.tolist(), "gradient", q)
    gradient = np.gradient(distances, range(len(distances)))
    assert compared == gradient.tolist()
    assert threshold == np.percentile(gradient, q)


@given(DISTANCES, st.integers(1, 800))
def test_number_of_chunks(distances: NDArray[np.float64], n_chunks: int) -> None:
    threshold, _ = _core.breakpoint_threshold(distances.tolist(), "n_chunks", n_chunks)
    # From all of them at the lowest distance to one at the highest, along a line.
    n = len(distances)
    line = 100 / (1 - n) * (min(max(n_chunks, 1), n) - n)
    assert threshold == np.percentile(distances, min(max(line, 0), 100))


@pytest.mark.parametrize("n", [8, 127, 128, 129, 1000, 4099, 100_003])
def test_sums_of_any_length(n: int) -> None:
    distances = np.random.default_rng(n).random(n) ** 3
    threshold, _ = _core.breakpoint_threshold(distances.tolist(), "standard_deviation", 1.7)
    assert threshold == np.mean(distances) + 1.7 * np.std(distances)


@pytest.mark.parametrize("kind", ["percentile", "standard_deviation", "interquartile", "n_chunks"])
def test_no_distance_has_no_threshold(kind: str) -> None:
    threshold, compared = _core.breakpoint_threshold([], kind, 1)
    assert math.isnan(threshold)
    assert compared == []


def test_one_distance_has_no_gradient() -> None:
    threshold, compared = _core.breakpoint_threshold([0.5], "gradient", 50)
    assert math.isnan(threshold)
    assert len(compared) == 1


@pytest.mark.parametrize(
    ("kind", "amount", "message"),
    [
        ("median", 1.0, 'unknown threshold "median"'),
        ("n_chunks", 0.5, "n_chunks must be a whole number of 1 at least, got 0.5"),
        ("n_chunks", 0.0, "got 0"),
        ("n_chunks", math.nan, "got NaN"),
    ],
)
def test_what_is_no_threshold_is_named(kind: str, amount: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _core.breakpoint_threshold([0.1, 0.2], kind, amount)
