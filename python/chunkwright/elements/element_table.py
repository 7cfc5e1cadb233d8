"""Table of elements: what is known of each, by its number, once it is asked."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from chunkwright import _core
from chunkwright.elements.box import Box, Placing
from chunkwright.elements.cue import Cue
from chunkwright.elements.links import Link, Links
from chunkwright.elements.part import Part
from chunkwright.elements.table import Table, TableCell

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class ElementTable:
    """What is known of the elements of a document, column by column and by their numbers."""

    def __init__(self, core: _core.Elements, items: Sequence[Any] | None = None) -> None:
        self.core = core
        self.row_starts: Callable[[int], list[int] | None] = core.row_starts
        self._items = items

    @cached_property
    def items(self) -> Sequence[Any]:
        """The elements as they were given: the caller's own dicts or objects, or their references.

        None for each if the source was not a list of elements.
        """
        if self._items is not None:
            return self._items
        references = self.core.references()
        return [references.get(index) for index in range(len(self))]

    @cached_property
    def text(self) -> str:
        """The document's text."""
        return self.core.text

    @property
    def n_body(self) -> int:
        """The number of elements in the body; those after them are page headers and footers."""
        return self.core.n_body

    def is_in_body(self, index: int) -> bool:
        """Return whether an element is in the body."""
        return index < self.core.n_body

    def texts(self) -> list[str]:
        """Return the elements' texts."""
        if self._kept_texts is not None:
            return self._kept_texts
        text = self.text
        spans = zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        return [text[start:end] for start, end in spans]

    def text_of(self, index: int) -> str:
        """Return the text of an element."""
        if self._kept_texts is not None:
            return self._kept_texts[index]
        return self.text[int(self.starts[index]) : int(self.ends[index])]

    def lines_of(self, index: int) -> tuple[int, int]:
        """Return the lines, from 1, on which an element begins and ends."""
        if (known := self.core.line_places()) is not None:
            first, last = known[index]
            return first, last
        start, end = int(self.starts[index]), int(self.ends[index])
        breaks, last = self.line_breaks, max(start, end - 1)
        return 1 + bisect_left(breaks, start), 1 + bisect_left(breaks, last)

    def place_of(self, index: int) -> tuple[int, int]:
        """Return where an element starts and ends in the source, in code points."""
        starts, ends = self.places or (self.starts, self.ends)
        return int(starts[index]), int(ends[index])

    def links_of(self, index: int) -> tuple[Link, ...]:
        """Return the links and images in an element, or around it."""
        return self.links.of(index)

    def boxes_of(self, index: int) -> tuple[Box, ...]:
        """Return the boxes of an element on its pages."""
        return tuple(Box(page, *edges, *size) for page, edges, *size in self.core.boxes(index))

    def placing_of(self, index: int) -> Placing:
        """Return where in its text the boxes, pages and lines of an element begin, if known."""
        return self.core.placing(index)

    def html_of(self, index: int) -> str | None:
        """Return the HTML of a table as it was given."""
        return self.core.html(index)

    def table_of(self, index: int) -> Table | None:
        """Return the cells of a table, if it is one and they are known."""
        found = self.core.table(index)
        if found is None:
            return None
        n_rows, n_columns, cells = found
        return Table(n_rows, n_columns, tuple(TableCell(*cell) for cell in cells))

    def is_ocr(self, index: int) -> bool:
        """Return whether the text of an element was recognised in a picture of a page."""
        return self.core.is_recognised(index)

    def confidence_of(self, index: int) -> float | None:
        """Return the confidence that the source states for an element; None if it states none."""
        return self.core.confidence(index)

    @cached_property
    def turns(self) -> Mapping[int, tuple[str, tuple[Cue, ...]]]:
        """Speaker and times of the elements that are turns, by their numbers."""
        turns = self.core.turns()
        return {index: (speaker, tuple(Cue(*of) for of in cues)) for index, speaker, cues in turns}

    @cached_property
    def captions(self) -> Mapping[int, int]:
        """The numbers of captions, ascending, each with that of its table or figure."""
        return dict(self.core.captions())

    def captions_of(self, index: int) -> Sequence[int]:
        """Return the numbers of the captions that an element has."""
        return self._captions_of.get(index, ())

    @cached_property
    def _captions_of(self) -> Mapping[int, Sequence[int]]:
        captions: dict[int, list[int]] = {}
        for caption, row in self.captions.items():
            captions.setdefault(row, []).append(caption)
        return captions

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where the elements' texts start, in code points of :attr:`text`, shape ``(n,)``."""
        return _array(self.core.starts())

    @cached_property
    def ends(self) -> NDArray[np.int64]:
        """Where the elements' texts end, in code points of :attr:`text`, shape ``(n,)``."""
        return _array(self.core.ends())

    @cached_property
    def places(self) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
        """Where the elements start and end in the source, in code points, shape ``(n,)`` each.

        None if that equals their place in :attr:`text`, or if they have none.
        """
        places = self.core.places()
        return None if places is None else (_array(places[0]), _array(places[1]))

    @cached_property
    def line_breaks(self) -> Sequence[int]:
        r"""Where the line breaks (``\n``) of :attr:`text` are, in code points."""
        return [found.start() for found in re.finditer("\n", self.text)]

    @cached_property
    def kinds(self) -> Sequence[str]:
        """The kinds of the elements, in one vocabulary for all readers.

        ``"heading"``, ``"paragraph"``, ``"list"``, ``"list item"``, ``"table"``, ``"figure"``,
        ``"caption"``, ``"code"``, ``"quote"``, ``"formula"``, ``"footnote"``, ``"page header"``,
        ``"page footer"`` or ``"turn"``.
        """
        return self.core.kinds()

    @cached_property
    def pages(self) -> Sequence[int | None]:
        """The page of each element, the first of several."""
        return self.core.pages()

    def pages_of(self, index: int) -> tuple[int, ...]:
        """Return the pages of an element."""
        return tuple(self.core.pages_of(index))

    @cached_property
    def titles(self) -> Mapping[int, str]:
        """Texts of headings without their marks, such as ``#``, by the numbers of the headings.

        Only headings whose texts have marks are in it, as in Markdown.
        """
        return self.core.titles()

    @cached_property
    def languages(self) -> Mapping[int, str]:
        """The stated languages of code, by the numbers of the elements."""
        return self.core.languages()

    @cached_property
    def links(self) -> Links:
        """The links and images of the document, which are found on first use."""
        return Links(self.core.links(), self.starts.tolist(), self.ends.tolist())

    @cached_property
    def levels(self) -> Sequence[int | None]:
        """The depth of each element among those of its kind, from 1."""
        return self.core.levels()

    @cached_property
    def parents(self) -> Sequence[int]:
        """For each element the number of its parent, which stands before it; -1 without one."""
        return memoryview(self.core.parents())

    def headings(self, index: int) -> tuple[str, ...]:
        """Return the headings above an element, the outermost first: at most the 64 innermost.

        Headings of Markdown have no marks here, and one line each.
        """
        return self._path(self._headings.above(index))

    def section(self, first: int, end: int) -> tuple[str, ...]:
        """Return the headings of the section of some consecutive elements, the outermost first.

        They are those above the first element that is not a heading; if all are headings, the last
        of them and those above it. Without elements there are none.

        Parameters
        ----------
        first, end
            The numbers of the first element, and of the one after the last.
        """
        return self._path(self._headings.section(first, end))

    def _path(self, headings: list[int]) -> tuple[str, ...]:
        path: list[str] = []
        for index in headings:
            if (said := self._titles_said.get(index)) is None:
                title = self.titles.get(index)
                said = self.text_of(index) if title is None else " ".join(title.split())
                self._titles_said[index] = said
            path.append(said)
        return tuple(path)

    @cached_property
    def _headings(self) -> _core.HeadingPaths:
        return self.core.heading_paths()

    @cached_property
    def _titles_said(self) -> dict[int, str]:
        """Texts of headings by their numbers: up to 64 are asked for with each element."""
        return {}

    # ------------------------------------------------------------------ slices

    def slice(self, rows: Iterable[int], part: Part | None = None) -> Self:
        """Return some elements with their parents, headings and captions, apart from the others.

        Parameters
        ----------
        rows
            Their numbers here.
        part
            The part of the text that is needed: very long elements are reduced to it.
        """
        numbers = self._with_those_named(rows)
        is_long = [part is not None and self._n_chars(row) > part.most for row in numbers]
        kept, links = [], dict[Link, None]()
        for row, long in zip(numbers, is_long, strict=True):
            start, end = int(self.starts[row]), int(self.ends[row])
            first, last, html = start, end, self.html_of(row)
            own_links = self.links_of(row)
            if long and part is not None:
                first, last = part.within(start, end)
                html = part.html if self.kinds[row] == "table" and first < last else None
                own_links = tuple(of for of in own_links if first < of.end and of.start < last)
            kept.append((row, (start, end), self.lines_of(row), (first, last), html))
            links.update(dict.fromkeys(own_links))
        items = self._items and [
            self._short_item(row) if long else self._items[row]
            for row, long in zip(numbers, is_long, strict=True)
        ]
        return type(self)(self.core.slice(kept, list(links)), items)

    def _with_those_named(self, rows: Iterable[int]) -> list[int]:
        """Return the rows of some elements, their parents, headings and captions."""
        seen, wanted = set[int](), list(rows)
        while wanted:
            row = wanted.pop()
            if row >= 0 and row not in seen:
                seen.add(row)
                wanted += (int(self.parents[row]), *self._headings.above(row))
                wanted += (self.captions.get(row, -1), *self.captions_of(row))
        return sorted(seen)

    def _n_chars(self, row: int) -> int:
        """Return code points of what can be left out of an element."""
        if self.kinds[row] == "heading" or any(self.placing_of(row)):
            return 0
        return int(self.ends[row] - self.starts[row]) + len(self.html_of(row) or "")

    def _short_item(self, _row: int) -> Any:
        """Return what is kept of an element as it was given, if that is too long."""
        return None

    @cached_property
    def _numbers(self) -> Sequence[int] | None:
        return self.core.numbers()

    @cached_property
    def _kept_texts(self) -> list[str] | None:
        return self.core.kept_texts()

    @property
    def is_slice(self) -> bool:
        """Whether these are only some elements of a document; see :meth:`slice`."""
        return self._numbers is not None

    def number(self, row: int) -> int:
        """Return the number of an element in its document."""
        return row if self._numbers is None else self._numbers[row]

    def row(self, number: int) -> int:
        """Return the row of the element that has this number in the document."""
        return number if self._numbers is None else bisect_left(self._numbers, number)

    def __len__(self) -> int:
        return len(self.core)


def _array(column: _core.Column) -> NDArray[np.int64]:
    import numpy as np

    return np.asarray(column)
