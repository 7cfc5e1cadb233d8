"""Paired bootstrap: confidence intervals for the difference of two evaluations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chunkwright.errors import ConfigError, nearest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkwright.evaluation.scores.result import Evaluation

# Numbers that are drawn at a time: 8 MB of indices.
_BLOCK = 1 << 20


class Interval(NamedTuple):
    """The difference between the means of two evaluations, with its interval.

    Attributes
    ----------
    difference
        The mean of the first less that of the second.
    low, high
        The ends of the interval.
    metric
        The metric.
    confidence
        The confidence level of the interval, from 0 to 1.
    """

    difference: float
    low: float
    high: float
    metric: str
    confidence: float

    @property
    def excludes_zero(self) -> bool:
        """Whether the two differ by more than the choice of questions explains."""
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

    A paired bootstrap: questions are drawn with replacement, as many as there are, many times, and
    the interval lies between two percentiles of the mean differences of these draws. It says how
    much the difference depends on the choice of questions, and nothing about other corpora.

    The same evaluations, options and seed give the same interval.

    Parameters
    ----------
    a, b
        The evaluations; the difference is ``a`` minus ``b``.
    metric
        The metric to compare.
    confidence
        The share of draws within the interval, above 0 and below 1.
    n_resamples
        How often questions are drawn.
    seed
        The seed of the generator, NumPy's PCG64.

    Returns
    -------
    Interval
        The difference of the means, and its interval.

    Raises
    ------
    ConfigError
        If their questions differ; if the metric is unknown, or not a number for each question; if
        an option is out of range.
    """
    differences = paired_differences(a, b, metric)
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
    check_share("confidence", confidence)
    check_draws(n_resamples, seed)
    if not len(values):
        return 0.0, 0.0
    means = _means_of_draws(values, n_resamples, seed)
    tail = (1 - confidence) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return float(low), float(high)


def paired_differences(a: Evaluation, b: Evaluation, metric: str) -> NDArray[np.float64]:
    """Return how much more one evaluation scored than another, question by question.

    Raises
    ------
    ConfigError
        If they are not of the same questions; if the metric is unknown, or not a number for a
        question.
    """
    check_same_questions(a, b)
    return scores_of(a, metric) - scores_of(b, metric)


def check_same_questions(a: Evaluation, b: Evaluation) -> None:
    """Raise :class:`ConfigError` if two evaluations are not of the same questions."""
    if a.dataset.questions != b.dataset.questions:
        names = f"{a.name!r} and {b.name!r}"
        raise ConfigError(f"{names} are not evaluations of the same questions")


def scores_of(evaluation: Evaluation, metric: str) -> NDArray[np.float64]:
    """Return what each question scored, if all did.

    Raises
    ------
    ConfigError
        If the metric is unknown, or not a number for a question.
    """
    scores = evaluation.scores.get(metric)
    if scores is None:
        hint = nearest(metric, list(evaluation.scores))
        raise ConfigError(f"unknown metric {metric!r} of {evaluation.name!r}: {hint}")
    if not np.isfinite(scores).all():
        question = int(np.flatnonzero(~np.isfinite(scores))[0])
        value = float(scores[question])
        raise ConfigError(f"{metric} of {evaluation.name!r}, question {question}: {value}")
    return scores


def draws(n: int, n_resamples: int, seed: int) -> Iterator[NDArray[np.uint32]]:
    """Yield resamples of questions, a block of them at a time.

    The same arguments give the same resamples, so that runs are paired.

    Parameters
    ----------
    n
        How many questions there are, at least one.
    n_resamples
        How many resamples are drawn.
    seed
        Where the generator, NumPy's PCG64, starts.

    Yields
    ------
    array of uint32
        A row a resample: the numbers of ``n`` questions, drawn with replacement. Some million
        numbers, or one row of more.
    """
    generator = np.random.Generator(np.random.PCG64(seed))
    n_rows = max(1, _BLOCK // n)
    for first in range(0, n_resamples, n_rows):
        size = (min(n_rows, n_resamples - first), n)
        yield generator.integers(n, size=size, dtype=np.uint32)


def check_share(name: str, value: float) -> None:
    """Raise :class:`ConfigError` if a value is not above 0 and below 1."""
    if not 0 < value < 1:
        raise ConfigError(f"{name} must be above 0 and below 1, got {value!r}")


def check_draws(n_resamples: int, seed: int) -> None:
    """Raise :class:`ConfigError` if resamples cannot be drawn so."""
    if n_resamples < 1:
        raise ConfigError(f"n_resamples must be at least 1, got {n_resamples!r}")
    if seed < 0:
        raise ConfigError(f"seed must be a number from 0, got {seed!r}")


def _means_of_draws(
    values: NDArray[np.float64], n_resamples: int, seed: int
) -> NDArray[np.float64]:
    blocks = draws(len(values), n_resamples, seed)
    return np.concatenate([values[drawn].mean(axis=1) for drawn in blocks])


def in_words(interval: Interval) -> str:
    """Say a difference and its interval, in points of percent.

    Examples
    --------
    >>> from chunkwright.evaluation.confidence.bootstrap import Interval, in_words
    >>> in_words(Interval(0.041, 0.014, 0.07, "recall@5", 0.95))
    '+4.1 [+1.4, +7.0]'
    """
    return f"{points(interval.difference)} [{points(interval.low)}, {points(interval.high)}]"


def points(difference: float) -> str:
    """Show a difference of shares in points of percent, with its sign."""
    shown = f"{100 * difference:+.1f}"
    # Zero has no sign; the minus is the character that is as wide as a plus.
    return shown.replace("-", "−") if float(shown) else "0.0"
