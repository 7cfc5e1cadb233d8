"""Probability of being the best run of all, by resampling the questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from chunkwright.errors import ConfigError
from chunkwright.evaluation.confidence.bootstrap import (
    check_draws,
    check_same_questions,
    draws,
    scores_of,
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

    The questions are drawn with replacement, as many as there are, again and again, the same for
    all runs; of each draw the run with the highest mean is the best. Among runs with the same mean
    the one that retrieved fewer tokens for the questions drawn is; if these are the same, too,
    the draw is shared. An interval compares two runs. This compares all: of forty runs that
    are equally good, one leads, and is the best in few draws.

    The same evaluations, options and seed give the same numbers. Takes O(questions x resamples x
    runs) in time; some 40 MB, and the scores once more, in memory.

    Parameters
    ----------
    evaluations
        Runs over the same questions, at least one.
    metric
        What counts.
    n_resamples
        How often questions are drawn.
    seed
        Where the generator, NumPy's PCG64, starts; it draws the same questions as
        :func:`chunkwright.evaluation.compare`.

    Returns
    -------
    array of float64
        A share for each run, in their order. Together they are 1.

    Raises
    ------
    ConfigError
        If there is no run or no question; if the runs are not of the same questions; if the metric
        is unknown, or not a number for a question; if an option is out of range.

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
