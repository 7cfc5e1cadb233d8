"""Body of a Word file as blocks, in reading order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from chunkwright.errors import ReadError
from chunkwright.readers.blocks import Block
from chunkwright.readers.docx.captions import with_captions
from chunkwright.readers.docx.containers import blocks_of
from chunkwright.readers.docx.drawings import Picture
from chunkwright.readers.docx.lines import Line, Piece, line_of
from chunkwright.readers.docx.lists import Lists
from chunkwright.readers.docx.names import Node, attribute, child, full, is_on
from chunkwright.readers.docx.numbering import BULLET, Numbering
from chunkwright.readers.docx.package import Package
from chunkwright.readers.docx.pages import Pages
from chunkwright.readers.docx.paragraphs import Properties, properties_of
from chunkwright.readers.docx.runs import Content, Runs
from chunkwright.readers.docx.sections import sections_of
from chunkwright.readers.docx.styles import Styles
from chunkwright.readers.docx.tables import cells_of, grid_of, rows_of

_NOTES = {"footnote": "footnotes", "endnote": "endnotes"}


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
    return [*blocks, *reader.furniture(body)], len(blocks)


@dataclass
class _Anchored:
    """What stands in texts beside their words: pictures, and the kinds and ids of notes."""

    pictures: list[Picture]
    notes: list[tuple[str, str]]


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
        self._styles = Styles(package.related(main, "styles"))
        self._numbering = Numbering(package.related(main, "numbering"), self._styles)
        self._pages = Pages(root)
        self._relations = package.relations(main)
        self._runs = Runs(self._styles, self._relations, self._pages)
        self._lists = Lists()
        self._sections = sections_of(root)
        self._blocks: list[Block] = []
        self._titles: set[int] = set()
        self._sequences: dict[int, str] = {}
        self._code: list[tuple[str, int]] = []
        self._carried: list[Piece] = []
        self._pending: list[tuple[tuple[str, str], int]] = []
        self._seen: set[tuple[str, str]] = set()
        self._section = 0
        self._notes: dict[str, dict[str, Node]] = {}

    def read(self, container: Node) -> None:
        """Read all that stands in a body, a cell, a text box or the like."""
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

    def furniture(self, body: Node) -> list[Block]:
        """Return the headers and footers of all sections, each text once."""
        is_odd_even = self._package.related(self._package.main, "settings")
        has_even = is_odd_even is not None and is_on(is_odd_even, "w:evenAndOddHeaders")
        found: dict[tuple[str, str], Line] = {}
        for section in sections_of(body):
            for kind, relation in section.references(has_even=has_even):
                part = self._relations.get(relation)
                root = None if part is None else self._package.part(part.target)
                if part is None or root is None or (kind, part.target) in self._seen:
                    continue
                self._seen.add((kind, part.target))
                runs = Runs(self._styles, self._package.relations(part.target), self._pages)
                for line in self._lines(root, runs, _Anchored([], [])):
                    found.setdefault((kind, line.text), line)
        return [Block(kind, text, links=line.links) for (kind, text), line in found.items()]

    def _paragraph(self, node: Node) -> None:
        is_ = properties_of(node, self._styles, self._numbering)
        if is_.begins_page:
            self._pages.set()
        content = self._runs.content(node)
        if is_.is_hidden:
            content = Content()
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
        if is_.kind == "code":
            self._code_line(content, pages)
            number = None
        else:
            number = self._text(content, is_, pages)
        for picture in content.pictures:
            self._picture(picture, self._lists.item)
        for note in content.notes:
            self._pending.append((note, number if number is not None else len(self._blocks) - 1))
        if self._lists.item is None:
            self._write_notes()
        for box in content.boxes:
            self._box(box)

    def _text(self, content: Content, is_: Properties, pages: tuple[int, ...]) -> int | None:
        """Add the block of a paragraph's text; None if it has no text."""
        label = None if is_.num_id is None else self._numbering.label(is_.num_id, is_.list_level)
        line = line_of(_marked(content.pieces))
        if not line.text:
            return None
        if _is_equations(content.pieces):
            return self._formulas(content, pages)
        if is_.kind in {"heading", "title"}:
            return self._heading(line, is_, label, pages)
        if label is not None and is_.kind != "caption":
            return self._item(line, is_, label, pages)
        if is_.kind == "continued" and self._lists.item is not None:
            self._end_code()
            return self._push(Block("paragraph", line.text, 0, self._lists.item, pages), line)
        kind = is_.kind if is_.kind in {"caption", "quote"} else "paragraph"
        front = "" if label in {None, BULLET} else f"{label} "
        number = self._add(Block(kind, pages=pages), line.behind(front))
        if kind == "caption":
            self._sequences[number] = content.sequence
        return number

    def _heading(
        self, line: Line, is_: Properties, label: str | None, pages: tuple[int, ...]
    ) -> int:
        front = "" if label in {None, BULLET} else f"{label} "
        text = line.behind(front)
        # A heading is one line.
        text = text._replace(text=text.text.replace("\n", " "))
        number = self._add(Block("heading", level=is_.level or 1, pages=pages), text)
        if is_.kind == "title":
            self._titles.add(number)
        return number

    def _item(self, line: Line, is_: Properties, label: str, pages: tuple[int, ...]) -> int:
        self._end_code()
        counted = self._numbering.counted(is_.num_id or "")
        place = self._lists.place(is_.list_level, counted)
        of = place.block
        if of is None:
            if place.parent is None:
                self._write_notes()
            of = self._push(Block("list", level=place.level, parent=place.parent), Line(""))
        item = self._push(
            Block("list item", level=place.level, parent=of, pages=pages), line.behind(f"{label} ")
        )
        self._lists.add(is_.list_level, counted, of, item)
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

    def _picture(self, picture: Picture, parent: int | None) -> None:
        figure = Block("figure", parent=parent, pages=self._here())
        number = (self._add if parent is None else self._push)(figure, Line(picture.text))
        for text in self._diagram(picture):
            self._push(Block("paragraph", parent=number, pages=self._here()), Line(text))

    def _diagram(self, picture: Picture) -> list[str]:
        """Return the texts of a diagram, which has a part of its own."""
        part = self._relations.get(picture.diagram or "")
        if part is None or part.is_external or ("diagram", part.target) in self._seen:
            return []
        self._seen.add(("diagram", part.target))
        root = self._package.part(part.target)
        points = [] if root is None else root.iter(full("dgm:t"))
        texts = (
            " ".join("".join(t.text or "" for t in p.iter(full("a:t"))).split()) for p in points
        )
        return [text for text in texts if text]

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
        first, anchored = self._pages.number, _Anchored([], [])
        table = grid_of(node, rows, lambda cells: self._row(cells, anchored))
        if table is not None and any(cell.text for cell in table.cells):
            pages = self._pages.between(first, self._pages.number)
            number = self._add(Block("table", pages=pages, table=table), Line(""))
        else:
            number = None
        for picture in anchored.pictures:
            self._picture(picture, number)
        if number is not None:
            self._pending += [(note, number) for note in anchored.notes]
            self._write_notes()

    def _row(self, cells: Sequence[Node], anchored: _Anchored) -> list[str]:
        """Return the texts of a row, all of whose cells begin on the same page."""
        first, last, texts = self._pages.number, self._pages.number, []
        for cell in cells:
            self._pages.number = first
            lines = self._lines(cell, self._runs, anchored)
            texts.append(" ".join(" ".join(line.text for line in lines).split()))
            last = max(last, self._pages.number)
        self._pages.number = last
        return texts

    def _lines(self, container: Node, runs: Runs, anchored: _Anchored) -> list[Line]:
        """Return the texts of a cell, a note or a header by paragraph, rows of tables as lines."""
        lines: list[Line] = []
        for name, node in blocks_of(container):
            if name == "w:p":
                self._flat(node, runs, anchored, lines)
            elif name == "w:tbl":
                for row in rows_of(node):
                    inner = (self._lines(cell, runs, anchored) for cell in cells_of(row))
                    texts = (" ".join(line.text for line in cell) for cell in inner)
                    lines.append(Line(" ".join(text for text in texts if text)))
            else:
                lines.append(line_of(_marked(runs.equations(node).pieces)))
        return [line for line in lines if line.text]

    def _flat(self, node: Node, runs: Runs, anchored: _Anchored, lines: list[Line]) -> None:
        is_ = properties_of(node, self._styles, self._numbering)
        content = runs.content(node)
        if is_.is_hidden:
            return
        label = None if is_.num_id is None else self._numbering.label(is_.num_id, is_.list_level)
        line = line_of(_marked(content.pieces))
        if line.text:
            lines.append(line if label is None else line.behind(f"{label} "))
        anchored.pictures += content.pictures
        anchored.notes += content.notes
        for box in content.boxes:
            lines += self._lines(box, runs, anchored)

    def _write_notes(self) -> None:
        """Add the notes that the blocks so far refer to, each once."""
        pending, self._pending = self._pending, []
        for (kind, id_), parent in pending:
            node = self._note(kind, id_)
            if node is None or (kind, id_) in self._seen:
                continue
            self._seen.add((kind, id_))
            anchored = _Anchored([], [])
            lines = self._lines(node, self._runs_of(kind), anchored)
            text = "\n".join(line.text for line in lines)
            if text:
                links = lines[0].links if len(lines) == 1 else ()
                note = Block("footnote", parent=max(parent, 0) if self._blocks else None)
                self._push(note, Line(text, links))

    def _note(self, kind: str, id_: str) -> Node | None:
        if kind not in self._notes:
            root = self._package.related(self._package.main, _NOTES[kind])
            self._notes[kind] = {
                attribute(n, "w:id") or "": n for n in ([] if root is None else root)
            }
        return self._notes[kind].get(id_)

    def _runs_of(self, kind: str) -> Runs:
        relations = self._relations.values()
        part = next((each.target for each in relations if each.type == _NOTES[kind]), "")
        return Runs(self._styles, self._package.relations(part), self._pages)

    def _end_section(self) -> None:
        self._section += 1
        if self._section < len(self._sections) and self._sections[self._section].begins_page:
            self._pages.set()

    def _here(self) -> tuple[int, ...]:
        return self._pages.between(self._pages.number, self._pages.number)

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


def _marked(pieces: Iterable[Piece]) -> list[Piece]:
    """Return the pieces of a line, equations between dollars."""
    return [each._replace(text=f"${each.text}$") if each.is_equation else each for each in pieces]


def _is_equations(pieces: Iterable[Piece]) -> bool:
    """Return whether there are equations, and nothing else."""
    shown = [each for each in pieces if each.text.strip()]
    return bool(shown) and all(each.is_equation for each in shown)
