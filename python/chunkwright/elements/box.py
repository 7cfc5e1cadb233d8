"""Boxes: where elements stand on their pages, and which of them a part of a text is in."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from math import inf
from typing import NamedTuple


class Box(NamedTuple):
    """Where an element stands on its page.

    Attributes
    ----------
    page
        The page, if it is known.
    left, top, right, bottom
        The smallest rectangle that holds the element's points, in the units of its source.
    width, height
        Those of the page in the same units, if they are known.
    """

    page: int | None
    left: float
    top: float
    right: float
    bottom: float
    width: float | None
    height: float | None


def boxes_in(
    boxes: tuple[Box, ...], starts: Sequence[int], start: int, end: int
) -> tuple[Box, ...]:
    """Return those of the boxes of an element that a part of the text is in.

    Parameters
    ----------
    boxes
        All boxes.
    starts
        Where in the text each begins; if that is not known of all, all are returned.
    start, end
        The part.
    """
    if not starts or len(starts) != len(boxes):
        return boxes
    ends = chain(starts[1:], [inf])
    parts = zip(boxes, starts, ends, strict=True)
    return tuple(box for box, first, last in parts if first < end and last > start)
