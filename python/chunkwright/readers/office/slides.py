"""Slides (PPTX) as blocks: titles, lists, texts, tables, pictures and notes, slide after slide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.etree import ElementTree as ET

from chunkwright.errors import ReadError
from chunkwright.readers.blocks import Block
from chunkwright.readers.office.line import on_one_line
from chunkwright.readers.office.lists import Lists
from chunkwright.readers.office.package import (
    Package,
    Relation,
    attribute,
    child,
    is_on,
    local,
    relation_id,
)
from chunkwright.readers.office.shape_order import Area, reading_order
from chunkwright.readers.office.shapes import description_of, is_hidden, shapes_in
from chunkwright.readers.office.slide_graphics import (
    chart_table,
    chart_title,
    diagram_text,
    table_of,
)
from chunkwright.readers.office.slide_layouts import TITLES, Layouts, area_of, placeholder_of
from chunkwright.readers.office.slide_text import SlideParagraph, paragraphs_in
from chunkwright.readers.pages import checked_pages

_FURNITURE = {"ftr": "page footer", "dt": "page footer", "hdr": "page header"}


def blocks_in(
    data: bytes, *, hidden: bool, pages: str | Sequence[int] | None = None
) -> tuple[list[Block], int]:
    """Return the blocks of a presentation, those of its body first, and how many these are.

    Parameters
    ----------
    data
        The file.
    hidden
        Whether slides and shapes are read that are not shown.
    pages
        The numbers of the slides that are read.

    Raises
    ------
    ReadError
        If the file is damaged or too large: names the part.
    ConfigError
        If there are no such slides.
    """
    package = Package(data)
    main = package.main("ppt/presentation.xml")
    ids = child(package.tree(main), "sldIdLst")
    relations = package.relations(main)
    layouts, blocks = Layouts(package), list[Block]()
    furniture: dict[tuple[str, str], list[int]] = {}
    slides = [] if ids is None else list(ids)
    for number in checked_pages(pages, len(slides)):
        relation = relations.get(relation_id(slides[number - 1]))
        if relation is None:
            raise ReadError(f"its slide {number} is missing")
        root = package.tree(relation.target)
        if is_on(root.get("show"), default=True) or hidden:
            slide = _Slide(package, layouts, relation.target, number, hidden=hidden)
            blocks += slide.blocks(root, len(blocks))
            for key in slide.furniture:
                furniture.setdefault(key, []).append(number)
    rest = [Block(kind, text, pages=tuple(on)) for (kind, text), on in furniture.items()]
    return blocks + rest, len(blocks)


class _Slide:
    """A slide under way."""

    def __init__(
        self, package: Package, layouts: Layouts, name: str, number: int, *, hidden: bool
    ) -> None:
        self._package, self._layouts, self._name = package, layouts, name
        self._relations = package.relations(name)
        self._pages, self._hidden = (number,), hidden
        self._blocks: list[Block] = []
        self._lists = Lists(self._blocks)
        self.furniture: dict[tuple[str, str], None] = {}

    def blocks(self, root: ET.Element, n_before: int) -> list[Block]:
        """Return the blocks of the slide, behind so many others."""
        tree = child(root, "cSld", "spTree")
        if tree is not None:
            self._read_shapes(tree, is_outermost=True)
        title = 0 if self._blocks and self._blocks[0].kind == "heading" else None
        for relation in self._relations.values():
            if relation.kind == "notesSlide":
                self._read_notes(relation.target, title)
        moved = (block._replace(pages=self._pages) for block in self._blocks)
        return [
            block if block.parent is None else block._replace(parent=block.parent + n_before)
            for block in moved
        ]

    def _read_shapes(self, group: ET.Element, *, is_outermost: bool = False) -> None:
        shapes = [each for each in shapes_in(group) if self._hidden or not is_hidden(each)]
        areas = [area_of(shape) or self._inherited_area(shape) for shape in shapes]
        order = reading_order(areas)
        if is_outermost:
            order.sort(key=lambda at: not _is_title(shapes[at]))
        for at in order:
            self._read_shape(shapes[at])

    def _inherited_area(self, shape: ET.Element) -> Area | None:
        what = placeholder_of(shape)
        return None if what is None else self._layouts.inherited(self._name, what).area

    def _read_shape(self, shape: ET.Element) -> None:
        self._lists.end()
        name = local(shape.tag)
        if name == "grpSp":
            self._read_shapes(shape)
        elif name == "pic":
            self._blocks.append(Block("figure", description_of(shape)))
        elif name == "graphicFrame":
            self._read_graphic(shape)
        else:
            self._read_text(shape)

    def _read_text(self, shape: ET.Element) -> None:
        what = placeholder_of(shape)
        kind = "" if what is None else what.kind
        styles = () if what is None else self._layouts.inherited(self._name, what).styles
        body = child(shape, "txBody")
        paragraphs = list(
            paragraphs_in(body, styles, self._relations, is_outline=kind in {"body", "obj"})
        )
        text = on_one_line(" ".join(each.text for each in paragraphs))
        if kind in _FURNITURE and text:
            self.furniture[_FURNITURE[kind], text] = None
        elif kind in TITLES and text:
            links = paragraphs[0].links if len(paragraphs) == 1 else ()
            links = links if paragraphs[0].text == text else ()
            self._blocks.append(Block("heading", text, 1, links=links))
        elif kind not in {*_FURNITURE, *TITLES, "sldNum"}:
            self._add(paragraphs)

    def _add(self, paragraphs: list[SlideParagraph]) -> None:
        for each in paragraphs:
            if each.marker is None:
                self._lists.end()
                self._blocks.append(Block("paragraph", each.text, links=each.links))
                continue
            front = len(each.marker) + 1
            links = tuple((start + front, end + front, *of) for start, end, *of in each.links)
            item = Block("list item", f"{each.marker} {each.text}", links=links)  # type: ignore[arg-type]
            self._lists.add(each.level, item)

    def _read_graphic(self, frame: ET.Element) -> None:
        data = child(frame, "graphic", "graphicData")
        found = next(iter(data), None) if data is not None else None
        what = "" if found is None else local(found.tag)
        if found is None:
            return
        if what == "tbl":
            self._add_table(Block("table", table=table_of(found)))
        elif what == "chart":
            self._read_chart(found, description_of(frame))
        elif what == "relIds":
            root = self._related(attribute(found, "dm"))
            texts = "" if root is None else diagram_text(root)
            self._add_figure(description_of(frame), texts)

    def _read_chart(self, found: ET.Element, description: str) -> None:
        root = self._related(attribute(found, "id"))
        number = len(self._blocks)
        self._add_figure(description, "" if root is None else chart_title(root))
        table = None if root is None else chart_table(root)
        if table is not None:
            parent = number if len(self._blocks) > number else None
            self._add_table(Block("table", table=table, parent=parent))

    def _add_figure(self, *texts: str) -> None:
        self._blocks.append(Block("figure", "\n".join(dict.fromkeys(filter(None, texts)))))

    def _add_table(self, block: Block) -> None:
        if block.table is not None and any(cell.text for cell in block.table.cells):
            self._blocks.append(block)

    def _related(self, id_: str | None) -> ET.Element | None:
        relation = self._relations.get(id_ or "")
        return None if relation is None else self._package.find(relation.target)

    def _read_notes(self, name: str, title: int | None) -> None:
        root = self._package.find(name)
        tree = child(root, "cSld", "spTree")
        relations: Mapping[str, Relation] = self._package.relations(name)
        for shape in () if tree is None else shapes_in(tree):
            what = placeholder_of(shape)
            if what is not None and what.kind == "body":
                texts = paragraphs_in(child(shape, "txBody"), (), relations)
                self._blocks += [
                    Block("footnote", each.text, parent=title, links=each.links) for each in texts
                ]


def _is_title(shape: ET.Element) -> bool:
    what = placeholder_of(shape)
    return what is not None and what.kind in TITLES
