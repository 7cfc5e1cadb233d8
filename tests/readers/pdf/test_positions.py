"""Property over generated documents: boxes hold their glyphs, pages are true, nothing is lost."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import pypdfium2
from hypothesis import given
from hypothesis import strategies as st
from pypdfium2 import raw

import chunkwright as cw
from tests.readers.pdf.drawing import HEIGHT, WIDTH, Sheets, broken

_SYLLABLES = "ba ce di fo gu ha ke li mo nu pa re si to vu wa xe yi zo qua"
SYLLABLES = _SYLLABLES.split()
FONTS = ["Helvetica", "Times-Roman", "Courier"]
# Boxes are 32-bit numbers.
CLOSE = 0.02
MARGIN = 60.0
# How much further than by a blank an item stands from its marker, in its size.
GAP = 1.0
BLOCKS = st.one_of(
    st.tuples(st.just("paragraph"), st.integers(3, 120)),
    st.tuples(st.just("heading"), st.integers(1, 6)),
    st.tuples(st.just("list"), st.integers(1, 5)),
    st.tuples(st.just("table"), st.integers(2, 6)),
)


class Shape(NamedTuple):
    """How a document is laid out."""

    n_columns: int
    size: float
    font: str
    has_furniture: bool
    gap: float


SHAPES = st.builds(
    Shape,
    st.integers(1, 2),
    st.sampled_from([7.5, 9.0, 10.0, 12.0]),
    st.sampled_from(FONTS),
    st.booleans(),
    st.sampled_from([0.6, 1.0, 2.0]),
)


class Writer:
    """Lays out blocks in columns and pages; no word is there twice."""

    def __init__(self, shape: Shape) -> None:
        self.shape, self.sheets = shape, Sheets()
        self.width = (WIDTH - 2 * MARGIN - 20 * (shape.n_columns - 1)) / shape.n_columns
        self.page, self.column, self.y = 1, 0, MARGIN + shape.size
        self.n_words = 0
        self.pages: dict[str, int] = {}
        self.furniture()

    def furniture(self) -> None:
        if self.shape.has_furniture:
            self.sheets.line(MARGIN, 30, "The Running Head", size=7)
            self.sheets.line(WIDTH / 2, HEIGHT - 25, str(self.page), size=7)

    def words(self, n: int) -> str:
        words = []
        for _ in range(n):
            number, word = self.n_words + 400, ""
            while number:
                number, digit = divmod(number, len(SYLLABLES))
                word += SYLLABLES[digit]
            words.append(word)
            self.n_words += 1
        return " ".join(words).capitalize()

    def room(self, height: float) -> float:
        """Go to another column or page if there is no room, and return where the block begins."""
        if self.y + height > HEIGHT - MARGIN:
            self.column += 1
            if self.column == self.shape.n_columns:
                self.sheets.next()
                self.page, self.column = self.page + 1, 0
                self.furniture()
            self.y = MARGIN + self.shape.size
        return MARGIN + self.column * (self.width + 20)

    def line(self, text: str, *, indent: float = 0, scale: float = 1, font: str = "") -> None:
        size = self.shape.size * scale
        x = self.room(size)
        self.put(x + indent, self.y, text, size, font or self.shape.font)
        self.y += 1.2 * size

    def put(self, x: float, y: float, text: str, size: float, font: str = "") -> None:
        self.sheets.line(x, y, text, size=size, font=font or self.shape.font)
        self.pages |= dict.fromkeys(text.lower().rstrip(".").split(), self.page)

    def text(self, text: str, *, indent: float = 0, marker: str = "") -> None:
        size, font = self.shape.size, self.shape.font
        for i, line in enumerate(broken(text, self.width - indent, size, font)):
            if marker and not i:
                x = self.room(size)
                self.sheets.line(x, self.y, marker, size=size, font=font)
            self.line(line, indent=indent)

    def block(self, kind: str, n: int) -> None:
        if kind == "paragraph":
            self.text(self.words(n) + ".")
        elif kind == "heading":
            self.room(80)
            self.y += 0.5 * self.shape.size
            for line in broken(self.words(n), self.width, 1.5 * self.shape.size, "Helvetica-Bold"):
                self.line(line, scale=1.5, font="Helvetica-Bold")
        elif kind == "list":
            marked = self.sheets.canvas.stringWidth("1. ", self.shape.font, self.shape.size)
            for i in range(n):
                indent = marked + GAP * self.shape.size
                self.text(self.words(6) + ".", indent=indent, marker=f"{i + 1}.")
        else:
            self.table(n)
        self.y += self.shape.gap * self.shape.size

    def table(self, n_rows: int) -> None:
        step = 2 * self.shape.size
        x = self.room(step * n_rows + 20)
        xs = [x + self.width * i / 3 for i in range(4)]
        self.sheets.grid(xs, [self.y + step * i for i in range(n_rows + 1)])
        for row in range(n_rows):
            for at in xs[:3]:
                self.put(at + 3, self.y + step * (row + 0.7), self.words(1), 0.8 * self.shape.size)
        self.y += step * n_rows + self.shape.size


class Drawn(NamedTuple):
    """A character that is drawn."""

    page: int
    c: str
    left: float
    top: float
    right: float
    bottom: float


def drawn(data: bytes) -> list[Drawn]:
    """Return the characters of a document that are no blanks, as PDFium places them."""
    found = []
    with pypdfium2.PdfDocument(data) as pdf:
        for index in range(len(pdf)):
            page = pdf[index]
            text = page.get_textpage()
            for i in range(text.count_chars()):
                c = chr(raw.FPDFText_GetUnicode(text, i))
                if not c.isspace() and not raw.FPDFText_IsGenerated(text, i):
                    left, bottom, right, top = text.get_charbox(i)
                    height = page.get_height()
                    found.append(Drawn(index + 1, c, left, height - top, right, height - bottom))
    return found


def letters(document: cw.Document, element: cw.Element) -> Counter[str]:
    """Return the characters of an element that are not the writer's own."""
    table = element.table
    texts = [element.text]
    if table is not None:
        texts = [document.text[cell.start : cell.end] for cell in table.cells]
    return Counter("".join("".join(texts).split()))


