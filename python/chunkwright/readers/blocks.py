"""Blocks of a document in reading order, as readers of Word and other files hand them over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from chunkwright import _core
from chunkwright.document import Document
from chunkwright.elements.elements import Elements


class Box(NamedTuple):
    """A rectangle on a page: left, top, right, bottom, in points from its top left."""

    page: int | None
    edges: tuple[float, float, float, float]
    width: float | None = None
    height: float | None = None


class BlockCell(NamedTuple):
    """A cell of a table: first row and column, one past its last ones, and its text on one line."""

    row: int
    column: int
    end_row: int
    end_column: int
    text: str


class BlockTable(NamedTuple):
    """A table: its size, the number of its header rows, and its cells."""

    n_rows: int
    n_columns: int
    n_header_rows: int
    cells: Sequence[BlockCell]


class Block(NamedTuple):
    """A block of a document.

    Attributes
    ----------
    kind
        One of the kinds of elements.
    text
        Its text, with the marker of a list item; that of a table is written from its cells.
    level
        How deep it is nested among those of its kind, from 1; 0 if that is not known.
    parent
        The number of an earlier block, such as the list of an item.
    pages
        The pages that it is on.
    boxes
        Where it stands on its pages.
    language
        The language of code.
    caption_of
        The number of the table or figure whose caption it is.
    confidence
        How sure the reader is of it, from 0 to 1.
    table
        The cells of a table.
    links
        Start and end in ``text``, in code points, the target, and whether it is an image.
    page_starts
        Where each of several pages begins: code points of ``text``; of a table those of the texts
        of its cells, one behind the other, row by row. Empty if that is not known.
    """

    kind: str
    text: str = ""
    level: int = 0
    parent: int | None = None
    pages: tuple[int, ...] = ()
    boxes: tuple[Box, ...] = ()
    language: str | None = None
    caption_of: int | None = None
    confidence: float | None = None
    table: BlockTable | None = None
    links: tuple[tuple[int, int, str, bool], ...] = ()
    page_starts: tuple[int, ...] = ()


def document_of(
    blocks: Sequence[Block], *, name: str | None = None, n_body: int | None = None
) -> Document:
    r"""Return the document of blocks, whose text is written from them.

    Parameters
    ----------
    blocks
        The blocks in reading order.
    name
        What the document is called.
    n_body
        So many blocks are its body; headers and footers of pages stand behind them. By default all
        are.

    Raises
    ------
    ReadError
        If a kind is unknown, or a parent is not before its block: names the block.

    Examples
    --------
    >>> blocks = [Block("heading", "Rain", level=1), Block("paragraph", "It rained.", pages=(2,))]
    >>> document = document_of(blocks, name="log")
    >>> document.text, document.elements[1].pages
    ('Rain\n\nIt rained.', (2,))
    """
    return Document(elements=Elements(_core.Elements.of_blocks(blocks, n_body)), name=name)
