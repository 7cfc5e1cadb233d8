"""Runs of a paragraph: its text, links and equations, and what is anchored in it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from chunkwright.readers.docx.containers import content_of
from chunkwright.readers.docx.drawings import Picture, drawn
from chunkwright.readers.docx.equations import latex
from chunkwright.readers.docx.lines import Piece
from chunkwright.readers.docx.pages import Pages
from chunkwright.readers.docx.parts.names import (
    Node,
    alternative,
    attribute,
    child,
    full,
    is_on,
    name_of,
    value,
)
from chunkwright.readers.docx.parts.package import Relation
from chunkwright.readers.docx.parts.styles import Styles
from chunkwright.readers.docx.symbols import symbol

_HYPERLINK = re.compile(r"\s*HYPERLINK\s+(?:\"([^\"]*)\"|([^\s\\\"]\S*))", re.IGNORECASE)
_SEQUENCE = re.compile(r"\s*SEQ\s+\"?(\w+)", re.IGNORECASE)
# The places of signs that a font of symbols has for itself.
_OWN_SIGNS = re.compile("[\uf020-\uf0ff]")
# An instruction goes on no further: what is read of it stands at its beginning.
_MAX_INSTRUCTION = 1 << 12
_BOXES = "☐☒"
# What stands in these is read as if it stood around them.
_TRANSPARENT = frozenset(
    [
        *("w:ins", "w:moveTo", "w:smartTag", "w:customXml", "w:bdo", "w:dir"),
        *("w:fldSimple", "w:sdtContent", "w:rubyBase"),
    ]
)
_SIGNS = {
    "w:tab": "\t",
    "w:ptab": "\t",
    "w:cr": "\n",
    "w:noBreakHyphen": "-",
}


@dataclass
class Content:
    """What a paragraph holds.

    Attributes
    ----------
    pieces
        Its text.
    pictures, boxes
        The pictures in it, and the contents of its text boxes.
    leading
        So many pictures and text boxes are anchored before its first text.
    notes
        The kinds and ids of the notes that it refers to.
    sequence
        What its number counts if it is a caption, such as ``"table"``.
    first
        The page of its first text; 0 if it has none.
    """

    pieces: list[Piece] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    boxes: list[Node] = field(default_factory=list)
    leading: tuple[int, int] = (0, 0)
    notes: list[tuple[str, str]] = field(default_factory=list)
    sequence: str = ""
    first: int = 0

    def add(self, text: str, page: int, target: str = "", *, is_equation: bool = False) -> None:
        """Add a text on a page."""
        self.pieces.append(Piece(text, target, is_equation, page))
        if text.strip():
            if not self.first:
                self.leading = len(self.pictures), len(self.boxes)
            self.first = self.first or page


@dataclass
class _Field:
    """A field that is open: its instruction, and whether its result has begun."""

    instruction: str = ""
    is_result: bool = False
    target: str = ""
    box: str = ""


class Runs:
    """A reader of the runs of one part.

    Parameters
    ----------
    styles
        The styles, by which text may be hidden.
    relations
        The relations of the part, which hold the targets of its links.
    pages
        The pages.
    """

    def __init__(self, styles: Styles, relations: dict[str, Relation], pages: Pages) -> None:
        self._styles = styles
        self._relations = relations
        self._pages = pages
        self._fields: list[_Field] = []
        self._content = Content()
        self._style: str | None = None
        self._handlers: dict[str, Callable[[Node], None]] = {
            "w:fldChar": self._field,
            "w:instrText": self._instruction,
            "w:br": self._break,
            "w:lastRenderedPageBreak": lambda _: pages.rendered(),
            "w:footnoteReference": self._note,
            "w:endnoteReference": self._note,
            "w:drawing": self._drawing,
            "w:pict": self._drawing,
            "w:object": self._drawing,
            "w:sym": self._symbol,
            "mc:AlternateContent": self._alternative,
        }

    def content(self, paragraph: Node) -> Content:
        """Return what a paragraph holds. O(n)."""
        self._content = content = Content()
        self._style = value(paragraph, "w:pPr", "w:pStyle")
        # Instructions end with their paragraph, if the file is right.
        self._fields = []
        self._walk(paragraph, "")
        return content

    def equations(self, node: Node) -> Content:
        """Return the equations that stand outside of a paragraph."""
        self._content = content = Content()
        self._style = None
        self._fields = []
        self._equations(node)
        return content

    def _walk(self, node: Node, target: str) -> None:
        for each in node:
            name = name_of(each)
            if name == "w:r":
                if not self._is_hidden(each):
                    self._run(each, target)
            elif name == "w:hyperlink":
                self._walk(each, self._target(each) or target)
            elif name == "w:sdt":
                self._control(each, target)
            elif name in _TRANSPARENT:
                self._instruct(attribute(each, "w:instr") or "")
                self._walk(each, target)
            elif name in {"m:oMathPara", "m:oMath"}:
                self._equations(each)
            elif name == "mc:AlternateContent":
                branch = alternative(each)
                if branch is not None:
                    self._walk(branch, target)

    def _run(self, run: Node, target: str) -> None:
        for each in run:
            name = name_of(each)
            if name == "w:t":
                self._add(_shown(each.text or "", run), target)
            elif name in _SIGNS:
                self._add(_SIGNS[name], target)
            elif name in self._handlers:
                self._handlers[name](each)
            elif name == "w:ruby":
                base = child(each, "w:rubyBase")
                self._walk(each if base is None else base, target)

    def _add(self, text: str, target: str = "", *, is_equation: bool = False) -> None:
        if any(not each.is_result for each in self._fields):
            return
        of_field = next((each.target for each in reversed(self._fields) if each.target), "")
        page = self._pages.text() if text.strip() else self._pages.number
        self._content.add(text, page, target or of_field, is_equation=is_equation)

    def _is_hidden(self, run: Node) -> bool:
        return self._styles.hides(child(run, "w:rPr"), self._style)

    def _hides_all(self, node: Node, runs: str) -> bool:
        """Return whether there are runs of a kind in a node, and all of them are hidden."""
        found = list(node.iter(full(runs)))
        return bool(found) and all(map(self._is_hidden, found))

    def _target(self, link: Node) -> str:
        found = self._relations.get(attribute(link, "r:id") or "")
        if found is None or not found.is_external:
            return ""
        anchor = attribute(link, "w:anchor")
        return f"{found.target}#{anchor}" if anchor else found.target

    def _control(self, control: Node, target: str) -> None:
        """Read a content control, unless all that it shows is what is to be written into it."""
        content = content_of(control)
        if content is None:
            return
        box = child(control, "w:sdtPr", "w14:checkbox")
        if box is None:
            self._walk(content, target)
        elif not self._hides_all(content, "w:r"):
            checked = attribute(child(box, "w14:checked"), "w14:val")
            is_checked = child(box, "w14:checked") is not None and checked not in {"0", "false"}
            self._add(_BOXES[is_checked])

    def _equations(self, node: Node) -> None:
        equations = [node] if name_of(node) == "m:oMath" else node.iterchildren("{*}oMath")
        for each in equations:
            if not self._hides_all(each, "m:r") and (text := latex(each).strip()):
                self._add(text, is_equation=True)

    def _instruct(self, instruction: str) -> None:
        if found := _SEQUENCE.match(instruction):
            self._content.sequence = self._content.sequence or found[1].lower()

    def _field(self, node: Node) -> None:
        kind = attribute(node, "w:fldCharType")
        if kind == "begin":
            box = child(node, "w:ffData", "w:checkBox")
            checked = box is not None and (
                is_on(box, "w:checked")
                if child(box, "w:checked") is not None
                else is_on(box, "w:default")
            )
            self._fields.append(_Field(box="" if box is None else _BOXES[checked]))
        elif kind == "separate" and self._fields:
            self._separate(self._fields[-1])
        elif kind == "end" and self._fields:
            ended = self._fields.pop()
            if ended.box:
                self._add(ended.box)
            elif not ended.is_result:
                self._instruct(ended.instruction)

    def _separate(self, field_: _Field) -> None:
        field_.is_result = True
        self._instruct(field_.instruction)
        if link := _HYPERLINK.match(field_.instruction):
            field_.target = link[1] or link[2] or ""

    def _instruction(self, node: Node) -> None:
        open_ = self._fields[-1] if self._fields else None
        if open_ is not None and len(open_.instruction) < _MAX_INSTRUCTION:
            open_.instruction += node.text or ""

    def _break(self, node: Node) -> None:
        kind = attribute(node, "w:type") or "textWrapping"
        if kind == "page":
            self._pages.set()
        if kind == "textWrapping":
            self._add("\n")
        else:
            self._add(" ")

    def _note(self, node: Node) -> None:
        kind = name_of(node).removeprefix("w:").removesuffix("Reference")
        self._content.notes.append((kind, attribute(node, "w:id") or ""))

    def _drawing(self, node: Node) -> None:
        pictures, boxes = drawn(node)
        self._content.pictures += pictures
        self._content.boxes += boxes

    def _symbol(self, node: Node) -> None:
        self._add(symbol(attribute(node, "w:font"), attribute(node, "w:char")))

    def _alternative(self, node: Node) -> None:
        branch = alternative(node)
        if branch is not None:
            self._run(branch, "")


def _shown(text: str, run: Node) -> str:
    """Return a text with the signs that a font of symbols shows in it."""
    if text.isascii() or not _OWN_SIGNS.search(text):
        return text
    font = attribute(child(run, "w:rPr", "w:rFonts"), "w:ascii")
    return _OWN_SIGNS.sub(lambda sign: symbol(font, f"{ord(sign[0]):X}"), text)
