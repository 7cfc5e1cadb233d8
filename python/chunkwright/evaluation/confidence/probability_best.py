"""Probability of being the best run of all, by resampling the questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chunkwright.errors import ConfigError
from chunkwright.evaluation.confidence.bootstrap import (
    check_draws,
    check_same_questions,
    draws,
    interval,
    paired_differences,
    scores_of,
)
from chunkwright.evaluation.confidence.questions_needed import (
    least_to_differ,
    least_to_tie,
    n_needed,
    n_to_tie,
)
from chunkwright.evaluation.scores.cutoffs import cutoff_of, tokens_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkwright.evaluation.scores.result import Evaluation


# Sums of whole numbers up to this are exact in float64, in whatever order they are summed.
_EXACT_BITS = 52


def probability_best(
    evaluations: Sequence[Evaluation],
    metric: str = "recall@5",
    *,
    n_resamples: int = 10_000,
    seed: int = 0,
) -> NDArray[np.float64]:
    """Return for each run the share of resamples of the questions in which it is the best of all.

    Each resample draws as many questions as there are, with replacement, the same for all runs. The
    run with the highest mean is the best of the draw; of equal means, the run that retrieved fewer
    tokens for these questions; if these are equal, too, the draw is shared. An interval compares
    two runs, this function all: of forty runs that are equally good, one leads, but is the best in
    few draws.

    The same evaluations, options and seed give the same numbers. Takes O(questions x resamples x
    runs) in time; some 40 MB, and the scores once more, in memory.

    Parameters
    ----------
    evaluations
        Runs over the same questions, at least one.
    metric
        The metric.
    n_resamples
        The number of resamples.
    seed
        The seed of the generator, NumPy's PCG64; it draws the same questions as
        :func:`chunkwright.evaluation.compare`.

    Returns
    -------
    array of float64
        A share for each run, in their order, shape ``(n,)``. They add up to 1.

    Raises
    ------
    ConfigError
        If there is no run or no question; if the questions of the runs differ; if the metric is
        unknown, or not a number for some question; if an option is out of range.

    Examples
    --------
    >>> import chunkwright as cw
    >>> from chunkwright.evaluation import Dataset, Excerpt, Question, evaluate, probability_best
    >>> text = "The mill was built in 1743. It burnt down twice."
    >>> built = Question("When was the mill built?", "mill", (Excerpt(text[:27], 0, 27),))
    >>> dataset = Dataset({"mill": text}, (built,))
    >>> runs = [evaluate(cw.Sentence(sentences=n), dataset, cutoffs=1) for n in (1, 2)]
    >>> probability_best(runs, "recall@1").tolist()  # the same recall, and fewer tokens
    [1.0, 0.0]
    """
    check_draws(n_resamples, seed)
    if not evaluations:
        raise ConfigError("there is no run that could be the best")
    first = evaluations[0]
    for run in evaluations[1:]:
        check_same_questions(first, run)
    scores = np.stack([scores_of(run, metric) for run in evaluations])
    if not scores.shape[1]:
        raise ConfigError("there is no question to draw")
    cutoff = cutoff_of(metric)
    tokens = None
    if cutoff is not None:
        tokens = np.stack([run.retrieved_tokens[tokens_name(cutoff)] for run in evaluations])
    return win_shares(scores, tokens, n_resamples=n_resamples, seed=seed)


def win_shares(
    scores: NDArray[np.float64],
    tokens: NDArray[np.int64] | None,
    *,
    n_resamples: int,
    seed: int,
) -> NDArray[np.float64]:
    """Return for each run the share of resamples in which its mean score is the highest.

    Means that differ by less than the rounding of scores can make are the same.

    Parameters
    ----------
    scores
        From 0 to 1, of shape (runs, questions), with at least one of each.
    tokens
        What settles ties by being less, of the same shape; None: nothing does.
    n_resamples, seed
        See :func:`probability_best`.
    """
    n_runs, n = scores.shape
    bits = _EXACT_BITS - n.bit_length()
    units = np.rint(scores * 2.0**bits).T
    costs = None if tokens is None else tokens.T.astype(np.float64)
    # Rows: how many runs share a draw.
    n_won = np.zeros((n_runs + 1, n_runs), dtype=np.int64)
    for drawn in draws(n, n_resamples, seed):
        counts = _counts(drawn)
        sums = counts @ units
        # Each score is rounded by half a unit at most.
        is_best = sums >= sums.max(axis=1, keepdims=True) - n
        is_tied = is_best.sum(axis=1) > 1
        if costs is not None and is_tied.any():
            spent = np.where(is_best[is_tied], counts[is_tied] @ costs, np.inf)
            is_best[is_tied] = spent == spent.min(axis=1, keepdims=True)
        np.add.at(n_won, is_best.sum(axis=1), is_best)
    shared_by = np.arange(1, n_runs + 1)[:, None]
    shares: NDArray[np.float64] = (n_won[1:] / shared_by).sum(axis=0) / n_resamples
    return shares


def _counts(drawn: NDArray[np.uint32]) -> NDArray[np.float64]:
    """Return how often each question is in each resample."""
    n_rows, n = drawn.shape
    cells = drawn + np.arange(n_rows, dtype=np.int64)[:, None] * n
    return np.bincount(cells.ravel(), minlength=n_rows * n).reshape(n_rows, n).astype(np.float64)


# Means that differ by less differ by rounding.
_ROUNDING = 1e-12


class Standing(Enum):
    """Verdict of the questions on a run beside the best."""

    AS_GOOD = "as good"
    WORSE = "worse"
    UNDECIDED = "undecided"


class Standings(NamedTuple):
    """Runs beside the best, by their standing.

    Parameters
    ----------
    as_good, undecided
        The names of those that are shown to be as good, and of those that are neither that nor
        shown to be worse.
    questions_to_choose
        How many questions would decide; None if a run is as good, if none is undecided, or if
        nothing follows from those asked.
    """

    as_good: tuple[str, ...]
    undecided: tuple[str, ...]
    questions_to_choose: int | None


@dataclass(frozen=True, kw_only=True)
class Criteria:
    """Options that decide whether a run is as good as the best.

    Parameters
    ----------
    confidence, n_resamples, seed
        Those of the intervals.
    margin
        How much worse than the best a run may be that is called as good.
    power
        How often a number of questions would do.
    """

    confidence: float
    margin: float
    power: float
    n_resamples: int
    seed: int

    def standing(self, differences: NDArray[np.float64]) -> Standing:
        """Return the standing of a run, by its scores less those of the best."""
        low, high = interval(
            differences,
            confidence=self.confidence,
            n_resamples=self.n_resamples,
            seed=self.seed,
        )
        n_least = least_to_tie(self.margin, self.confidence)
        if low >= -self.margin - _ROUNDING and len(differences) >= n_least:
            return Standing.AS_GOOD
        n_different = np.count_nonzero(np.abs(differences) > _ROUNDING)
        if high < 0 and n_different >= least_to_differ(self.confidence):
            return Standing.WORSE
        return Standing.UNDECIDED

    def standings(self, ranked: Sequence[Evaluation], metric: str) -> Standings:
        """Return the standings of runs beside the first of them."""
        best, *others = ranked
        differences = {run.name: paired_differences(run, best, metric) for run in others}
        found = {name: self.standing(each) for name, each in differences.items()}
        as_good = tuple(name for name, each in found.items() if each is Standing.AS_GOOD)
        unsure = tuple(name for name, each in found.items() if each is Standing.UNDECIDED)
        open_ones = [] if as_good else [differences[name] for name in unsure]
        return Standings(as_good, unsure, self._to_choose(open_ones) if open_ones else None)

    def _to_choose(self, undecided: Sequence[NDArray[np.float64]]) -> int | None:
        """Return how many questions show that one of these runs is as good, or all are worse."""
        likely = {"confidence": self.confidence, "power": self.power}
        ties = [n_to_tie(each, margin=self.margin, **likely) for each in undecided]
        losses = [n_needed(each, **likely) for each in undecided]
        enough = [n for n in ties if n is not None]
        known = [n for n in losses if n is not None]
        if len(known) == len(losses):
            enough.append(max(known))
        # The questions asked were not enough, whatever the approximation says.
        return max(min(enough), len(undecided[0]) + 1) if enough else None
