"""Texts of versions as UTF-8, with their elements, for places of blocks in bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright import _core
from chunkwright.store.restored import ElementSpans

if TYPE_CHECKING:
    from chunkwright.document import Document

HEADING = "heading"


class VersionText:
    """Body of a document, by places in UTF-8 bytes.

    Parameters
    ----------
    document
        The document; its text has no lone surrogates.

    Attributes
    ----------
    text
        The body.
    data
        The same as UTF-8.
    offsets
        Offsets of the text in bytes and in code points.
    spans
        The elements; None if it has none.
    """

    def __init__(self, document: Document) -> None:
        self.text: str = document.body
        self.data: bytes = self.text.encode()
        self.offsets: _core.CharOffsets = _core.CharOffsets(document.text)
        elements = document.elements
        self.spans: ElementSpans | None = None if elements is None else ElementSpans(elements)

    def part(self, start: int, end: int) -> str:
        """Return a part of the text, by bytes."""
        return self.data[start:end].decode()

    def trimmed(self, start: int, end: int) -> tuple[int, int]:
        """Return a part of the text without the whitespace at its ends; empty if it has no more."""
        part = self.part(start, end)
        kept = part.strip()
        if not kept:
            return start, start
        first = start + len(part[: len(part) - len(part.lstrip())].encode())
        return first, first + len(kept.encode())

    def chars(self, start: int, end: int) -> tuple[int, int]:
        """Return a part of the text by code points, of one by bytes."""
        return self.offsets.chars_at(start), self.offsets.chars_at(end)

    def shape(self, start: int, end: int) -> tuple[object, ...]:
        """Return the kinds and levels of the elements of a part, and whether it cuts them."""
        if self.spans is None:
            return ()
        own = self.spans.within(start, end)
        if not own:
            return ()
        kinds = [(self.spans.elements[i].kind, self.spans.elements[i].level) for i in own]
        is_cut = self.spans.starts[own[0]] < start, self.spans.ends[own[-1]] > end
        return (*kinds, is_cut)

    def is_heading(self, start: int) -> bool:
        """Return whether a heading begins at a place, or around it."""
        if self.spans is None:
            return False
        own = self.spans.within(start, start + 1)
        return bool(own) and self.spans.elements[own[0]].kind == HEADING
