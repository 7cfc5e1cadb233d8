"""Intervals of differences."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from chunkwright.errors import ConfigError
from chunkwright.evaluation import compare
from chunkwright.evaluation.confidence import bootstrap
from chunkwright.evaluation.confidence.bootstrap import interval


def evaluation(scores: ArrayLike, name: str = "run", questions: object = None) -> Any:
    """Stand in for an evaluation: as far as it is compared."""
    values = np.array(scores, dtype=np.float64)
    asked = tuple(range(len(values))) if questions is None else questions
    return SimpleNamespace(
        name=name, scores={"recall@5": values}, dataset=SimpleNamespace(questions=asked)
    )


SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=40)


@given(SCORES, st.integers(0, 5))
def test_an_evaluation_does_not_differ_from_itself(scores: list[float], seed: int) -> None:
    found = compare(evaluation(scores), evaluation(scores), n_resamples=50, seed=seed)
    assert found == (0.0, 0.0, 0.0, "recall@5", 0.95)
    assert not found.excludes_zero


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=40))
def test_exchanged_evaluations_differ_by_the_opposite(scores: list[tuple[float, float]]) -> None:
    a, b = (evaluation([pair[side] for pair in scores]) for side in (0, 1))
    there, back = (compare(*pair, n_resamples=200) for pair in ((a, b), (b, a)))
    expected = (-back.difference, -back.high, -back.low)
    assert there[:3] == pytest.approx(expected, abs=1e-12)


@given(SCORES)
def test_intervals_lie_within_the_values_and_grow_with_confidence(scores: list[float]) -> None:
    values = np.array(scores)
    narrow, wide = (
        interval(values, confidence=confidence, n_resamples=200, seed=1)
        for confidence in (0.5, 0.99)
    )
    tiny = 1e-12  # a mean is rounded
    assert values.min() - tiny <= wide[0] <= narrow[0] <= narrow[1] <= wide[1]
    assert wide[1] <= values.max() + tiny


def test_an_interval_holds_the_truth_as_often_as_it_says() -> None:
    generator = np.random.default_rng(7)
    n_held = 0
    for _ in range(400):
        # Differences as scores have them: mostly none, else anything between -1 and 1.
        differs = generator.random(200) < 0.3
        values = np.where(differs, generator.uniform(-1, 1, 200), 0.0)
        low, high = interval(values, confidence=0.95, n_resamples=500, seed=3)
        n_held += low <= 0 <= high
    assert 0.92 <= n_held / 400 <= 0.98


def test_a_clear_difference_excludes_zero() -> None:
    generator = np.random.default_rng(1)
    base = generator.random(300) / 2
    found = compare(evaluation(base + 0.2), evaluation(base), n_resamples=500)
    assert found.excludes_zero
    assert found[:3] == pytest.approx((0.2, 0.2, 0.2))  # paired: each question gained as much


def test_the_interval_is_that_of_means_of_draws() -> None:
    # Of two values, a draw's mean is 0, 1/2 or 1, in a ratio of 1 to 2 to 1.
    values = np.array([0.0, 1.0])
    ends = [interval(values, confidence=c, n_resamples=4000, seed=0) for c in (0.4, 0.6)]
    assert ends == [(0.5, 0.5), (0.0, 1.0)]


def test_the_seed_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(5).random(101)
    one, same, other = (
        interval(values, confidence=0.9, n_resamples=300, seed=seed) for seed in (1, 1, 2)
    )
    assert one == same != other
    # How many draws are made at a time does not.
    monkeypatch.setattr(bootstrap, "_BLOCK", 1000)
    assert interval(values, confidence=0.9, n_resamples=300, seed=1) == pytest.approx(one)


def test_without_questions_there_is_no_difference() -> None:
    assert compare(evaluation([]), evaluation([]))[:3] == (0.0, 0.0, 0.0)


def test_what_cannot_be_compared_is_named() -> None:
    a = evaluation([0.5, 1.0], "mine")
    with pytest.raises(ConfigError, match="'mine' and 'theirs' are not evaluations of the same"):
        compare(a, evaluation([0.5, 1.0], "theirs", questions=(1, 2)))
    with pytest.raises(ConfigError, match="unknown metric 'recal@5' of 'mine': did you mean"):
        compare(a, a, "recal@5")
    with pytest.raises(ConfigError, match="recall@5 of 'broken', question 1: nan"):
        compare(a, evaluation([0.5, np.nan], "broken"))
    with pytest.raises(ConfigError, match=r"confidence must be above 0 and below 1, got 1\.0"):
        compare(a, a, confidence=1.0)
    with pytest.raises(ConfigError, match="n_resamples must be at least 1, got 0"):
        compare(a, a, n_resamples=0)
    with pytest.raises(ConfigError, match="seed must be a number from 0, got -1"):
        compare(a, a, seed=-1)
