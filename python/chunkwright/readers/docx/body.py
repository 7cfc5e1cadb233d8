"""Body of a Word file as blocks, in reading order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from chunkwright.errors import ReadError
from chunkwright.readers.blocks import Block
from chunkwright.readers.docx.captions import with_captions
from chunkwright.readers.docx.containers import blocks_of
from chunkwright.readers.docx.drawings import Picture
from chunkwright.readers.docx.furniture import furniture_of
from chunkwright.readers.docx.lines import Line, Piece, line_of
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
        self._code: list[tuple[str, int]] = []
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
        pages = self._pages.between(content.first, content.last) if content.first else ()
        # What a heading or an item begins with is of it.
        is_text = is_.num_id is None and is_.kind not in {"heading", "title", "code", "continued"}
        pictures, boxes = content.leading if is_text else (0, 0)
        here, self._pages.number = self._pages.number, content.first or self._pages.number
        self._beside(content.pictures[:pictures], content.boxes[:boxes], None)
        self._pages.number = here
        if is_.kind == "code":
            self._code_line(content, pages)
            number = None
        else:
            number = self._text(content, is_, pages)
        self._notes.refer(content.notes, number)
        if self._lists.item is None:
            self._write_notes()
        is_in_list = number is not None and self._lists.item is not None
        parent = number if is_in_list else None
        self._beside(content.pictures[pictures:], content.boxes[boxes:], parent)

    def _text(self, content: Content, is_: Properties, pages: tuple[int, ...]) -> int | None:
        """Add the block of a paragraph's text; None if it has no text."""
        line = line_of(marked(content.pieces))
        is_gone = is_.num_id is None or (is_.is_hidden and not line.text)
        label = None if is_gone else self._numbering.label(is_.num_id or "", is_.list_level)
        if not line.text:
            return None
        if _is_equations(content.pieces):
            return self._formulas(content, pages)
        if label is not None and is_.kind not in {"heading", "title", "caption"}:
            return self._item(line.behind(f"{label} "), is_, pages)
        if is_.kind == "continued" and self._lists.item is not None:
            self._end_code()
            return self._push(Block("paragraph", parent=self._lists.item, pages=pages), line)
        line = line if label in {None, BULLET} else line.behind(f"{label} ")
        if is_.kind in {"heading", "title"}:
            # It is one line, wherever Word breaks it.
            line = line._replace(text=line.text.replace("\n", " "))
            number = self._add(Block("heading", level=is_.level or 1, pages=pages), line)
            self._titles |= {number} if is_.kind == "title" else set()
            return number
        kind = is_.kind if is_.kind in {"caption", "quote"} else "paragraph"
        number = self._add(Block(kind, pages=pages), line)
        if kind == "caption":
            self._sequences[number] = content.sequence
        return number

    def _item(self, line: Line, is_: Properties, pages: tuple[int, ...]) -> int:
        self._end_code()
        counted = self._numbering.counted(is_.num_id or "")
        place = self._lists.place(is_.depth, counted)
        of = place.block
        if of is None:
            if place.parent is None:
                self._write_notes()
            of = self._push(Block("list", level=place.level, parent=place.parent), Line(""))
        item = self._push(Block("list item", level=place.level, parent=of, pages=pages), line)
        self._lists.add(is_.depth, counted, of, item)
        return item

    def _formulas(self, content: Content, pages: tuple[int, ...]) -> int:
        shown = (piece for piece in content.pieces if piece.is_equation)
        return [self._add(Block("formula", pages=pages), Line(f"$${e.text}$$")) for e in shown][-1]

    def _code_line(self, content: Content, pages: tuple[int, ...]) -> None:
        text = line_of(content.pieces, is_code=True).text
        if text or self._code:
            self._end_lists()
            self._code.append((text, pages[0] if pages else 0))

    def _end_code(self) -> None:
        """Add the lines of code that were read as one block."""
        lines, self._code = self._code, []
        while lines and not lines[-1][0]:
            lines.pop()
        if lines:
            on = [page for _, page in lines if page]
            pages = tuple(range(min(on), max(on) + 1)) if on else ()
            self._push(Block("code", pages=pages), Line("\n".join(text for text, _ in lines)))

    def _beside(self, pictures: list[Picture], boxes: list[Node], parent: int | None) -> None:
        """Add the blocks of what is anchored in a paragraph."""
        for picture in pictures:
            self._picture(picture, parent)
        for box in boxes:
            self._box(box)

    def _picture(self, picture: Picture, parent: int | None) -> None:
        pages = self._pages.between(self._pages.number, self._pages.number)
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
        first, anchored = self._pages.number, Anchored()
        table = grid_of(node, rows, lambda cells: self._row(cells, anchored))
        number = None
        if table is not None and any(cell.text for cell in table.cells):
            pages = self._pages.between(first, self._pages.number)
            number = self._add(Block("table", pages=pages, table=table), Line(""))
        for picture in anchored.pictures:
            self._picture(picture, number)
        self._notes.refer(anchored.notes, number)
        self._write_notes()

    def _row(self, cells: Sequence[Node], anchored: Anchored) -> list[str]:
        """Return the texts of a row, all of whose cells begin on the same page."""
        first, last, texts = self._pages.number, self._pages.number, []
        for cell in cells:
            self._pages.number = first
            texts.append(self._texts.text(cell, self._runs, anchored))
            last = max(last, self._pages.number)
        self._pages.number = last
        return texts

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
        self._blocks.append(block._replace(text=line.text, links=line.links))
        return len(self._blocks) - 1


def _is_equations(pieces: Iterable[Piece]) -> bool:
    """Return whether there are equations, and nothing else."""
    shown = [each for each in pieces if each.text.strip()]
    return bool(shown) and all(each.is_equation for each in shown)
