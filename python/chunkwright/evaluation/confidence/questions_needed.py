"""Number of questions needed to tell two runs apart, or to call them equally good."""

from __future__ import annotations

from math import ceil, log, log1p, log2
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from chunkwright.checks import MAX_SIZE
from chunkwright.evaluation.confidence.bootstrap import check_share, paired_differences

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkwright.evaluation.scores.result import Evaluation

POWER = 0.8
"""Default power: how often so many questions are to find the difference."""

# Mean differences below this come from rounding.
_ROUNDING = 1e-12
# A standard deviation needs as many questions.
_LEAST = 2


def questions_needed(
    a: Evaluation,
    b: Evaluation,
    metric: str = "recall@5",
    *,
    confidence: float = 0.95,
    power: float = POWER,
) -> int | None:
    """Return how many questions would separate two runs, if they differ as much as they do here.

    The sample size of a paired comparison of two means, by the normal approximation:
    ``n = ((z(1 - alpha / 2) + z(power)) * s / d)**2``, with the mean ``d`` and the standard
    deviation ``s`` of the paired differences, and ``alpha = 1 - confidence``. See Chow,
    Shao and Wang, "Sample Size Calculations in Clinical Research", the chapter on comparing means;
    for test collections Sakai, "Topic set size design", Information Retrieval Journal 19, 2016.

    It is an estimate, because the difference itself is measured on few questions. The lead of a run
    that was chosen because it leads is usually too large; then more questions are needed.

    Parameters
    ----------
    a, b
        Evaluations of the same questions.
    metric
        The metric to compare.
    confidence
        The confidence of the interval of the difference, above 0 and below 1.
    power
        The probability that this interval excludes 0, above 0 and below 1.

    Returns
    -------
    int or None
        At least 2. None if the runs cannot be separated: their means are equal, or there is only
        one question.

    Raises
    ------
    ConfigError
        If they are not of the same questions; if the metric is unknown, or not a number for a
        question; if an option is out of range.

    Examples
    --------
    >>> import chunkwright as cw
    >>> from chunkwright.evaluation import Dataset, evaluate, questions_needed
    >>> folder = "examples/evaluation"
    >>> data = Dataset.read(f"{folder}/corpora", f"{folder}/questions.jsonl")
    >>> small, large = (evaluate(cw.Recursive(max_tokens=n), data, cutoffs=1) for n in (32, 128))
    >>> questions_needed(large, small, "recall@1") > len(data.questions)
    True
    """
    return n_needed(paired_differences(a, b, metric), confidence=confidence, power=power)


def n_needed(
    differences: NDArray[np.float64], *, confidence: float, power: float = POWER
) -> int | None:
    """Return how many questions would show that the mean of such differences is not 0.

    Parameters
    ----------
    differences
        One for each question that was asked.
    confidence, power
        See :func:`questions_needed`.

    Raises
    ------
    ConfigError
        If an option is out of range.
    """
    check_share("confidence", confidence)
    check_share("power", power)
    if len(differences) < _LEAST or abs(mean := float(differences.mean())) <= _ROUNDING:
        return None
    normal = NormalDist()
    quantiles = normal.inv_cdf((1 + confidence) / 2) + normal.inv_cdf(power)
    # A very low power would need less than no question: take the least number.
    effect = mean / float(differences.std(ddof=1)) if np.ptp(differences) else np.inf
    return max(_LEAST, ceil((max(quantiles, 0) / effect) ** 2))


def n_to_tie(
    differences: NDArray[np.float64], *, margin: float, confidence: float, power: float = POWER
) -> int | None:
    """Return how many questions would show that a run is worse than another by no more than this.

    Parameters
    ----------
    differences
        The scores of the run less those of the other, one for each question that was asked.
    margin
        What it may be worse by, above 0 and below 1.
    confidence, power
        See :func:`questions_needed`.

    Returns
    -------
    int or None
        Not less than :func:`least_to_tie`. None if it is worse by the margin or more as measured,
        or if there is but one question.

    Raises
    ------
    ConfigError
        If an option is out of range.
    """
    least = least_to_tie(margin, confidence)
    if not len(differences) or float(differences.mean()) <= -margin:
        return None
    n = n_needed(differences + margin, confidence=confidence, power=power)
    return None if n is None else max(least, n)


def least_to_tie(margin: float, confidence: float) -> int:
    """Return how many questions it takes at least to show that a run loses no more than a margin.

    Of ``n`` questions that all scored alike it follows that less than the share ``u`` of all
    questions of this kind does not, with ``(1 - u)**n = alpha / 2``, and each of those may lose
    all. Resampling cannot see this: of differences that are all 0 its interval has no width.

    Parameters
    ----------
    margin, confidence
        Above 0 and below 1.

    Raises
    ------
    ConfigError
        If an option is out of range.

    Examples
    --------
    >>> from chunkwright.evaluation.confidence.questions_needed import least_to_tie
    >>> least_to_tie(0.02, 0.95), least_to_tie(0.1, 0.95)
    (183, 36)
    """
    check_share("margin", margin)
    check_share("confidence", confidence)
    # The least margins would need more than any number has.
    return ceil(min(log((1 - confidence) / 2) / log1p(-margin), MAX_SIZE))


def least_to_differ(confidence: float) -> int:
    """Return on how many questions two runs differ at least where one is shown to be worse.

    By the sign test: with fewer questions that differ, all in the same direction is no rare chance.

    Raises
    ------
    ConfigError
        If the confidence is not above 0 and below 1.

    Examples
    --------
    >>> from chunkwright.evaluation.confidence.questions_needed import least_to_differ
    >>> least_to_differ(0.95)
    6
    """
    check_share("confidence", confidence)
    return ceil(1 - log2(1 - confidence))
