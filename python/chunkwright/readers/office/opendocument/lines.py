"""Lines of OpenDocument files: the text of a paragraph, its links, and what is anchored in it."""

from __future__ import annotations

from typing import NamedTuple
from xml.etree import ElementTree as ET

from chunkwright.readers.office.line import Line
from chunkwright.readers.office.opendocument.styles import Styles
from chunkwright.readers.office.package import attribute, local

_LEFT_OUT = {
    *("annotation", "annotation-end", "tracked-changes", "bookmark", "hidden-text", "ruby-text"),
    *("presentation-notes", "notes", "desc", "title", "script", "event-listeners"),
}
SHAPES = {
    *("frame", "custom-shape", "rect", "ellipse", "circle", "polygon", "polyline", "path", "line"),
    *("g", "caption", "connector", "regular-polygon", "measure", "text-box"),
}


class Anchored(NamedTuple):
    """What stands in a paragraph: its line, its notes, and its shapes."""

    line: Line
    notes: list[ET.Element]
    shapes: list[ET.Element]


class Lines:
    """Reader of paragraphs."""

    def __init__(self, styles: Styles, *, hidden: bool) -> None:
        self._styles, self._hidden = styles, hidden

    def of(self, paragraph: ET.Element) -> Anchored:
        """Return the text of a paragraph, its blanks as they are shown."""
        found = Anchored(Line(), [], [])
        self._add(paragraph, found)
        return found

    def _add(self, element: ET.Element, found: Anchored) -> None:
        found.line.add(element.text or "")
        for piece in element:
            self._add_piece(piece, found)
            found.line.add(piece.tail or "")

    def _add_piece(self, piece: ET.Element, found: Anchored) -> None:
        name = local(piece.tag)
        if name in {"s", "tab"}:
            found.line.add(" ")
        elif name == "line-break":
            found.line.end()
        elif name == "note":
            found.notes.append(piece)
        elif name in SHAPES:
            found.shapes.append(piece)
        elif name == "a":
            start = len(found.line)
            self._add(piece, found)
            target = attribute(piece, "href") or ""
            found.line.link(start, None if target.startswith("#") else target)
        elif name not in _LEFT_OUT and not self._is_hidden(piece):
            self._add(piece, found)

    def _is_hidden(self, piece: ET.Element) -> bool:
        if self._hidden:
            return False
        is_styled = self._styles.is_hidden("text", attribute(piece, "style-name"))
        return is_styled or attribute(piece, "is-hidden") == "true"
