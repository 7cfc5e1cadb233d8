"""Bars of intervals: where a difference and the ends of its interval stand on a common scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from chunkwright.evaluation.confidence.bootstrap import Interval

WIDTH = 100
"""The width of a bar; zero stands in its middle."""

# What is left free at each end, so that a dot there is whole.
_MARGIN = 4


class Bar(NamedTuple):
    """Places on a scale from 0 to `WIDTH`, on which a difference of zero is in the middle.

    Attributes
    ----------
    low, high
        The ends of the interval.
    middle
        The difference.
    """

    low: float
    middle: float
    high: float


def bars(intervals: Sequence[Interval | None]) -> list[Bar | None]:
    """Return a bar for each interval, all of one scale; None where there is no interval.

    Examples
    --------
    >>> from chunkwright.evaluation.confidence.bootstrap import Interval
    >>> from chunkwright.evaluation.report.bars import bars
    >>> bars([Interval(0.02, -0.02, 0.04, "recall@5", 0.95), None])
    [Bar(low=27.0, middle=73.0, high=96.0), None]
    """
    known = [each for each in intervals if each is not None]
    reach = max((abs(end) for each in known for end in each[:3]), default=0.0)
    return [None if each is None else _bar(each, reach) for each in intervals]


def _bar(interval: Interval, reach: float) -> Bar:
    return Bar(
        _place(interval.low, reach),
        _place(interval.difference, reach),
        _place(interval.high, reach),
    )


def _place(difference: float, reach: float) -> float:
    share = difference / reach if reach else 0.0
    return round(WIDTH / 2 + share * (WIDTH / 2 - _MARGIN), 1)
