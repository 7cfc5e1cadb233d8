"""Numbers of questions that separate two runs: against simulated evaluations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.errors import ConfigError
from chunkwright.evaluation import questions_needed
from chunkwright.evaluation.confidence.questions_needed import least_to_tie, n_needed

from .made import dataset, evaluation

DATA = dataset()


def test_a_value_of_the_textbooks() -> None:
    # A difference of half a standard deviation, 95 %, power 80 %: 31.4, so 32 pairs.
    differences = np.array([1.5, -0.5] * 500)
    differences = (differences - differences.mean()) / differences.std(ddof=1) + 0.5
    assert n_needed(differences, confidence=0.95, power=0.8) == 32
    assert n_needed(differences, confidence=0.95, power=0.9) == 43
    assert n_needed(differences, confidence=0.99, power=0.8) == 47


def test_so_many_questions_find_the_difference_as_often_as_said() -> None:
    generator = np.random.default_rng(5)
    # Differences as recall has them: mostly none, else a whole excerpt.
    kinds, shares = np.array([-1.0, 0.0, 1.0]), [0.05, 0.8, 0.15]
    population = generator.choice(kinds, 200_000, p=shares)
    n = n_needed(population, confidence=0.95, power=0.8)
    assert n is not None
    samples = generator.choice(kinds, (2000, n), p=shares)
    errors = samples.std(axis=1, ddof=1) / np.sqrt(n)
    share_found = np.mean(samples.mean(axis=1) > 1.96 * errors)
    assert share_found == pytest.approx(0.8, abs=0.04)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=30), st.floats(0.5, 0.99))
def test_either_order_and_more_confidence(differences: list[float], confidence: float) -> None:
    values = np.array(differences)
    found = n_needed(values, confidence=confidence)
    assert n_needed(-values, confidence=confidence) == found
    if found is not None:
        surer = n_needed(values, confidence=(1 + confidence) / 2)
        assert surer is not None
        assert 2 <= found <= surer


@pytest.mark.parametrize("differences", [[], [1.0], [0.0, 0.0], [0.5, -0.5], [0.1, 0.2, -0.3]])
def test_what_cannot_be_separated(differences: list[float]) -> None:
    assert n_needed(np.array(differences), confidence=0.95) is None


def test_the_same_difference_everywhere_needs_two() -> None:
    assert n_needed(np.full(9, 0.1), confidence=0.95) == 2


def test_of_evaluations() -> None:
    low, high = evaluation("low", DATA, [0, 0.5, 0.5, 0]), evaluation("high", DATA, [1, 0.5, 1, 0])
    differences = np.array([1, 0, 0.5, 0])
    expected = n_needed(differences, confidence=0.9, power=0.7)
    found = questions_needed(high, low, "recall@1", confidence=0.9, power=0.7)
    assert found == expected == 8
    assert questions_needed(low, low, "recall@1") is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"confidence": 1.0}, "confidence must be above 0 and below 1, got 1.0"),
        ({"power": 0.0}, "power must be above 0 and below 1, got 0.0"),
        ({"metric": "recall@2"}, "unknown metric 'recall@2' of 'low'"),
    ],
)
def test_wrong_options(options: dict[str, float | str], message: str) -> None:
    low = evaluation("low", DATA, [0, 0.5, 0.5, 0])
    with pytest.raises(ConfigError, match=message):
        questions_needed(low, low, **{"metric": "recall@1", **options})  # type: ignore[arg-type]


def test_the_least_margin_has_a_number() -> None:
    assert least_to_tie(1e-310, 0.95) == 2**62
