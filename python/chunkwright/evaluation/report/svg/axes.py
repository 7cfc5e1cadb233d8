"""Scales and their ticks."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, isclose, log, log10

# A step between ticks, in powers of ten.
STEPS = (1, 2, 2.5, 5, 10)
# Ticks of a logarithmic scale, coarse first; more of them where a scale is short.
DECADES = ((1,), (1, 2, 5), (1, 1.5, 2, 3, 5, 7))


def nice_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return round numbers that lie evenly between two numbers.

    Parameters
    ----------
    low, high
        The ends; ``low < high``.
    most
        At most so many are returned, at least 2.

    Examples
    --------
    >>> from chunkwright.evaluation.report.svg.axes import nice_ticks
    >>> nice_ticks(0.61, 0.93)
    [0.65, 0.7, 0.75, 0.8, 0.85, 0.9]
    """
    unit = 10 ** floor(log10((high - low) / most))
    for step in (unit * factor for factor in STEPS):
        first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
        if last - first < most:
            break
    # Twelve digits leave out what binary fractions add.
    return [float(f"{i * step:.12g}") for i in range(first, last + 1)]


def log_ticks(low: float, high: float, least: int = 3) -> list[float]:
    """Return round numbers between two positive numbers, for a logarithmic scale.

    Examples
    --------
    >>> from chunkwright.evaluation.report.svg.axes import log_ticks
    >>> log_ticks(40, 700)
    [50.0, 100.0, 200.0, 500.0]
    """
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    for digits in DECADES:
        ticks = [float(digit * 10.0**power) for power in powers for digit in digits]
        inside = [tick for tick in ticks if low <= tick <= high]
        if len(inside) >= least:
            return inside
    return nice_ticks(low, high)


@dataclass(frozen=True)
class Scale:
    """Where numbers between ``low`` and ``high`` lie between two pixels.

    Parameters
    ----------
    low, high
        The numbers at the ends; ``low < high``, and both positive for ``log``.
    start, end
        The pixels there; from bottom to top ``start > end``.
    log
        Whether equal ratios, not equal differences, are equally far apart.
    """

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, value: float) -> float:
        """Return the pixel of a number."""
        if self.log:
            share = log(value / self.low) / log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    @property
    def ticks(self) -> list[float]:
        """Round numbers on the scale."""
        return log_ticks(self.low, self.high) if self.log else nice_ticks(self.low, self.high)


def padded(values: list[float], by: float = 0.12, least: float = 0.02) -> tuple[float, float]:
    """Return ends that leave room on both sides of numbers, also where all are equal.

    Parameters
    ----------
    values
        The numbers; none are like a single 0.
    by
        The room on each side, as a share of what they span.
    least
        The smallest room.
    """
    low, high = min(values, default=0.0), max(values, default=0.0)
    room = max(by * (high - low), least)
    return low - room, high + room


def padded_log(values: list[float], by: float = 1.25) -> tuple[float, float]:
    """Return ends that leave room on both sides of numbers on a logarithmic scale.

    Numbers below 1 count as 1.
    """
    known = [max(value, 1.0) for value in values] or [1.0]
    return min(known) / by, max(known) * by


def shown(value: float) -> str:
    """Show a tick."""
    return f"{value:,.0f}" if isclose(value, round(value), abs_tol=1e-9) else f"{value:,g}"
