"""Text of OpenDocument files as blocks: headings, lists, tables, notes, pictures and the rest."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree as ET

from chunkwright.errors import ReadError
from chunkwright.readers.blocks import Block
from chunkwright.readers.office.line import on_one_line
from chunkwright.readers.office.opendocument.charts import chart_in
from chunkwright.readers.office.opendocument.lines import SHAPES, Anchored, Lines
from chunkwright.readers.office.opendocument.styles import Numbers, Styles, level_of
from chunkwright.readers.office.opendocument.tables import grid_of
from chunkwright.readers.office.package import Package, attribute, child, is_on, local

_LEFT_OUT = {"tracked-changes", "forms", "sequence-decls", "variable-decls", "user-field-decls"}
_KINDS = {"code": "code", "quote": "quote", "caption": "caption"}
_MAX_DEPTH = 60


class OpenText:
    """The blocks of a text under way.

    Parameters
    ----------
    styles
        The styles of the document.
    hidden
        Whether text is read that is not shown.
    package
        The file, which has the charts in it; without it they are not looked into.

    Attributes
    ----------
    blocks
        Those that were read.
    """

    def __init__(self, styles: Styles, *, hidden: bool, package: Package | None = None) -> None:
        self._styles, self._hidden, self._package = styles, hidden, package
        self._lines = Lines(styles, hidden=hidden)
        self._headings = Numbers()
        self._numbers: dict[str, Numbers] = {}
        self._depth = 0
        self.blocks: list[Block] = []

    def read(self, elements: Iterable[ET.Element], parent: int | None = None) -> None:
        """Read elements, one behind the other.

        Raises
        ------
        ReadError
            If they are nested too deep, or a table is too large.
        """
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise ReadError(f"its text is nested more than {_MAX_DEPTH} deep")
        for element in elements:
            self._read_one(element, parent)
        self._depth -= 1

    def _read_one(self, element: ET.Element, parent: int | None) -> None:
        name = local(element.tag)
        if name == "h":
            self._read_heading(element)
        elif name == "p":
            self._read_paragraph(element, parent)
        elif name == "list":
            self._read_list(element, parent, 1, None)
        elif name == "table":
            self._read_table(element, parent)
        elif name in SHAPES:
            self.read_shape(element, parent)
        elif name not in _LEFT_OUT and not self._is_hidden_section(element):
            self.read(element, parent)

    def _is_hidden_section(self, section: ET.Element) -> bool:
        return not self._hidden and attribute(section, "display") == "none"

    def _is_hidden_text(self, element: ET.Element) -> bool:
        if self._hidden:
            return False
        marks = (each for each in element if local(each.tag) == "hidden-paragraph")
        is_marked = any(is_on(attribute(each, "is-hidden"), default=True) for each in marks)
        return is_marked or self._styles.is_hidden("paragraph", attribute(element, "style-name"))

    def _read_heading(self, element: ET.Element) -> None:
        if self._is_hidden_text(element):
            return
        said = attribute(element, "outline-level") or "1"
        level = min(max(int(said), 1), 10) if said.isdecimal() else 1
        found = self._lines.of(element)
        number = None
        if found.line.text and not is_on(attribute(element, "is-list-header")):
            number = self._headings.marker(level, level_of(self._styles.outline, level))
        self._add(Block("heading", "", level), found, number)

    def _read_paragraph(self, element: ET.Element, parent: int | None) -> None:
        if self._is_hidden_text(element):
            return
        role = self._styles.role(attribute(element, "style-name"))
        found = self._lines.of(element)
        if role == "title":
            self._add(Block("heading", "", 1), found)
        elif role == "code" and self.blocks and self.blocks[-1].kind == "code":
            text = f"{self.blocks[-1].text}\n{_verbatim(element)}"
            self.blocks[-1] = self.blocks[-1]._replace(text=text)
        elif role == "code":
            self.blocks.append(Block("code", _verbatim(element), parent=parent))
        else:
            self._add(Block(_KINDS.get(role or "", "paragraph"), "", 0, parent), found)

    def _add(self, block: Block, found: Anchored, marker: str | None = None) -> int | None:
        """Add a block with the text of a paragraph, and what is anchored in it."""
        text, links, number = found.line.text, tuple(found.line.links), None
        if text:
            if block.kind == "heading":
                text = text.replace("\n", " ")
            if marker:
                front = len(marker) + 1
                text = f"{marker} {text}"
                links = tuple((s + front, e + front, to, of) for s, e, to, of in links)
            number = len(self.blocks)
            self.blocks.append(block._replace(text=text, links=links))
        above = block.parent if number is None else number
        is_caption = block.kind == "caption" and number is not None
        before = len(self.blocks)
        for shape in found.shapes:
            self.read_shape(shape, None if is_caption else block.parent)
        for note in found.notes:
            self._read_note(note, above)
        if is_caption and number is not None:
            self._tie(number, before)
        return number

    def _tie(self, caption: int, behind: int) -> None:
        """Tie a caption to a picture in its paragraph, else to the table or figure before it."""
        inside = [i for i in range(behind, len(self.blocks)) if self.blocks[i].kind == "figure"]
        near = [i for i in (caption - 1,) if i >= 0 and self.blocks[i].kind in {"table", "figure"}]
        of = next(iter([*inside, *near]), None)
        self.blocks[caption] = self.blocks[caption]._replace(caption_of=of)

    def _add_captioned(self, block: Block) -> None:
        """Add a table or a figure; a caption before it that is of nothing else is its."""
        last = self.blocks[-1] if self.blocks else None
        if last is not None and last.kind == "caption" and last.caption_of is None:
            self.blocks[-1] = last._replace(caption_of=len(self.blocks))
        self.blocks.append(block)

    def _read_note(self, note: ET.Element, parent: int | None) -> None:
        body = child(note, "note-body")
        text = _cell_text(body, self._lines)
        if text:
            self.blocks.append(Block("footnote", text, parent=parent))

    def _read_list(
        self, element: ET.Element, parent: int | None, level: int, style: str | None
    ) -> None:
        """Read a list: what is in its headers has no marker, what is nested in them is deeper."""
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise ReadError(f"its lists are nested more than {_MAX_DEPTH} deep")
        style = attribute(element, "style-name") or style
        if level == 1 and not is_on(attribute(element, "continue-numbering")):
            self._numbers.pop(style or "", None)
        if not _has_items(element):
            self.read([each for item in element for each in item], parent)
            self._depth -= 1
            return
        number = len(self.blocks)
        self.blocks.append(Block("list", "", level, parent))
        for item in element:
            is_item = local(item.tag) == "list-item"
            if is_item or local(item.tag) == "list-header":
                self._read_item(item, number, level, style, is_item=is_item)
        self._depth -= 1

    def _read_item(
        self, item: ET.Element, parent: int, level: int, style: str | None, *, is_item: bool
    ) -> None:
        above = parent
        for each in item:
            name = local(each.tag)
            if name == "list":
                self._read_list(each, above, level + 1, style)
            elif name == "p" and is_item and above == parent:
                found = self._lines.of(each)
                if not found.line.text or self._is_hidden_text(each):
                    self._add(Block("paragraph", "", 0, parent), found)
                    continue
                named = style or self._styles.list_of(attribute(each, "style-name"))
                numbers = self._numbers.setdefault(style or "", Numbers())
                said = self._styles.list_level(named, level)
                marker = numbers.marker(level, said, attribute(item, "start-value")) or "-"
                block = Block("list item", "", level, parent)
                above = self._add(block, found, marker) or parent
            else:
                self._read_one(each, above)

    def _read_table(self, element: ET.Element, parent: int | None) -> None:
        if not self._hidden and self._styles.is_hidden("table", attribute(element, "style-name")):
            return
        table = grid_of(element, lambda cell: _cell_text(cell, self._lines))
        if any(cell.text for cell in table.cells):
            self._add_captioned(Block("table", table=table, parent=parent))

    def read_shape(self, shape: ET.Element, parent: int | None = None) -> None:
        """Read a frame or a drawing: its text, else a figure with what describes it."""
        inner = [each for each in shape if local(each.tag) not in {"title", "desc"}]
        kinds = {local(each.tag) for each in inner}
        if local(shape.tag) == "frame" and not kinds & {"text-box", "table"}:
            self._read_figure(shape, kinds, parent)
            return
        described = next((each for each in shape if local(each.tag) == "desc"), None)
        if described is not None and described.text:
            self._add_captioned(Block("figure", on_one_line(described.text), parent=parent))
        # Beside a table stands a picture of it.
        self.read([each for each in inner if local(each.tag) != "image"], parent)

    def _read_figure(self, frame: ET.Element, kinds: set[str], parent: int | None) -> None:
        """Read a frame without a text: what describes it, and what a chart in it says."""
        chart = chart_in(frame, self._package) if "object" in kinds and self._package else None
        words = (child(frame, "title"), child(frame, "desc"))
        texts = [on_one_line(each.text or "") for each in words if each is not None]
        texts.append("" if chart is None else chart.title)
        text = "\n".join(dict.fromkeys(filter(None, texts)))
        if text or kinds & {"image", "object", "object-ole"}:
            self._add_captioned(Block("figure", text, parent=parent))
        if chart is not None and chart.table is not None:
            self.blocks.append(Block("table", table=chart.table, parent=len(self.blocks) - 1))


def _has_items(element: ET.Element) -> bool:
    """Return whether a list has an item or a header that is no heading alone."""
    inner = [each for item in element for each in item]
    return any(local(each.tag) != "h" for each in inner)


def _verbatim(paragraph: ET.Element) -> str:
    """Return a line of code as it is."""
    pieces = [paragraph.text or ""]
    for each in paragraph:
        name = local(each.tag)
        if name == "s":
            said = attribute(each, "c") or "1"
            pieces.append(" " * (min(int(said), 1000) if said.isdecimal() else 1))
        elif name in {"tab", "line-break"}:
            pieces.append("\t" if name == "tab" else "\n")
        else:
            pieces.append(_verbatim(each))
        pieces.append(each.tail or "")
    return "".join(pieces)


def _cell_text(cell: ET.Element | None, lines: Lines) -> str:
    """Return what stands in a cell or a note on one line: paragraphs, items, tables and notes."""
    texts: list[str] = []
    left = [] if cell is None else [cell]
    while left:
        element = left.pop()
        name = local(element.tag)
        if name in {"p", "h"}:
            found = lines.of(element)
            texts.append(found.line.text)
            left += reversed([*found.shapes, *found.notes])
        elif name not in {"annotation", "title", "desc", "note-citation"}:
            left += reversed(element)
    return on_one_line(" ".join(filter(None, texts)))
