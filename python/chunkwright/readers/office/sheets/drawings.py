"""Drawings on the sheets of a workbook (XLSX): shapes with a text, charts, described pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.etree import ElementTree as ET

from chunkwright.readers.blocks import Block
from chunkwright.readers.office.package import Package, Relation, attribute, child, local
from chunkwright.readers.office.shapes import description_of, is_hidden, shapes_in
from chunkwright.readers.office.sheets.sheet import Budget, Drawing
from chunkwright.readers.office.slide_graphics import chart_title, diagram_text
from chunkwright.readers.office.slide_text import paragraphs_in

_MAX_DEPTH, _MAX_DIGITS = 60, 8


def drawings_of(
    package: Package, relations: Iterable[Relation], budget: Budget, *, hidden: bool
) -> list[Drawing]:
    """Return what is drawn on a sheet, by rows.

    Parameters
    ----------
    package
        The workbook.
    relations
        What the sheet refers to.
    budget
        What the sheets may still say.
    hidden
        Whether shapes are read that are not shown.

    Raises
    ------
    ReadError
        If a part is damaged or too large.
    """
    made: list[Drawing] = []
    for relation in relations:
        root = package.find(relation.target) if relation.kind == "drawing" else None
        if root is not None:
            reader = _Drawings(package, relation.target, hidden=hidden)
            for anchor in root:
                blocks = [*reader.blocks(anchor, 0)]
                budget.take(len(blocks), sum(len(block.text) for block in blocks))
                if blocks:
                    made.append(Drawing(*_corner(anchor), blocks))
    return sorted(made, key=lambda drawing: drawing[:2])


def _corner(anchor: ET.Element) -> tuple[int, int]:
    """Return the row and the column of the cell where a drawing begins."""
    place = child(anchor, "from")
    said = [child(place, name) for name in ("row", "col")]
    row, column = ("" if each is None else (each.text or "").strip() for each in said)
    return _number(row), _number(column)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) <= _MAX_DIGITS else 0


class _Drawings:
    """Reads the shapes of a part."""

    def __init__(self, package: Package, name: str, *, hidden: bool) -> None:
        self._package, self._hidden = package, hidden
        self._relations = package.relations(name)

    def blocks(self, group: ET.Element, depth: int) -> Iterator[Block]:
        """Yield the blocks of the shapes of an anchor or a group."""
        for shape in shapes_in(group):
            if is_hidden(shape) and not self._hidden:
                continue
            name = local(shape.tag)
            if name == "grpSp" and depth < _MAX_DEPTH:
                yield from self.blocks(shape, depth + 1)
            elif name == "graphicFrame":
                yield from self._figure(description_of(shape), self._said_by(shape))
            elif name == "pic":
                yield from self._figure(description_of(shape))
            else:
                for each in paragraphs_in(child(shape, "txBody"), (), self._relations):
                    marker = "" if each.marker is None else f"{each.marker} "
                    yield Block("paragraph", f"{marker}{each.text}")

    def _said_by(self, frame: ET.Element) -> str:
        """Return the title of a chart, or the texts of a diagram."""
        data = child(frame, "graphic", "graphicData")
        found = next(iter(data), None) if data is not None else None
        if found is None:
            return ""
        is_chart = local(found.tag) == "chart"
        relation = self._relations.get(attribute(found, "id" if is_chart else "dm") or "")
        root = None if relation is None else self._package.find(relation.target)
        if root is None:
            return ""
        return chart_title(root) if is_chart else diagram_text(root)

    def _figure(self, *texts: str) -> Iterator[Block]:
        said = "\n".join(dict.fromkeys(filter(None, texts)))
        if said:
            yield Block("figure", said)
