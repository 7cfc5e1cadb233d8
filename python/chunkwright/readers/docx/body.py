"""Body of a Word file as blocks, in reading order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from chunkwright.errors import ReadError
from chunkwright.readers.blocks import Block
from chunkwright.readers.docx.captions import with_captions
from chunkwright.readers.docx.containers import blocks_of
from chunkwright.readers.docx.drawings import Picture
from chunkwright.readers.docx.furniture import furniture_of
from chunkwright.readers.docx.lines import Line, Piece, joined, line_of
from chunkwright.readers.docx.lists import Lists
from chunkwright.readers.docx.notes import Notes
from chunkwright.readers.docx.pages import Pages
from chunkwright.readers.docx.paragraphs import Properties, properties_of
from chunkwright.readers.docx.parts.names import Node, child, full
from chunkwright.readers.docx.parts.numbering import BULLET, Numbering
from chunkwright.readers.docx.parts.package import Package
from chunkwright.readers.docx.parts.sections import sections_of
from chunkwright.readers.docx.parts.styles import Styles
from chunkwright.readers.docx.runs import Content, Runs
from chunkwright.readers.docx.tables import cells_of, grid_of, rows_of
from chunkwright.readers.docx.texts import Anchored, Texts, marked


def blocks_in(data: bytes) -> tuple[list[Block], int]:
    """Return the blocks of a Word file, and the number of those of its body.

    Raises
    ------
    ReadError
        If it is no Word file, or a damaged one.
    """
    package = Package(data)
    root = package.part(package.main)
    body = None if root is None else child(root, "w:body")
    if body is None:
        raise ReadError("this ZIP archive holds no Word document")
    reader = Body(package, root)
    reader.read(body)
    blocks = reader.finish()
    return [*blocks, *reader.furniture()], len(blocks)


class Body:
    """A reader of the blocks of a document.

    Parameters
    ----------
    package
        The package.
    root
        The part that holds the document.
    """

    def __init__(self, package: Package, root: Node) -> None:
        main = package.main
        self._package = package
        self._relations = package.relations(main)
        self._styles = Styles(package.related(main, "styles"))
        self._numbering = Numbering(package.related(main, "numbering"), self._styles)
        self._pages = Pages(root)
        self._runs = Runs(self._styles, self._relations, self._pages)
        self._texts = Texts(self._styles, self._numbering)
        self._notes = Notes(package, self._styles, self._pages, self._texts)
        self._sections = sections_of(root)
        self._section = 0
        self._lists = Lists()
        self._blocks: list[Block] = []
        self._titles: set[int] = set()
        self._sequences: dict[int, str] = {}
        self._code: list[Line] = []
        self._carried: list[Piece] = []
        self._diagrams: set[str] = set()

    def read(self, container: Node) -> None:
        """Read all that stands in a body, a frame or a text box."""
        for name, node in blocks_of(container):
            if name == "w:tbl":
                self._table(node)
            elif name != "w:p":
                self._content(self._runs.equations(node), Properties())
            elif len(node):
                self._paragraph(node)

    def finish(self) -> list[Block]:
        """Return the blocks that were read."""
        self._end_lists()
        self._end_code()
        blocks = with_captions(self._blocks, self._sequences)
        if not self._titles:
            return blocks
        return [
            block._replace(level=block.level + 1)
            if block.kind == "heading" and at not in self._titles
            else block
            for at, block in enumerate(blocks)
        ]

    def furniture(self) -> list[Block]:
        """Return the headers and footers of its pages."""
        return furniture_of(self._package, self._sections, self._styles, self._pages, self._texts)

    def _paragraph(self, node: Node) -> None:
        is_ = properties_of(node, self._styles, self._numbering)
        if is_.begins_page:
            self._pages.set()
        content = self._runs.content(node)
        if is_.runs_on:
            self._carried += content.pieces
            content.pieces = []
        else:
            content.pieces[:0] = self._carried
            self._carried = []
        self._content(content, is_)
        if is_.ends_section:
            self._end_section()

    def _content(self, content: Content, is_: Properties) -> None:
        """Add the blocks of what a paragraph holds."""
        # What a heading or an item begins with is of it.
        is_text = is_.num_id is None and is_.kind not in {"heading", "title", "code", "continued"}
        pictures, boxes = content.leading if is_text else (0, 0)
        here, self._pages.number = self._pages.number, content.first or self._pages.number
        self._beside(content.pictures[:pictures], content.boxes[:boxes], None)
        self._pages.number = here
        if is_.kind == "code":
            self._code_line(content)
            number = None
        else:
            number = self._text(content, is_)
        self._notes.refer(content.notes, number)
        if self._lists.item is None:
            self._write_notes()
        is_in_list = number is not None and self._lists.item is not None
        parent = number if is_in_list else None
        self._beside(content.pictures[pictures:], content.boxes[boxes:], parent)

    def _text(self, content: Content, is_: Properties) -> int | None:
        """Add the block of a paragraph's text; None if it has no text."""
        line = line_of(marked(content.pieces))
        is_gone = is_.num_id is None or (is_.is_hidden and not line.text)
        label = None if is_gone else self._numbering.label(is_.num_id or "", is_.list_level)
        if not line.text:
            return None
        if _is_equations(content.pieces):
            return self._formulas(content)
        if label is not None and is_.kind not in {"heading", "title", "caption"}:
            return self._item(line.behind(f"{label} "), is_)
        if is_.kind == "continued" and self._lists.item is not None:
            self._end_code()
            return self._push(Block("paragraph", parent=self._lists.item), line)
        line = line if label in {None, BULLET} else line.behind(f"{label} ")
        if is_.kind in {"heading", "title"}:
            # It is one line, wherever Word breaks it.
            line = line._replace(text=line.text.replace("\n", " "))
            number = self._add(Block("heading", level=is_.level or 1), line)
            self._titles |= {number} if is_.kind == "title" else set()
            return number
        kind = is_.kind if is_.kind in {"caption", "quote"} else "paragraph"
        number = self._add(Block(kind), line)
        if kind == "caption":
            self._sequences[number] = content.sequence
        return number

    def _item(self, line: Line, is_: Properties) -> int:
        self._end_code()
        counted = self._numbering.counted(is_.num_id or "")
        place = self._lists.place(is_.depth, counted)
        of = place.block
        if of is None:
            if place.parent is None:
                self._write_notes()
            of = self._push(Block("list", level=place.level, parent=place.parent), Line(""))
        item = self._push(Block("list item", level=place.level, parent=of), line)
        self._lists.add(is_.depth, counted, of, item)
        return item

    def _formulas(self, content: Content) -> int:
        shown = [piece for piece in content.pieces if piece.is_equation]
        lines = (Line(f"$${each.text}$$", pages=((0, each.page),)) for each in shown)
        return [self._add(Block("formula"), line) for line in lines][-1]

    def _code_line(self, content: Content) -> None:
        line = line_of(content.pieces, is_code=True)
        if line.text or self._code:
            self._end_lists()
            self._code.append(line)

    def _end_code(self) -> None:
        """Add the lines of code that were read as one block."""
        lines, self._code = self._code, []
        while lines and not lines[-1].text:
            lines.pop()
        if lines:
            self._push(Block("code"), joined(lines, "\n"))

    def _beside(self, pictures: list[Picture], boxes: list[Node], parent: int | None) -> None:
        """Add the blocks of what is anchored in a paragraph."""
        for picture in pictures:
            self._picture(picture, parent)
        for box in boxes:
            self._box(box)

    def _picture(self, picture: Picture, parent: int | None) -> None:
        pages = self._pages.here()
        figure = Block("figure", parent=parent, pages=pages)
        number = (self._add if parent is None else self._push)(figure, Line(picture.text))
        for text in self._diagram(picture):
            self._push(Block("paragraph", parent=number, pages=pages), Line(text))

    def _diagram(self, picture: Picture) -> list[str]:
        """Return the texts of a diagram, which has a part of its own."""
        part = self._relations.get(picture.diagram or "")
        if part is None or part.is_external or part.target in self._diagrams:
            return []
        self._diagrams.add(part.target)
        root = self._package.part(part.target)
        points = [] if root is None else root.iter(full("dgm:t"))
        texts = (" ".join(t.text or "" for t in point.iter(full("a:t"))) for point in points)
        return [" ".join(text.split()) for text in texts if text.strip()]

    def _box(self, box: Node) -> None:
        """Read a text box, which stands on the page of its anchor."""
        page = self._pages.number
        self.read(box)
        self._pages.number = page

    def _table(self, node: Node) -> None:
        rows = rows_of(node)
        if len(rows) == 1 and len(cells := cells_of(rows[0])) == 1:
            self.read(cells[0])
            return
        anchored = Anchored()
        found = grid_of(node, rows, lambda cells: self._row(cells, anchored))
        number = None
        if found is not None and any(line.text for line in found[1]):
            table, lines = found
            block = self._placed(Block("table", table=table), joined(lines, ""))
            number = self._add(block, Line(""))
        for picture in anchored.pictures:
            self._picture(picture, number)
        self._notes.refer(anchored.notes, number)
        self._write_notes()

    def _row(self, cells: Sequence[Node], anchored: Anchored) -> list[Line]:
        """Return the lines of a row, all of whose cells begin on the same page.

        Where a row begins a page, Word says so in its first cell alone, or in each.
        """
        first = last = self._pages.number
        begins = 0
        lines: list[Line] = []
        for cell in cells:
            self._pages.number = first
            line = self._texts.text(cell, self._runs, anchored)
            n_later = 0
            if line.pages:
                own = line.pages[0][1]
                begins = begins or own
                n_later = max(0, begins - own)
            last = max(last, self._pages.number + n_later)
            lines.append(line.later(n_later))
        self._pages.number = last
        return lines

    def _write_notes(self) -> None:
        """Add the notes that the blocks so far refer to."""
        notes = self._notes.take()
        if notes:
            self._end_code()
            self._blocks += notes

    def _end_section(self) -> None:
        self._section += 1
        if self._section < len(self._sections) and self._sections[self._section].begins_page:
            self._pages.set()

    def _end_lists(self) -> None:
        self._lists.close()
        self._write_notes()

    def _add(self, block: Block, line: Line) -> int:
        """Add a block that ends lists and code."""
        self._end_lists()
        self._end_code()
        return self._push(block, line)

    def _push(self, block: Block, line: Line) -> int:
        block = self._placed(block, line)._replace(text=line.text, links=line.links)
        self._blocks.append(block)
        return len(self._blocks) - 1

    def _placed(self, block: Block, line: Line) -> Block:
        """Return a block on the pages of a line, if it has any."""
        if not line.pages or not self._pages.are_known:
            return block
        starts: dict[int, int] = {}
        for at, page in line.page_starts():
            # Each cell of a row may go on on the same page.
            starts.setdefault(page, at)
        return block._replace(pages=tuple(starts), page_starts=tuple(starts.values()))


def _is_equations(pieces: Iterable[Piece]) -> bool:
    """Return whether there are equations, and nothing else."""
    shown = [each for each in pieces if each.text.strip()]
    return bool(shown) and all(each.is_equation for each in shown)
