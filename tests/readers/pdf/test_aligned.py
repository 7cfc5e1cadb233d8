"""Rows and columns of tables told by the words between lines."""

from __future__ import annotations

from tests.readers.pdf.drawing import Sheets
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
