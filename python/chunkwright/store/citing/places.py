"""Places in versions of documents: lines, pages, boxes and headings of a part of the text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from chunkwright.errors import ReadError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chunkwright.document import Document
    from chunkwright.elements.box import Box
    from chunkwright.elements.element import Element
    from chunkwright.elements.elements import Elements


@dataclass(frozen=True)
class Place:
    """A part of a version's text.

    Attributes
    ----------
    document
        The address of the document.
    version
        The version.
    start, end
        The place in the version's text, in code points.
    line_start, line_end
        The lines of that text, from 1, on which it begins and ends.
    pages
        The pages of the place, from 1; empty if the document has none.
    boxes
        The boxes on these pages, see :class:`chunkwright.Box`; empty if they are not known.
    headings
        The headings of the section in which it begins, the outermost first.
    text
        The words at this place.
    block
        The id of the block in which it begins; None if no block has it.
    origin
        ``"cut"`` for words of the source. ``"manual"`` for words that were written by hand:
        ``text`` has these words, and the other values are the place of the words that they replace.
    edited_as
        For words of the source that were edited: the id of the block that replaces theirs, which
        searches show. None without an edit.
    kind
        The kind of the element in which it begins, such as ``"page header"``; None without one.
    """

    document: str
    version: int
    start: int
    end: int
    line_start: int
    line_end: int
    pages: tuple[int, ...]
    boxes: tuple[Box, ...]
    headings: tuple[str, ...]
    text: str
    block: str | None = None
    origin: Literal["cut", "manual"] = "cut"
    edited_as: str | None = None
    kind: str | None = None


def place_in(  # noqa: PLR0913 - what a place is made of
    document: Document,
    uri: str,
    version: int,
    span: tuple[int, int],
    block: str | None = None,
    *,
    written: str | None = None,
) -> Place:
    """Return a place in a version of a document.

    Parameters
    ----------
    document
        The version as it was read.
    uri, version
        The address of the document, and the number of the version.
    span
        The part of the text, in code points.
    block
        The id of the block that it begins in.
    written
        Words that were written by hand and stand there; None for those of the source.
    """
    text, (start, end) = document.text, span
    own = _elements_in(document, start, end)
    return Place(
        uri,
        version,
        start,
        end,
        line_start=1 + text.count("\n", 0, start),
        line_end=1 + text.count("\n", 0, max(start, end - 1)),
        pages=tuple(sorted({page for each in own for page in _pages(each, start, end)})),
        boxes=tuple(box for each in own for box in _boxes(each, start, end)),
        headings=headings_of(document, own[0]) if own else (),
        text=text[start:end] if written is None else written,
        block=block,
        origin="cut" if written is None else "manual",
        kind=own[0].kind if own else None,
    )


def headings_in(document: Document, start: int, end: int) -> tuple[str, ...]:
    """Return the headings of the section that a part of a text begins in, the outermost first."""
    own = _elements_in(document, start, end)
    return headings_of(document, own[0]) if own else ()


def _elements_in(document: Document, start: int, end: int) -> Sequence[Element]:
    elements = document.elements
    if elements is None:
        return ()
    first = bisect_right(elements.ends, start)
    found: Sequence[Element] = elements[first : max(first, bisect_left(elements.starts, end))]
    return found


def element_at(elements: Elements, at: int) -> int | None:
    """Return the number of the element that a place of a document's text is in."""
    number = bisect_right(elements.ends, at)
    return number if number < len(elements) and elements[number].start <= at else None


def headings_of(document: Document, element: Element) -> tuple[str, ...]:
    """Return the headings of an element's section; those of a heading with itself."""
    titles: Mapping[int, str] = document.elements.titles if document.elements else {}
    is_heading = element.kind == "heading"
    own = (titles.get(element.index, element.text),) if is_heading else ()
    return (*element.headings, *own)


def _pages(element: Element, start: int, end: int) -> tuple[int, ...]:
    return element.pages_in(max(start, element.start), min(end, element.end))


def _boxes(element: Element, start: int, end: int) -> tuple[Box, ...]:
    try:
        return element.boxes_in(max(start, element.start), min(end, element.end))
    except ReadError:
        # A box that its source gives in a form that is not known costs the citation nothing.
        return ()
