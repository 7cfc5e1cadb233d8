"""Rows and columns of tables told by the words between lines."""

from __future__ import annotations

from reportlab.pdfbase.pdfmetrics import stringWidth

from tests.readers.pdf.drawing import Sheets, prose
from tests.readers.pdf.test_table_looks import put, rows, rule

XS = (80, 200, 280, 360, 440)


def framed(*ys: float) -> Sheets:
    sheets = Sheets()
    for y in ys:
        rule(sheets, 72, y, 500, y)
    return sheets


def test_short_lines_show_which_columns_a_header_is_over() -> None:
    sheets = framed(136, 172, 236)
    put(sheets, [("", "Sail", "", "Steam")], XS, 148, 15)
    rule(sheets, 200, 153, 325, 153)
    rule(sheets, 360, 153, 490, 153)
    table = [("Harbor", "1850", "1860", "1850", "1860")]
    table += [("Alder", "12", "34", "56", "78"), ("Birch", "90", "12", "34", "56")]
    table += [("Cedar", "78", "90", "12", "34"), ("Elm", "56", "78", "90", "12")]
    put(sheets, table, XS, 166, 16)
    document = sheets.read()
    (element,) = [e for e in document.elements if e.kind == "table"]
    assert element.table is not None
    spans = {
        document.text[cell.start : cell.end]: (cell.column, cell.columns)
        for cell in element.table.cells
        if cell.row == 0
    }
    assert spans["Sail"] == (1, 2)
    assert spans["Steam"] == (3, 2)
    assert element.table.n_rows == 6


def test_lines_of_a_cell_are_nearer_than_rows() -> None:
    sheets = framed(136, 158, 260)
    put(sheets, [("Tree", "Use", "Since")], (80, 200, 400), 150, 15)
    put(sheets, [("Alder", "Posts that stand", "1850")], (80, 200, 400), 176, 15)
    put(sheets, [("", "in water", "")], (80, 200, 400), 187, 15)
    put(sheets, [("Birch", "Brooms and", "1900")], (80, 200, 400), 212, 15)
    put(sheets, [("", "small spoons", "")], (80, 200, 400), 223, 15)
    put(sheets, [("Cedar", "Chests", "1910")], (80, 200, 400), 248, 15)
    assert rows(sheets.read()) == [
        ["Tree", "Use", "Since"],
        ["Alder", "Posts that stand in water", "1850"],
        ["Birch", "Brooms and small spoons", "1900"],
        ["Cedar", "Chests", "1910"],
    ]


def test_lines_down_the_page_part_cells_where_blanks_do_not() -> None:
    """One line below the header, and pieces of lines between columns that stand close."""
    table = [
        ["total bytes", "client bytes", "server bytes", "origin"],
        ["1141", "1141", "0", "this paper"],
        ["3514", "1141+1141", "1232", "this paper"],
        ["4096+signature", "2048", "2048+signature", "another one"],
    ]
    sheets = Sheets()
    widths = [max(stringWidth(row[i], "Helvetica", 10) for row in table) for i in range(4)]
    x = 80.0
    for i, width in enumerate(widths):
        for number, row in enumerate(table):
            y = 148 + 12 * number
            sheets.line(x + width - stringWidth(row[i], "Helvetica", 10), y, row[i])
            if i:
                rule(sheets, x - 2.5, y - 9, x - 2.5, y + 3)
        x += width + 5
    rule(sheets, 78, 151, x, 151)
    sheets.paragraph(230, prose(1, 6))
    assert rows(sheets.read()) == table


def test_lines_beside_code_part_no_numbers_from_it() -> None:
    sheets = Sheets()
    code = ["while it rains do", "count the stones", "paint the bridge", "end of it"]
    for number, line in enumerate(code):
        sheets.line(80, 148 + 12 * number, f"{number + 12}")
        sheets.line(97, 148 + 12 * number, line)
    rule(sheets, 94, 140, 94, 190)
    document = sheets.read()
    assert not [e for e in document.elements if e.kind == "table"]
