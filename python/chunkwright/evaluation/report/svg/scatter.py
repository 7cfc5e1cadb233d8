"""Points with names: how good each run is, against the size of its chunks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chunkwright.evaluation.report.markup import clipped, element, escaped
from chunkwright.evaluation.report.svg.axes import Scale, padded, padded_log, shown
from chunkwright.evaluation.report.svg.labels import Box, Label, placed

WIDTH, HEIGHT = 560, 400
LEFT, RIGHT, TOP, BOTTOM = 52, 14, 14, 46
RADIUS = 5
# Code points of a label.
MOST = 42
# What any picture is.
PICTURE = {
    "role": "img",
    "class_": "chart",
    "font_size": 11,
    "xmlns": "http://www.w3.org/2000/svg",
}


@dataclass(frozen=True)
class Point:
    """A run in the picture: percent, against tokens.

    Parameters
    ----------
    name
        Its label.
    x
        The mean size of its chunks, in tokens.
    y
        What it reached, in percent.
    about
        What a pointer over it shows.
    is_baseline
        Whether it is drawn hollow.
    """

    name: str
    x: float
    y: float
    about: str
    is_baseline: bool = False


def scatter(points: Sequence[Point], title: str, *, y_title: str) -> str:
    """Draw points, each with its name, if there is room for it.

    Parameters
    ----------
    points
        The runs.
    title
        What the picture shows, for those who cannot see it.
    y_title
        What the axis from bottom to top counts.
    """
    across = Scale(*padded_log([p.x for p in points]), LEFT, WIDTH - RIGHT, log=True)
    upwards = Scale(*padded([p.y for p in points], least=1), HEIGHT - BOTTOM, TOP)
    at = [(across(max(p.x, 1.0)), upwards(p.y)) for p in points]
    names = [clipped(p.name, MOST) for p in points]
    labels = placed(names, at, Box(LEFT, TOP, WIDTH, HEIGHT - BOTTOM))
    return element(
        "svg",
        element("title", escaped(title)),
        *_grid(across, upwards, y_title),
        *(_leader(*at[i], label) for i, label in enumerate(labels) if label and label.is_far),
        *(_dot(*at[i], point) for i, point in enumerate(points)),
        *(_label(names[i], label) for i, label in enumerate(labels) if label),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        **PICTURE,
    )


def _grid(across: Scale, upwards: Scale, y_title: str) -> Iterator[str]:
    for tick in across.ticks:
        x = across(tick)
        yield line(x, TOP, x, HEIGHT - BOTTOM, "grid")
        yield words(x, HEIGHT - BOTTOM + 17, shown(tick), "tick", "middle")
    for tick in upwards.ticks:
        y = upwards(tick)
        yield line(LEFT, y, WIDTH - RIGHT, y, "grid")
        yield words(LEFT - 7, y + 4, shown(tick), "tick", "end")
    yield line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "axis")
    centre = (LEFT + WIDTH - RIGHT) / 2
    yield words(centre, HEIGHT - 8, "mean tokens of a chunk", "tick", "middle")
    middle = (TOP + HEIGHT - BOTTOM) / 2
    turned = f"rotate(-90 13 {middle:.1f})"
    yield words(13, middle, y_title, "tick", "middle", transform=turned)


def _dot(x: float, y: float, point: Point) -> str:
    kind = "dot baseline" if point.is_baseline else "dot"
    about = element("title", escaped(point.about))
    return element("circle", about, cx=f"{x:.1f}", cy=f"{y:.1f}", r=RADIUS, class_=kind)


def _label(name: str, label: Label) -> str:
    return words(label.at, label.box.bottom - 3, name, "label", label.anchor)


def _leader(x: float, y: float, label: Label) -> str:
    end = label.at + (-1 if label.anchor == "start" else 1)
    return line(x, y, end, (label.box.top + label.box.bottom) / 2, "leader")


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """Draw a line of a CSS class."""
    ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    return element("line", **{key: f"{at:.1f}" for key, at in ends.items()}, class_=kind)


def words(x: float, y: float, text: str, kind: str, anchor: str = "start", **more: object) -> str:
    """Write a text of a CSS class; y is its baseline, and x where it is anchored."""
    at = {"x": f"{x:.1f}", "y": f"{y:.1f}"}
    return element("text", escaped(text), **at, class_=kind, text_anchor=anchor, **more)
