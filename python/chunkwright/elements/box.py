"""Boxes: where elements stand on their pages, and which of them a part of a text is in."""

from __future__ import annotations

from typing import NamedTuple

from chunkwright import _core


class Box(NamedTuple):
    """A box on a page that encloses an element, or a part of its text.

    Attributes
    ----------
    page
        The number of the page, from 1; None if it is not known.
    left, top, right, bottom
        The edges, from the top left corner of the page, in the unit of the source: points (1/72
        inch) for PDF.
    width, height
        The size of the page in the same unit; None if it is not known.
    """

    page: int | None
    left: float
    top: float
    right: float
    bottom: float
    width: float | None
    height: float | None


Edges = tuple[float, float, float, float]
# The page, the edges, and the width and height of the page, as the core has them.
BoxRow = tuple[int | None, Edges, float | None, float | None]
# Where in the text of an element its boxes, its pages and its lines begin, and the edges of these.
Placing = tuple[list[int], list[int], list[tuple[int, Edges]]]
# Of an element that says nothing of the kind.
UNPLACED: Placing = [], [], []


def boxes_in(boxes: tuple[Box, ...], of: Placing, first: int, end: int) -> tuple[Box, ...]:
    """Return those of the boxes of an element that a part of its text is in, cut to its lines.

    Parameters
    ----------
    boxes
        All boxes.
    of
        Where in the text they and its lines begin, as far as that is known.
    first, end
        The part, in code points of the element's text.
    """
    if not any(of):
        return boxes
    rows = _core.boxes_in(_rows(boxes), of, max(first, 0), max(end, 0))
    return tuple(Box(page, *edges, *size) for page, edges, *size in rows)


def pages_in(
    pages: tuple[int, ...], boxes: tuple[Box, ...], of: Placing, first: int, end: int
) -> tuple[int, ...]:
    """Return the pages of an element that a part of its text is on; as :func:`boxes_in`."""
    if not any(of):
        return pages
    return tuple(_core.pages_in(pages, _rows(boxes), of, max(first, 0), max(end, 0)))


def _rows(boxes: tuple[Box, ...]) -> list[BoxRow]:
    return [(box.page, box[1:5], box.width, box.height) for box in boxes]
