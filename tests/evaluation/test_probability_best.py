"""Probability of being the best run: against all resamples there are, and against a slow twin."""

from __future__ import annotations

import tracemalloc
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.errors import ConfigError
from chunkwright.evaluation import compare, probability_best
from chunkwright.evaluation.confidence import bootstrap
from chunkwright.evaluation.confidence.bootstrap import draws
from chunkwright.evaluation.confidence.probability_best import win_shares

from .made import dataset, evaluation

# Sevenths are no binary fractions: sums of them are equal only but for rounding.
SCORES = st.fractions(0, 1, max_denominator=7)


@st.composite
def runs(draw: st.DrawFn, most: int = 12) -> tuple[list[list[Fraction]], list[list[int]]]:
    n_runs, n = draw(st.integers(1, 5)), draw(st.integers(1, most))
    scores = st.lists(SCORES, min_size=n, max_size=n)
    tokens = st.lists(st.integers(0, 3), min_size=n, max_size=n)
    return [draw(scores) for _ in range(n_runs)], [draw(tokens) for _ in range(n_runs)]


def winners(
    scores: Sequence[Sequence[Fraction]], tokens: Sequence[Sequence[int]] | None, drawn: list[int]
) -> list[int]:
    """Return who wins a resample, with exact arithmetic."""
    sums = [sum((own[i] for i in drawn), Fraction()) for own in scores]
    best = [run for run, total in enumerate(sums) if total == max(sums)]
    if tokens is None:
        return best
    spent = {run: sum(tokens[run][i] for i in drawn) for run in best}
    return [run for run in best if spent[run] == min(spent.values())]


def shares(wins: list[list[int]], n_runs: int) -> list[float]:
    total = [Fraction()] * n_runs
    for each in wins:
        for run in each:
            total[run] += Fraction(1, len(each))
    return [float(each / len(wins)) for each in total]


def arrays(scores: list[list[Fraction]], tokens: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array(scores, dtype=np.float64), np.array(tokens, dtype=np.int64)


@given(runs(), st.integers(0, 9), st.booleans())
def test_each_resample_is_won_by_exact_arithmetic(
    given_runs: tuple[list[list[Fraction]], list[list[int]]], seed: int, has_tokens: bool
) -> None:
    scores, tokens = given_runs
    drawn = [row for block in draws(len(scores[0]), 60, seed) for row in block.tolist()]
    costs = tokens if has_tokens else None
    expected = shares([winners(scores, costs, row) for row in drawn], len(scores))
    values, counts = arrays(scores, tokens)
    found = win_shares(values, counts if has_tokens else None, n_resamples=60, seed=seed)
    assert found.tolist() == pytest.approx(expected, abs=1e-12)
    assert found.sum() == pytest.approx(1)


@given(runs(most=4), st.integers(0, 3))
def test_many_resamples_come_near_all_there_are(
    given_runs: tuple[list[list[Fraction]], list[list[int]]], seed: int
) -> None:
    scores, tokens = given_runs
    n = len(scores[0])
    every = [winners(scores, tokens, list(row)) for row in product(range(n), repeat=n)]
    found = win_shares(*arrays(scores, tokens), n_resamples=20_000, seed=seed)
    # Five standard deviations of a share of 20,000 draws.
    assert found.tolist() == pytest.approx(shares(every, len(scores)), abs=5 * 0.5 / 20_000**0.5)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(1)
    scores = generator.integers(0, 5, (4, 30)) / 4
    tokens = generator.integers(0, 9, (4, 30))
    whole = win_shares(scores, tokens, n_resamples=500, seed=3)
    # As many numbers as are drawn at a time without a pause: two for each word of the generator.
    monkeypatch.setattr(bootstrap, "_BLOCK", 300)
    assert win_shares(scores, tokens, n_resamples=500, seed=3).tolist() == whole.tolist()


def test_two_runs_agree_with_their_interval() -> None:
    data = dataset()
    low, high = evaluation("low", data, [0, 0.5, 0.5, 0]), evaluation("high", data, [1, 0.6, 1, 0])
    interval = compare(high, low, "recall@1")
    assert interval.low > 0
    assert probability_best([low, high], "recall@1")[1] > 0.97


def test_the_same_recall_for_fewer_tokens_is_better() -> None:
    data = dataset()
    runs = [evaluation(f"{size}", data, [1, 0, 1, 0], size=size) for size in (40, 20, 60, 20)]
    tokens = [run.mean("retrieved_tokens@1") for run in runs]
    assert tokens[1] == tokens[3] == min(tokens)
    # The second and the fourth are the same: they share.
    assert probability_best(runs, "recall@1").tolist() == [0, 0.5, 0, 0.5]
    # What depends on no search retrieves nothing that settles it.
    assert probability_best(runs, "precision_omega").tolist() == [0.25] * 4


def test_what_cannot_be_compared() -> None:
    data = dataset()
    run = evaluation("run", data, [0, 1, 0, 1])
    nobody = evaluation("nobody", dataset(asked=[]), [])
    with pytest.raises(ConfigError, match="there is no run"):
        probability_best([])
    with pytest.raises(ConfigError, match="no question to draw"):
        probability_best([nobody], "recall@1")
    with pytest.raises(ConfigError, match="'run' and 'nobody' are not evaluations of the same"):
        probability_best([run, nobody], "recall@1")
    with pytest.raises(ConfigError, match="unknown metric 'recall@5' of 'run'"):
        probability_best([run])
    with pytest.raises(ConfigError, match="n_resamples must be at least 1, got 0"):
        probability_best([run], "recall@1", n_resamples=0)
    with pytest.raises(ConfigError, match="seed must be a number from 0, got -1"):
        probability_best([run], "recall@1", seed=-1)


def test_memory_does_not_grow_with_resamples_and_hardly_with_runs() -> None:
    generator = np.random.default_rng(2)
    scores, tokens = generator.random((4, 200_000)), generator.integers(0, 9, (4, 200_000))
    tracemalloc.start()
    try:
        win_shares(scores, tokens, n_resamples=12, seed=0)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # The scores and the tokens once more, and some 40 MB.
    assert peak < 2 * scores.nbytes + tokens.nbytes + 45e6
