"""The result of a strategy over elements: chunks that know what they are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chunkwright.chunks import REPR_CHARS, Chunk, Chunks
from chunkwright.element_columns import TYPES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.element_columns import ElementColumns
    from chunkwright.elements import Box, Element, ElementDocument


class ElementChunk(Chunk):
    """A chunk of elements: a view of a row of :class:`ElementChunks`.

    ``source[chunk.start:chunk.end]`` is its text, overlap included, where it stands there as one.
    It does not where the text is that of rows of a table, or is joined otherwise than in the
    document: then ``start`` and ``end`` are those of its own text without the overlap, and those
    of the whole table for a part of one.
    """

    __slots__ = ()
    _columns: ElementColumns

    @property
    def text(self) -> str:
        """The text, overlap included."""
        return self._columns.text(self._row)

    @property
    def n_chars(self) -> int:
        """Code points of the text."""
        return len(self.text)

    @property
    def kind(self) -> str:
        """``"CompositeElement"`` (text), ``"Table"`` (a whole one) or ``"TableChunk"`` (a part)."""
        return TYPES[self._columns.kinds[self._row]]

    @property
    def html(self) -> str | None:
        """The HTML of a table or a part of one, a table by itself; None if it has none."""
        return self._columns.html(self._row)

    @property
    def elements(self) -> tuple[Element, ...]:
        """The elements that it is made of, also those without text; a part has all of the whole."""
        first, last = int(self._columns.first[self._row]), int(self._columns.last[self._row])
        return self._document.elements[first : last + 1]

    @property
    def part(self) -> int:
        """The number, from 0, of the chunk among those that its elements were split into."""
        return int(self._columns.parts[self._row])

    @property
    def is_continuation(self) -> bool:
        """Whether it goes on with what the chunk before began: whether its part is not 0."""
        return self.part > 0

    @property
    def n_header_rows(self) -> int:
        """Rows of the table's header that are repeated in front of this part of it."""
        return int(self._columns.n_header_rows[self._row])

    @property
    def table_id(self) -> str | None:
        """What the parts of one table share, None if it is no part of one."""
        return self._columns.table_ids[self._row]

    @property
    def pages(self) -> tuple[int, ...]:
        """The pages that its elements say they are on, each once, in their order."""
        pages = (element.page for element in self.elements)
        return tuple(dict.fromkeys(page for page in pages if page is not None))

    @property
    def headings(self) -> tuple[str, ...]:
        """The titles above its first element, the outermost first; none that it begins with."""
        return self.elements[0].headings

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Where its elements stand on their pages, as far as they say so.

        Raises
        ------
        ReadError
            If an element's coordinates are no points.
        """
        boxes = (element.box for element in self.elements)
        return tuple(box for box in boxes if box is not None)

    @property
    def _document(self) -> ElementDocument:
        return self._columns.at(self._row)[0].document

    def _identity(self) -> tuple[object, ...]:
        return (*super()._identity(), self.kind, self.html, self.part, self.n_header_rows)

    def __repr__(self) -> str:
        text = self.text
        shown = f"{text[: REPR_CHARS - 3]}..." if len(text) > REPR_CHARS else text
        return f"ElementChunk({self.kind!r}, {shown!r}, start={self.start}, end={self.end})"


class ElementChunks(Chunks[ElementChunk]):
    r"""The chunks of one document of elements, or of a batch of them, in order.

    All that :class:`chunkwright.Chunks` are: a sequence of :class:`ElementChunk`, and the same as
    columns. Offsets count in :attr:`source`, the elements' text.

    Made by :class:`chunkwright.Basic`, :class:`chunkwright.ByTitle`, :class:`chunkwright.ByPage`
    and :class:`chunkwright.BySimilarity`.

    Examples
    --------
    >>> import chunkwright as cw
    >>> elements = [{"type": "Title", "text": "Rain"}, {"type": "Text", "text": "It rained."}]
    >>> chunks = cw.chunk(elements, "basic", max_chars=100)
    >>> chunks[0].kind, chunks[0].text, [element.type for element in chunks[0].elements]
    ('CompositeElement', 'Rain\n\nIt rained.', ['Title', 'Text'])
    """

    __slots__ = ()
    _columns: ElementColumns
    _item = ElementChunk

    def __init__(self, columns: ElementColumns, rows: range | None = None) -> None:
        super().__init__(columns, rows)

    @property
    def kinds(self) -> list[str]:
        """What the chunks are; see :attr:`ElementChunk.kind`."""
        return [TYPES[kind] for kind in self._of_view(self._columns.kinds)]

    @property
    def parts(self) -> NDArray[np.int64]:
        """The chunks' numbers among those that their elements were split into, shape ``(n,)``."""
        return self._of_view(self._columns.parts)

    @property
    def first_elements(self) -> NDArray[np.int64]:
        """The number of each chunk's first element in its document, shape ``(n,)``."""
        return self._of_view(self._columns.first)

    @property
    def last_elements(self) -> NDArray[np.int64]:
        """The number of each chunk's last element in its document, shape ``(n,)``."""
        return self._of_view(self._columns.last)

    @property
    def documents(self) -> list[ElementDocument]:
        """The documents that were cut."""
        return [cut.document for cut in self._columns.cuts]

    def to_dicts(self, *, originals: bool = True) -> list[dict[str, Any]]:
        """Return the chunks in Unstructured's form, which JSON can say and its tools can read.

        Parameters
        ----------
        originals
            Whether ``orig_elements`` holds what each chunk is made of. A table's parts share
            theirs.

        Raises
        ------
        ReadError
            If the elements' metadata cannot be put together, or said in JSON.
        """
        dicts = self._columns.dicts(originals=originals)
        is_whole = self._rows == range(len(self._columns))
        return dicts if is_whole else [dicts[row] for row in self._rows]
