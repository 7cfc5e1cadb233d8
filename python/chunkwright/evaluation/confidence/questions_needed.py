"""Number of questions needed to tell two runs apart."""

from __future__ import annotations

from math import ceil
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from chunkwright.evaluation.confidence.bootstrap import check_share, paired_differences

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkwright.evaluation.result import Evaluation

POWER = 0.8
"""How often so many questions are to find the difference, if nothing is said."""

# Mean differences below are nothing but rounding.
_ROUNDING = 1e-12
# Of fewer questions there is no standard deviation.
_LEAST = 2


def questions_needed(
    a: Evaluation,
    b: Evaluation,
    metric: str = "recall@5",
    *,
    confidence: float = 0.95,
    power: float = POWER,
) -> int | None:
    r"""Return how many questions would tell two runs apart, if they differ as much as they do here.

    The sample size of a paired comparison of two means, by the normal approximation:
    :math:`n = ((z_{1 - \alpha/2} + z_{power})\, s / d)^2`, with the mean ``d`` and the standard
    deviation ``s`` of the paired differences, and :math:`\alpha` = 1 - ``confidence``. See Chow,
    Shao and Wang, "Sample Size Calculations in Clinical Research", the chapter on comparing means;
    for test collections Sakai, "Topic set size design", Information Retrieval Journal 19, 2016.

    It is an estimate. The difference is itself measured on few questions, and that of a run which
    was chosen because it leads is rather too large: then more are needed.

    Parameters
    ----------
    a, b
        Evaluations of the same questions.
    metric
        What is compared.
    confidence
        How much confidence the interval of the difference has, above 0 and below 1.
    power
        How often that interval is to exclude 0 with so many questions, above 0 and below 1.

    Returns
    -------
    int or None
        At least 2. None if they cannot be told apart: their means are the same, or there is but
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
    # With a power so low that less than nothing is needed, the fewest questions do.
    effect = mean / float(differences.std(ddof=1)) if np.ptp(differences) else np.inf
    return max(_LEAST, ceil((max(quantiles, 0) / effect) ** 2))
