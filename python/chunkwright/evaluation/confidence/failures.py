"""Retrieval failures: share of the answers that is not among the first hits, beside a twin run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chunkwright.evaluation.confidence.bootstrap import Interval, compare
from chunkwright.evaluation.scores.cutoffs import metric_name

if TYPE_CHECKING:
    from chunkwright.evaluation.scores.result import Evaluation

TOP = 20
"""Number of hits that count."""

METRIC = f"failures@{TOP}"
"""The name of the share."""

_RECALL = metric_name("recall", TOP)


class Failures(NamedTuple):
    """The retrieval failures of a run compared with those of its twin.

    Attributes
    ----------
    share
        The mean over questions of 1 - ``recall@20``.
    of_twin
        That of the twin.
    reduction
        The relative reduction of the twin's share: 0.35 is a third less, -0.1 a tenth more; None if
        the twin's share is 0.
    interval
        The difference of the two shares, with the paired interval of :func:`compare`.
    """

    share: float
    of_twin: float
    reduction: float | None
    interval: Interval


def compare_failures(
    run: Evaluation,
    twin: Evaluation,
    *,
    confidence: float = 0.95,
    n_resamples: int = 10_000,
    seed: int = 0,
) -> Failures:
    """Compare the retrieval failures of a run with those of its twin.

    Parameters
    ----------
    run, twin
        Evaluations of the same questions, with 20 among their cutoffs.
    confidence, n_resamples, seed
        Those of the interval; see :func:`compare`.

    Raises
    ------
    ConfigError
        If they are not of the same questions, or have no ``recall@20``, or an option is out of
        range.

    Examples
    --------
    >>> import chunkwright as cw
    >>> from chunkwright.evaluation import Dataset, Excerpt, Question, compare_failures, evaluate
    >>> text = "The mill was built in 1743. It burnt down twice."
    >>> burnt = Question("What is known of fires?", "mill", (Excerpt(text[28:], 28, 48),))
    >>> data = Dataset({"mill": text}, (burnt,))
    >>> sentences, whole = cw.Sentence(sentences=1), cw.Sentence(sentences=2)
    >>> runs = [evaluate(each, data, cutoffs=20) for each in (sentences, whole)]
    >>> found = compare_failures(*runs)
    >>> found.share, found.of_twin, found.reduction
    (1.0, 1.0, 0.0)
    """
    of_recall = compare(
        run, twin, _RECALL, confidence=confidence, n_resamples=n_resamples, seed=seed
    )
    share, of_twin = (1 - each.mean(_RECALL) for each in (run, twin))
    interval = Interval(
        0 - of_recall.difference,
        0 - of_recall.high,
        0 - of_recall.low,
        METRIC,
        of_recall.confidence,
    )
    return Failures(share, of_twin, 1 - share / of_twin if of_twin else None, interval)
