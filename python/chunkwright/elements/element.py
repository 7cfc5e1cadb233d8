"""Element of a document: a view of a row of its elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chunkwright.elements.box import Box, boxes_in, pages_in

if TYPE_CHECKING:
    from chunkwright.elements.cue import Cue
    from chunkwright.elements.element_table import ElementTable
    from chunkwright.elements.links import Link
    from chunkwright.elements.table import Table

REPR_CHARS = 60


class Element:
    """One element of a document: a view of a row of :class:`Elements`.

    Values are computed on demand. Offsets are code points of the document's text.
    """

    __slots__ = ("_elements", "_row")

    def __init__(self, elements: ElementTable, row: int) -> None:
        self._elements = elements
        self._row = row

    @property
    def index(self) -> int:
        """The number of the element in its document, from 0."""
        return self._elements.number(self._row)

    @property
    def item(self) -> Any:
        """The element as it was given: the caller's own dict or object, or its reference."""
        return self._elements.items[self._row]

    @property
    def kind(self) -> str:
        """The kind, such as ``"heading"``; :attr:`Elements.kinds` has all of them."""
        return self._elements.kinds[self._row]

    @property
    def level(self) -> int | None:
        """The depth among elements of its kind, from 1; None if not known."""
        return self._elements.levels[self._row]

    @property
    def text(self) -> str:
        """The text: ``document.text[element.start:element.end]``."""
        return self._elements.text_of(self._row)

    @property
    def language(self) -> str | None:
        """The stated language of code, such as ``"python"``; None if none is stated."""
        return self._elements.languages.get(self._row)

    @property
    def start(self) -> int:
        """Where the text starts in the document's, in code points."""
        return int(self._elements.starts[self._row])

    @property
    def end(self) -> int:
        """Where the text ends in the document's, in code points."""
        return int(self._elements.ends[self._row])

    @property
    def lines(self) -> tuple[int, int]:
        r"""The lines of the text, from 1, on which it begins and ends; a line ends at ``\n``."""
        return self._elements.lines_of(self._row)

    @property
    def place(self) -> tuple[int, int]:
        """Where the element starts and ends in the source that was read, in code points.

        It is ``(start, end)``, unless the reader writes the text itself, as for HTML.
        """
        return self._elements.place_of(self._row)

    @property
    def links(self) -> tuple[Link, ...]:
        """The links and images in the element, or around it, in order."""
        return self._elements.links_of(self._row)

    @property
    def pages(self) -> tuple[int, ...]:
        """The pages of the element, from 1, as its source states them."""
        return self._elements.pages_of(self._row)

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The boxes of the element on its pages; see :class:`Box`.

        Raises
        ------
        ReadError
            If the source's coordinates are not points.
        """
        return self._elements.boxes_of(self._row)

    def boxes_in(self, start: int, end: int) -> tuple[Box, ...]:
        """Return the boxes of a part of the element's text.

        Parameters
        ----------
        start, end
            The part, in code points of the document's text.

        Returns
        -------
        tuple
            The boxes of :attr:`boxes` that hold the part, each reduced to its lines or rows of a
            table, if the reader knows where boxes and lines begin; else all boxes.

        Raises
        ------
        ReadError
            As :attr:`boxes`.
        """
        own, of = self.start, self._elements.placing_of(self._row)
        return boxes_in(self.boxes, of, start - own, end - own)

    def pages_in(self, start: int, end: int) -> tuple[int, ...]:
        """Return the pages of a part of the element's text; see :meth:`boxes_in`."""
        own, of = self.start, self._elements.placing_of(self._row)
        # The boxes say it where lines or boxes are known; others may be no points.
        boxes = self.boxes if any(of) else ()
        return pages_in(self.pages, boxes, of, start - own, end - own)

    @property
    def parent(self) -> Element | None:
        """The element that it belongs to, which stands before it; None if there is none."""
        above = self._elements.parents[self._row]
        return None if above < 0 else Element(self._elements, above)

    @property
    def in_body(self) -> bool:
        """Whether it is in the body, which strategies cut; page headers and footers are not."""
        return self._elements.is_in_body(self._row)

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings above it, the outermost first, without its own text."""
        return self._elements.headings(self._row)

    @property
    def row_starts(self) -> list[int] | None:
        """Where the rows of a table begin, in code points; None if not known."""
        return self._elements.row_starts(self._row)

    @property
    def html(self) -> str | None:
        """The HTML of a table as it was given; None if it has none."""
        return self._elements.html_of(self._row)

    @property
    def table(self) -> Table | None:
        """The cells of a table; None if they are not known, or it is not a table."""
        return self._elements.table_of(self._row)

    @property
    def caption_of(self) -> Element | None:
        """The table or figure that this caption belongs to; None if not known."""
        of = self._elements.captions.get(self._row)
        return None if of is None else Element(self._elements, of)

    @property
    def captions(self) -> tuple[Element, ...]:
        """The captions of the element, in reading order."""
        return tuple(Element(self._elements, row) for row in self._elements.captions_of(self._row))

    @property
    def speaker(self) -> str | None:
        """The speaker of a turn in a conversation; None if nobody is named."""
        speaker, _ = self._elements.turns.get(self._row, ("", ()))
        return speaker or None

    @property
    def cues(self) -> tuple[Cue, ...]:
        """The times of a turn, in the order of its text; at least one if the source has times."""
        _, cues = self._elements.turns.get(self._row, ("", ()))
        return cues

    @property
    def time_start(self) -> float | None:
        """When a turn begins, in seconds; see :attr:`chunkwright.Chunk.time_start`."""
        return min((cue.start for cue in self.cues), default=None)

    @property
    def time_end(self) -> float | None:
        """When a turn ends; if the source has no end, when its last words begin."""
        ends = (cue.start if cue.end is None else cue.end for cue in self.cues)
        return max(ends, default=None)

    @property
    def ocr(self) -> bool:
        """Whether its text, or a part of it, was recognised in a picture (OCR)."""
        return self._elements.is_ocr(self._row)

    @property
    def confidence(self) -> float | None:
        """The confidence that the source states, from 0 to 1; None if it states none."""
        return self._elements.confidence_of(self._row)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Element):
            return NotImplemented
        return self.index == other.index and bool(self.item == other.item)

    def __hash__(self) -> int:
        return hash((self.index, self.text))

    def __reduce__(self) -> tuple[Any, ...]:
        # What it says, not all of its document.
        own = self._elements if self._elements.is_slice else self._elements.slice([self._row])
        return Element, (own, own.row(self.index))

    def __repr__(self) -> str:
        text = self.text
        shown = f"{text[: REPR_CHARS - 3]}..." if len(text) > REPR_CHARS else text
        page = "".join(f", page={page}" for page in self.pages)
        return f"Element({self.kind!r}, {shown!r}{page})"
