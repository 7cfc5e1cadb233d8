"""Paired bootstrap: confidence intervals for the difference of two evaluations."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chunkwright.errors import ConfigError, nearest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkwright.evaluation.result import Evaluation

# Numbers that are drawn at a time: 8 MB of indices.
_BLOCK = 1 << 20


class Interval(NamedTuple):
    """How much higher one evaluation's mean is than another's, and where that difference may lie.

    Attributes
    ----------
    difference
        The mean of the first less that of the second.
    low, high
        The ends of the interval.
    metric
        What was compared.
    confidence
        How often such an interval holds the true difference, from 0 to 1.
    """

    difference: float
    low: float
    high: float
    metric: str
    confidence: float

    @property
    def excludes_zero(self) -> bool:
        """Whether the two differ by more than the questions' luck explains."""
        return self.low > 0 or self.high < 0


def compare(  # noqa: PLR0913 - what is compared, and how
    a: Evaluation,
    b: Evaluation,
    metric: str = "recall@5",
    *,
    confidence: float = 0.95,
    n_resamples: int = 10_000,
    seed: int = 0,
) -> Interval:
    """Compare two evaluations of the same questions.

    A paired bootstrap: questions are drawn with replacement, as many as there are, again and again,
    and of each draw the mean difference is taken; the interval is that between two percentiles of
    these. It says how far the difference depends on which questions were asked, and nothing of
    other corpora.

    The same evaluations, options and seed give the same interval.

    Parameters
    ----------
    a, b
        The evaluations; ``a`` less ``b`` is what is told.
    metric
        What is compared.
    confidence
        How much of the draws the interval holds, above 0 and below 1.
    n_resamples
        How often questions are drawn.
    seed
        Where the generator, NumPy's PCG64, starts.

    Returns
    -------
    Interval
        The difference of the means, and its interval.

    Raises
    ------
    ConfigError
        If they are not of the same questions; if the metric is unknown, or not a number for a
        question; if an option is out of range.
    """
    if a.dataset.questions != b.dataset.questions:
        names = f"{a.name!r} and {b.name!r}"
        raise ConfigError(f"{names} are not evaluations of the same questions")
    differences = _scores(a, metric) - _scores(b, metric)
    low, high = interval(differences, confidence=confidence, n_resamples=n_resamples, seed=seed)
    mean = float(differences.mean()) if len(differences) else 0.0
    return Interval(mean, low, high, metric, confidence)


def interval(
    values: NDArray[np.float64], *, confidence: float, n_resamples: int, seed: int
) -> tuple[float, float]:
    """Return the percentile interval of the mean of values, by drawing them anew.

    O(values x resamples) in time; a number for each resample and some 16 MB in memory. ``(0, 0)``
    if there is no value.

    Parameters
    ----------
    values
        One for each question.
    confidence
        How much of the draws the interval holds, above 0 and below 1.
    n_resamples
        How often values are drawn.
    seed
        Where the generator starts.

    Raises
    ------
    ConfigError
        If an option is out of range.
    """
    if not 0 < confidence < 1:
        raise ConfigError(f"confidence must be above 0 and below 1, got {confidence!r}")
    if n_resamples < 1:
        raise ConfigError(f"n_resamples must be at least 1, got {n_resamples!r}")
    if seed < 0:
        raise ConfigError(f"seed must be a number from 0, got {seed!r}")
    if not len(values):
        return 0.0, 0.0
    means = _means_of_draws(values, n_resamples, np.random.Generator(np.random.PCG64(seed)))
    tail = (1 - confidence) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return float(low), float(high)


def _means_of_draws(
    values: NDArray[np.float64], n_resamples: int, generator: np.random.Generator
) -> NDArray[np.float64]:
    n = len(values)
    means = np.empty(n_resamples)
    n_rows = max(1, _BLOCK // n)
    for first in range(0, n_resamples, n_rows):
        block = means[first : first + n_rows]
        drawn = generator.integers(n, size=(len(block), n), dtype=np.uint32)
        values[drawn].mean(axis=1, out=block)
    return means


def _scores(evaluation: Evaluation, metric: str) -> NDArray[np.float64]:
    """Return what each question scored, if all did."""
    scores = evaluation.scores.get(metric)
    if scores is None:
        hint = nearest(metric, list(evaluation.scores))
        raise ConfigError(f"unknown metric {metric!r} of {evaluation.name!r}: {hint}")
    if not np.isfinite(scores).all():
        question = int(np.flatnonzero(~np.isfinite(scores))[0])
        value = float(scores[question])
        raise ConfigError(f"{metric} of {evaluation.name!r}, question {question}: {value}")
    return scores


def in_words(interval: Interval) -> str:
    """Say a difference and its interval, in points of percent.

    Examples
    --------
    >>> from chunkwright.evaluation.bootstrap import Interval, in_words
    >>> in_words(Interval(0.041, 0.014, 0.07, "recall@5", 0.95))
    '+4.1 [+1.4, +7.0]'
    """
    return f"{points(interval.difference)} [{points(interval.low)}, {points(interval.high)}]"


def points(difference: float) -> str:
    """Show a difference of shares in points of percent, with its sign."""
    shown = f"{100 * difference:+.1f}"
    # Nothing is neither more nor less; a minus is as wide as a plus.
    return shown.replace("-", "−") if float(shown) else "0.0"