def boxes_hold(element: cw.Element, glyphs: list[Drawn]) -> list[Drawn]:
    """Return the characters that lie in the boxes of an element."""

    def is_in(glyph: Drawn) -> bool:
        return any(
            box.page == glyph.page
            and box.left - CLOSE <= glyph.left
            and glyph.right <= box.right + CLOSE
            and box.top - CLOSE <= glyph.top
            and glyph.bottom <= box.bottom + CLOSE
            for box in element.boxes
        )

    return [glyph for glyph in glyphs if is_in(glyph)]


def made(blocks: list[tuple[str, int]], shape: Shape) -> tuple[Writer, bytes, cw.Document]:
    writer = Writer(shape)
    writer.block("paragraph", 20)
    for kind, n in blocks:
        writer.block(kind, n)
    data = writer.sheets.data()
    return writer, data, cw.read_pdf(data)


@given(st.lists(BLOCKS, min_size=1, max_size=25), SHAPES)
def test_boxes_hold_what_is_drawn_and_nothing_is_lost(
    blocks: list[tuple[str, int]], shape: Shape
) -> None:
    _, data, document = made(blocks, shape)
    glyphs = drawn(data)
    elements = [e for e in document.elements if e.kind != "list"]
    total: Counter[str] = Counter()
    for element in elements:
        own = letters(document, element)
        total += own
        held = boxes_hold(element, glyphs)
        assert own == Counter(glyph.c for glyph in held), (element.kind, element.text)
        assert set(element.pages) == {glyph.page for glyph in held}
        assert all(0 <= box.left <= box.right <= (box.width or 0) for box in element.boxes)
        assert all(0 <= box.top <= box.bottom <= (box.height or 0) for box in element.boxes)
    assert total == Counter(glyph.c for glyph in glyphs)


@given(st.lists(BLOCKS, min_size=1, max_size=25), SHAPES)
def test_words_come_in_their_order(blocks: list[tuple[str, int]], shape: Shape) -> None:
    writer, _, document = made(blocks, shape)
    found = [word.strip("|.-").lower() for word in document.body.split()]
    assert [word for word in found if word in writer.pages] == list(writer.pages)


@given(st.lists(BLOCKS, min_size=1, max_size=25), SHAPES, st.sampled_from([80, 300, 2000]))
def test_pages_of_chunks_are_those_of_their_text(
    blocks: list[tuple[str, int]], shape: Shape, size: int
) -> None:
    writer, _, document = made(blocks, shape)
    strategies: list[Any] = ["basic", "by_title", "recursive"]
    for strategy in strategies:
        for chunk in cw.chunk(document, strategy, max_chars=size):
            words = (word.strip("|.-").lower() for word in chunk.text.split())
            pages = {writer.pages[word] for word in words if word in writer.pages}
            assert pages <= set(chunk.pages), chunk.text
            whole = {page for e in chunk.elements for page in e.pages}
            assert set(chunk.pages) <= whole
