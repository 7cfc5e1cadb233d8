"""PDF documents in which things stand beside each other that look alike."""

from __future__ import annotations

import chunkwright as cw
from tests.readers.pdf.drawing import HEIGHT, Sheets, body, broken, prose, texts

BOLD = "Helvetica-Bold"


def test_ruled_tables_beside_each_other() -> None:
    sheets = Sheets()
    for k, x in enumerate((60, 308)):
        top = 200 - 42 * k
        sheets.grid([x, x + 76, x + 152, x + 228], [top + 20 * i for i in range(4)])
        for row in range(3):
            for column in range(3):
                sheets.line(x + 76 * column + 3, top + 14 + 20 * row, f"{'abc'[row]}{column}")
    assert len(texts(sheets.read(), "table")) == 2


def test_headings_that_are_alike_at_the_top_of_each_page_stay() -> None:
    """They are larger than the running head above them, and stand right above their text."""
    sheets = Sheets()
    for page in range(4):
        sheets.line(72, 40, "Catalogue of stones", size=8)
        sheets.line(72, 85, "Description", size=14, font=BOLD)
        sheets.paragraph(105, prose(page, 8))
        sheets.next()
    assert texts(sheets.read(), "heading") == ["Description"] * 4


def test_an_unruled_table_in_a_column() -> None:
    sheets = Sheets()
    right = broken(prose(2, 24), 210)
    y = sheets.paragraph(100, prose(1, 5), width=210) + 8
    for i, row in enumerate(
        [("Stone", "kg", "Year"), ("slate", "7", "1990"), ("chalk", "3", "1991")]
    ):
        for x, cell in zip((72, 150, 220), row, strict=True):
            sheets.line(x, y + 14 * i, cell)
    sheets.paragraph(y + 60, prose(3, 5), width=210)
    sheets.lines(310, 100, right)
    document = sheets.read()
    assert len(texts(document, "table")) == 1
    assert [kind for kind, _ in body(document)] == ["paragraph", "table", "paragraph", "paragraph"]
    assert body(document)[-1][1] == " ".join(right)


def test_chunks_of_a_paragraph_over_pages_have_the_page_of_their_text() -> None:
    sheets = Sheets()
    lines = broken(prose(1, 60), 450)
    sheets.lines(72, HEIGHT - 72 - 12 * 19, lines[:20])
    sheets.next()
    sheets.lines(72, 72, lines[20:])
    document = sheets.read()
    assert [e.pages for e in document.elements] == [(1, 2)]
    chunks = cw.chunk(document, "basic", max_chars=200)
    assert chunks[0].pages == (1,)
    assert chunks[-1].pages == (2,)
