"""Labels beside points, so that no two of them and no point lie on each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from rich.cells import cell_len

# Pixels. A cell is the width of a letter, of which a wide character takes two.
CELL, HEIGHT, GAP = 6.4, 13.0, 9.0
RINGS = (22, 34, 48, 64, 82, 102)
ANGLES = 16


@dataclass(frozen=True)
class Box:
    """A rectangle; x grows to the right, y downwards."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Box) -> bool:
        """Whether the two share more than an edge."""
        beside = self.right <= other.left or other.right <= self.left
        return not (beside or self.bottom <= other.top or other.bottom <= self.top)

    def holds(self, other: Box) -> bool:
        """Whether the other lies within."""
        across = self.left <= other.left and other.right <= self.right
        return across and self.top <= other.top and other.bottom <= self.bottom


@dataclass(frozen=True)
class Label:
    """A text beside its point.

    Parameters
    ----------
    box
        Where it stands.
    anchor
        What of the text is nearest to its point: as SVG says, ``"start"``, ``"middle"``, ``"end"``.
    is_far
        Whether a line should lead to it.
    """

    box: Box
    anchor: str
    is_far: bool = False

    @property
    def at(self) -> float:
        """Where the anchor is, from left to right."""
        box = self.box
        middle = (box.left + box.right) / 2
        return {"start": box.left, "end": box.right}.get(self.anchor, middle)


def width_of(text: str) -> float:
    """Return about how many pixels a text takes."""
    return cell_len(text) * CELL


def placed(
    texts: Sequence[str], points: Sequence[tuple[float, float]], frame: Box, radius: float = 5
) -> list[Label | None]:
    """Find a place for each label.

    Parameters
    ----------
    texts
        What the labels say.
    points
        Where their points are.
    frame
        Labels stay within.
    radius
        That of a point.

    Returns
    -------
    list
        None where there is no room. Takes a time that is quadratic in the number of labels.
    """
    taken = [Box(x - radius, y - radius, x + radius, y + radius) for x, y in points]
    labels: dict[int, Label | None] = {}
    # From the top, where the best are: they have the first choice.
    for i in sorted(range(len(points)), key=lambda i: (points[i][1], points[i][0], i)):
        near = _places(width_of(texts[i]), *points[i])
        free = (
            label
            for label in near
            if frame.holds(label.box) and not any(map(label.box.overlaps, taken))
        )
        labels[i] = next(free, None)
        if (found := labels[i]) is not None:
            taken.append(found.box)
    return [labels[i] for i in range(len(points))]


def _places(width: float, x: float, y: float) -> Iterator[Label]:
    """Yield where a label may stand, the best place first."""
    half = HEIGHT / 2
    yield Label(Box(x + GAP, y - half, x + GAP + width, y + half), "start")
    yield Label(Box(x - GAP - width, y - half, x - GAP, y + half), "end")
    for top in (y - GAP - HEIGHT, y + GAP):
        yield Label(Box(x - width / 2, top, x + width / 2, top + HEIGHT), "middle")
    for radius in RINGS:
        for step in range(ANGLES):
            angle = 2 * pi * step / ANGLES
            yield _on_ring(width, x + radius * cos(angle), y + radius * sin(angle), cos(angle) >= 0)


def _on_ring(width: float, x: float, y: float, is_right: bool) -> Label:
    # It begins or ends there, on the side that is away from the point.
    left, anchor = (x, "start") if is_right else (x - width, "end")
    return Label(Box(left, y - HEIGHT / 2, left + width, y + HEIGHT / 2), anchor, is_far=True)
