"""Intervals as bars: how much better or worse each run is, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chunkwright.evaluation.report.markup import clipped, element, escaped
from chunkwright.evaluation.report.svg.axes import Scale, padded, shown
from chunkwright.evaluation.report.svg.labels import width_of
from chunkwright.evaluation.report.svg.scatter import MOST, PICTURE, line, words

WIDTH, ROW, TOP, BOTTOM = 640, 24, 8, 46
# The most that names take of the width, and what the numbers behind the bars need.
NAMES, NUMBERS = 234, 144
CAP, RADIUS = 4, 4


@dataclass(frozen=True)
class Bar:
    """A difference in points of percent, and the interval that it lies in.

    Parameters
    ----------
    name
        Whose it is.
    difference, low, high
        ``low <= difference <= high``, but for rounding.
    text
        The same in words.
    """

    name: str
    difference: float
    low: float
    high: float
    text: str

    @property
    def kind(self) -> str:
        """Whether it is better, worse, or neither for sure."""
        return "better" if self.low > 0 else "worse" if self.high < 0 else "unsure"


def interval_bars(bars: Sequence[Bar], title: str, *, x_title: str) -> str:
    """Draw a row for each bar, with a line at zero through all of them.

    Parameters
    ----------
    bars
        From top to bottom.
    title
        What the picture shows, for those who cannot see it.
    x_title
        What the axis counts.
    """
    names = [clipped(bar.name, MOST) for bar in bars]
    left = min(NAMES, max(map(width_of, names), default=0)) + 12
    ends = [end for bar in bars for end in (bar.low, bar.high)]
    scale = Scale(*padded([0.0, *ends], by=0.06, least=0.5), left, WIDTH - NUMBERS)
    bottom = TOP + ROW * len(bars)
    rows = (_row(names[i], bar, scale, TOP + ROW * (i + 0.5)) for i, bar in enumerate(bars))
    return element(
        "svg",
        element("title", escaped(title)),
        *_grid(scale, bottom, x_title),
        *(part for row in rows for part in row),
        viewBox=f"0 0 {WIDTH} {bottom + BOTTOM}",
        **PICTURE,
    )


def _grid(scale: Scale, bottom: float, x_title: str) -> Iterator[str]:
    for tick in scale.ticks:
        x = scale(tick)
        yield line(x, TOP, x, bottom, "zero" if tick == 0 else "grid")
        yield words(x, bottom + 17, shown(tick), "tick", "middle")
    yield words((scale.start + scale.end) / 2, bottom + 38, x_title, "tick", "middle")


def _row(name: str, bar: Bar, scale: Scale, y: float) -> Iterator[str]:
    room = scale.start - 12
    fitting = {"textLength": f"{room:.1f}", "lengthAdjust": "spacingAndGlyphs"}
    yield words(room, y + 4, name, "label", "end", **(fitting if width_of(name) > room else {}))
    low, high = scale(bar.low), scale(bar.high)
    dot = element("circle", cx=f"{scale(bar.difference):.1f}", cy=f"{y:.1f}", r=RADIUS)
    yield element(
        "g",
        element("title", escaped(f"{bar.name}: {bar.text}")),
        line(low, y, high, y, "whisker"),
        *(line(x, y - CAP, x, y + CAP, "whisker") for x in (low, high)),
        dot,
        class_=bar.kind,
    )
    yield words(WIDTH - NUMBERS + 10, y + 4, bar.text, "number")
