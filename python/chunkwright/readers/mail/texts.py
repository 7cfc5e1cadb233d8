"""Texts of mail as blocks: documents that were read, and paragraphs of plain text."""

from __future__ import annotations

import re

from chunkwright.document import Document
from chunkwright.elements.element import Element
from chunkwright.readers.blocks import Block, BlockCell, BlockTable

_BLANK_LINES = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
_CONTENT_ID = re.compile(r"cid:\S+", re.IGNORECASE)
_MAX_LEVEL = 255


def paragraphs_of(text: str) -> list[Block]:
    """Return the paragraphs of a plain text; those whose lines all begin with ``>`` are quotes."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    made = []
    for said in filter(None, (part.strip("\n") for part in _BLANK_LINES.split(lines))):
        if said.strip():
            is_quote = all(line.startswith(">") for line in said.split("\n"))
            made.append(Block("quote", said, 1) if is_quote else Block("paragraph", said))
    return made


def blocks_of(document: Document, *, level: int, first: int) -> list[Block]:
    """Return the blocks of a document's body, as they stand in another one.

    Parameters
    ----------
    document
        The document.
    level
        That of the heading above it: its own are deeper.
    first
        The number of its first block there.
    """
    if document.elements is None:
        return paragraphs_of(document.text)
    body = [element for element in document.elements if element.in_body and not _is_blank(element)]
    numbers = {element.index: first + at for at, element in enumerate(body)}
    return [_block(element, level, numbers) for element in body]


def _block(element: Element, level: int, numbers: dict[int, int]) -> Block:
    own = element.level or 0
    if element.kind == "heading":
        own = min(level + max(own, 1), _MAX_LEVEL)
    parent, captioned = element.parent, element.caption_of
    # A link may lead from several elements.
    links = [
        (
            max(link.start - element.start, 0),
            min(link.end, element.end) - element.start,
            link.target,
            link.is_image,
        )
        for link in element.links
    ]
    return Block(
        element.kind,
        "" if _is_address(element) else element.text,
        own,
        None if parent is None else numbers.get(parent.index),
        language=element.language,
        caption_of=None if captioned is None else numbers.get(captioned.index),
        table=_table(element),
        links=() if _is_address(element) else tuple(links),
    )


def _is_blank(element: Element) -> bool:
    return element.kind == "paragraph" and not element.text.strip()


def _is_address(element: Element) -> bool:
    """Return whether what should describe a picture is where it is attached."""
    return element.kind == "figure" and _CONTENT_ID.fullmatch(element.text) is not None


def _table(element: Element) -> BlockTable | None:
    table = element.table
    if element.kind != "table" or table is None:
        return None
    cells = [
        BlockCell(
            cell.row,
            cell.column,
            cell.row + cell.rows,
            cell.column + cell.columns,
            " ".join(element.text[cell.start - element.start : cell.end - element.start].split()),
        )
        for cell in table.cells
    ]
    n_header = len({cell.row for cell in table.cells if cell.is_header})
    return BlockTable(table.n_rows, table.n_columns, n_header, cells)
