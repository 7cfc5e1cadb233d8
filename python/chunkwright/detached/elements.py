"""Detached elements: the values of some elements, apart from the document that they stand in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwright.errors import ReadError

if TYPE_CHECKING:
    from chunkwright.elements.links import Link


class DetachedElement(NamedTuple):
    """What an element says, under the names of :class:`chunkwright.Element`."""

    number: int
    item: Any
    kind: str
    level: int | None
    text: str
    language: str | None
    start: int
    end: int
    lines: tuple[int, int]
    place: tuple[int, int]
    links: tuple[Link, ...]
    pages: tuple[int, ...]
    # Or why they cannot be told.
    boxes: tuple[Any, ...] | ReadError
    parent: int
    headings: tuple[str, ...]
    html: str | None
    row_starts: list[int] | None
    # A Table, if it is one whose cells are known.
    table: Any
    caption_of: int
    confidence: float | None
    in_body: bool
    # Where in the text boxes, pages and lines begin.
    placing: Any


class DetachedElements:
    """Some elements of a document; an element asks them as it asks all of them.

    Parameters
    ----------
    kept
        What they say, in any order; those that they belong to are among them.
    """

    def __init__(self, kept: Iterable[DetachedElement]) -> None:
        self.kept: dict[int, DetachedElement] = {each.number: each for each in kept}
        self.items: dict[int, Any] = {i: each.item for i, each in self.kept.items()}
        self.kinds: dict[int, str] = {i: each.kind for i, each in self.kept.items()}
        self.levels: dict[int, int | None] = {i: each.level for i, each in self.kept.items()}
        self.languages: dict[int, str | None] = {i: each.language for i, each in self.kept.items()}
        self.starts: dict[int, int] = {i: each.start for i, each in self.kept.items()}
        self.ends: dict[int, int] = {i: each.end for i, each in self.kept.items()}
        self.parents: dict[int, int] = {i: each.parent for i, each in self.kept.items()}
        of = {i: each.caption_of for i, each in self.kept.items()}
        # A caption may be kept without what it is of.
        self.captions: dict[int, int] = {i: owner for i, owner in of.items() if owner in self.kept}

    def is_in_body(self, index: int) -> bool:
        """Return whether an element is one of the body."""
        return self.kept[index].in_body

    def text_of(self, index: int) -> str:
        """Return the text of an element."""
        return self.kept[index].text

    def row_starts(self, index: int) -> list[int] | None:
        """Return where the rows of a table begin."""
        return self.kept[index].row_starts

    def lines_of(self, index: int) -> tuple[int, int]:
        """Return the lines on which an element begins and ends."""
        return self.kept[index].lines

    def place_of(self, index: int) -> tuple[int, int]:
        """Return where an element stands in what was read."""
        return self.kept[index].place

    def links_of(self, index: int) -> tuple[Link, ...]:
        """Return the links in an element."""
        return self.kept[index].links

    def pages_of(self, index: int) -> tuple[int, ...]:
        """Return the pages that an element says it is on."""
        return self.kept[index].pages

    def boxes_of(self, index: int) -> tuple[Any, ...]:
        """Return where an element stands on its pages.

        Raises
        ------
        ReadError
            If its source does not tell it in points.
        """
        boxes = self.kept[index].boxes
        if isinstance(boxes, ReadError):
            raise boxes
        return boxes

    def placing_of(self, index: int) -> Any:
        """Return where in its text the boxes, pages and lines of an element begin."""
        return self.kept[index].placing

    def table_of(self, index: int) -> Any:
        """Return the cells of a table, if they are known."""
        return self.kept[index].table

    def confidence_of(self, index: int) -> float | None:
        """Return how sure the source is of an element."""
        return self.kept[index].confidence

    def headings(self, index: int) -> tuple[str, ...]:
        """Return the headings above an element."""
        return self.kept[index].headings

    def html_of(self, index: int) -> str | None:
        """Return the HTML of a table."""
        return self.kept[index].html
