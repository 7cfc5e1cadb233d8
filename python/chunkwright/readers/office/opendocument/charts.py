"""Charts in OpenDocument files, each a document of its own within the package of the file."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree as ET

from chunkwright.readers.blocks import BlockTable
from chunkwright.readers.office.line import on_one_line
from chunkwright.readers.office.opendocument.tables import grid_of
from chunkwright.readers.office.package import Package, attribute, child, local, unquoted

_BLANKS = {"s", "tab", "line-break"}


class Chart(NamedTuple):
    """A chart: its titles, and what it shows as a table, if that is in the file."""

    title: str
    table: BlockTable | None


def chart_in(frame: ET.Element, package: Package) -> Chart | None:
    """Return the chart in a frame; None if there is none.

    Raises
    ------
    ReadError
        If its part is damaged or too large.
    """
    inside = child(frame, "object")
    place = "" if inside is None else unquoted(attribute(inside, "href") or "")
    root = package.find(posixpath.normpath(posixpath.join(place, "content.xml")))
    chart = child(root, "body", "chart", "chart")
    if chart is None:
        return None
    titles = [child(chart, name) for name in ("title", "subtitle")]
    title = " ".join(filter(None, (_text(each) for each in titles if each is not None)))
    values = child(chart, "table")
    table = None if values is None else grid_of(values, _text)
    has_text = table is not None and any(cell.text for cell in table.cells)
    return Chart(title, table if has_text else None)


def _text(element: ET.Element) -> str:
    return on_one_line(" ".join(_pieces(element)))


def _pieces(element: ET.Element) -> Iterator[str]:
    """Yield the pieces of paragraphs, a blank for each break between them."""
    for paragraph in (each for each in element if local(each.tag) == "p"):
        pieces = []
        for each in paragraph.iter():
            pieces.append(" " if local(each.tag) in _BLANKS else each.text or "")
            pieces.append((each.tail or "") if each is not paragraph else "")
        yield "".join(pieces)
