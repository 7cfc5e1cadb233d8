"""Tables: between lines, by alignment, with cells over several columns; and what is none."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

import pytest

import chunkwright as cw
from tests.readers.pdf.drawing import Sheets, body, broken, prose, texts

ROWS = [("Stone", "Weight", "Year"), ("slate", "7", "1990"), ("chalk", "3", "1991")]
ROWS += [("flint", "9", "1992"), ("basalt", "12", "1993")]


def put(sheets: Sheets, rows: Sequence[tuple[str, ...]], *, x: float = 72, y: float = 100) -> None:
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            if cell:
                sheets.line(x + 5 + 100 * j, y + 13 + 18 * i, cell)


def cells(document: cw.Document) -> list[tuple[int, int, int, int, str]]:
    """Return row, column, how many it covers, and text, of each cell that is not empty."""
    (element,) = [e for e in document.elements if e.kind == "table"]
    table = element.table
    assert table is not None
    return [
        (cell.row, cell.column, cell.rows, cell.columns, document.text[cell.start : cell.end])
        for cell in table.cells
        if cell.start < cell.end
    ]


def simple(rows: Sequence[tuple[str, ...]]) -> list[tuple[int, int, int, int, str]]:
    return [(i, j, 1, 1, cell) for i, row in enumerate(rows) for j, cell in enumerate(row) if cell]


def test_a_ruled_table_has_its_cells() -> None:
    sheets = Sheets()
    sheets.grid([72, 172, 272, 372], [100 + 18 * i for i in range(6)])
    put(sheets, ROWS)
    document = sheets.read()
    assert cells(document) == simple(ROWS)
    assert texts(document, "table")[0].split("\n")[0] == "| Stone | Weight | Year |"
    box = document.elements[0].boxes[0]
    assert (box.left, box.top, box.right, box.bottom) == pytest.approx((72, 100, 372, 190), abs=1.5)


def test_a_ruled_table_keeps_empty_cells() -> None:
    sheets = Sheets()
    rows = [ROWS[0], ("slate", "", "1990"), ("", "3", "1991")]
    sheets.grid([72, 172, 272, 372], [100 + 18 * i for i in range(4)])
    put(sheets, rows)
    assert cells(sheets.read()) == simple(rows)


def test_cells_over_columns_and_rows() -> None:
    sheets = Sheets()
    canvas, height = sheets.canvas, sheets.height
    for y in (100, 118, 136, 154, 172):
        canvas.line(72 if y != 154 else 172, height - y, 372, height - y)
    for x, top, bottom in [(72, 100, 172), (172, 118, 172), (272, 118, 172), (372, 100, 172)]:
        canvas.line(x, height - top, x, height - bottom)
    sheets.line(180, 113, "All stones")
    for i, name in enumerate(["Name", "Weight", "Year"]):
        sheets.line(77 + 100 * i, 131, name)
    sheets.line(77, 158, "slate")
    put(sheets, [("", "7", "1990"), ("", "8", "1991")], y=136)
    assert cells(sheets.read()) == [
        (0, 0, 1, 3, "All stones"),
        *[(1, i, 1, 1, text) for i, text in enumerate(["Name", "Weight", "Year"])],
        (2, 0, 2, 1, "slate"),
        (2, 1, 1, 1, "7"),
        (2, 2, 1, 1, "1990"),
        (3, 1, 1, 1, "8"),
        (3, 2, 1, 1, "1991"),
    ]


def test_lines_of_a_cell_are_one_text() -> None:
    sheets = Sheets()
    sheets.grid([72, 222, 372], [100, 140, 180])
    sheets.lines(77, 113, ["A name that goes", "on below"])
    sheets.line(227, 113, "7")
    sheets.lines(77, 153, ["Another one of", "two lines"])
    sheets.line(227, 153, "9")
    found = [text for *_, text in cells(sheets.read())]
    assert found == ["A name that goes on below", "7", "Another one of two lines", "9"]


def test_filled_rows_make_a_table() -> None:
    """Many programs draw lines as thin rectangles, and shade each other row."""
    sheets = Sheets()
    canvas = sheets.canvas
    for i in range(5):
        canvas.setFillGray(0.9 if i % 2 else 0.8)
        canvas.rect(72, sheets.height - 118 - 18 * i, 300, 18, stroke=0, fill=1)
    canvas.setFillGray(0)
    for i in range(6):
        canvas.rect(72, sheets.height - 100 - 18 * i, 300, 0.6, stroke=0, fill=1)
    for i in range(4):
        canvas.rect(72 + 100 * i, sheets.height - 190, 0.6, 90, stroke=0, fill=1)
    put(sheets, ROWS)
    assert cells(sheets.read()) == simple(ROWS)


@pytest.mark.parametrize("n_rules", [0, 2, 3])
def test_aligned_columns_make_a_table(n_rules: int) -> None:
    """Without lines between cells, with lines above, below and under the header or without."""
    sheets = Sheets()
    sheets.paragraph(70, prose(1, 1))
    put(sheets, ROWS, y=110)
    for y in [108, 203, 127][:n_rules]:
        sheets.canvas.line(72, sheets.height - y, 372, sheets.height - y)
    sheets.paragraph(260, prose(2, 4))
    document = sheets.read()
    assert cells(document) == simple(ROWS)
    assert [kind for kind, _ in body(document)] == ["paragraph", "table", "paragraph"]


def test_numbers_on_the_right_of_their_column() -> None:
    sheets = Sheets()
    rows = [("rain", "7.25"), ("snow", "112.50"), ("sun", "1,034.00"), ("wind", "3.10")]
    for i, (name, number) in enumerate(rows):
        sheets.line(72, 100 + 16 * i, name)
        sheets.canvas.drawRightString(300, sheets.height - 100 - 16 * i, number)
    assert cells(sheets.read()) == simple(rows)


@pytest.mark.parametrize("n_lines", [3, 6, 20])
@pytest.mark.parametrize("n", [2, 3])
def test_columns_of_prose_are_no_table(n: int, n_lines: int) -> None:
    sheets = Sheets()
    width = 470 / n - 15
    parts = [broken(prose(i, 16), width)[:n_lines] for i in range(n)]
    for row, lines in enumerate(zip_longest(*parts)):
        for i, line in enumerate(lines):
            sheets.line(72 + (width + 15) * i, 100 + 12 * row, line)
    document = sheets.read()
    assert texts(document, "table") == []
    assert document.body.split() == " ".join(" ".join(lines) for lines in parts).split()


def test_a_frame_around_text_is_no_table() -> None:
    sheets = Sheets()
    sheets.canvas.rect(60, sheets.height - 200, 470, 110)
    sheets.paragraph(110, prose(1, 5))
    assert body(sheets.read()) == [("paragraph", prose(1, 5))]


def test_a_list_with_tabs_is_no_table() -> None:
    sheets = Sheets()
    for i in range(5):
        sheets.line(72, 100 + 14 * i, f"{i + 1}.")
        sheets.line(100, 100 + 14 * i, prose(i, 1)[:60])
    document = sheets.read()
    assert texts(document, "table") == []
    assert len(texts(document, "list item")) == 5


def test_two_tables_side_by_side_or_below_each_other() -> None:
    sheets = Sheets()
    for top in (100, 300):
        sheets.grid([72, 172, 272, 372], [top + 18 * i for i in range(6)])
        put(sheets, ROWS, y=top)
    assert len(texts(sheets.read(), "table")) == 2
