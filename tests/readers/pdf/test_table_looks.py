"""Looks of tables: stripes, shades, underlines, and lines that part some rows and columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth

import chunkwright as cw
from tests.readers.pdf.drawing import Sheets, body, broken, texts

Row = Sequence[str]
SHIPS = [("Harbor", "Sail", "Steam"), ("ALDER", "2454", "6,125"), ("BIRCH", "1138", "79,500")]
SHIPS += [("CEDAR", "958", "13,196"), ("DAMSON", "313", "136"), ("ELM", "750", "17,807")]
USE = [
    ("", "2014", "2013", "2012"),
    ("Total", "2.6", "3.2", "3.0"),
    ("Per head", "0.7", "1.3", "1.1"),
]
USE += [
    ("Trade", "2.5", "3.4", "2.9"),
    ("Homes", "0.3", "3.2", "2.9"),
    ("Farms", "2.2", "2.4", "2.9"),
]


def rows(document: cw.Document) -> list[list[str]]:
    """Return the texts of the only table, row by row, empty cells among them."""
    (element,) = [e for e in document.elements if e.kind == "table"]
    table = element.table
    assert table is not None
    found: list[list[str]] = [[] for _ in range(table.n_rows)]
    for cell in sorted(table.cells, key=lambda cell: (cell.row, cell.column)):
        found[cell.row].append(document.text[cell.start : cell.end])
    return found


def fill(sheets: Sheets, box: tuple[float, float, float, float], gray: float = 0.9) -> None:
    left, top, right, bottom = box
    sheets.canvas.setFillGray(gray)
    sheets.canvas.rect(left, sheets.height - bottom, right - left, bottom - top, stroke=0, fill=1)
    sheets.canvas.setFillGray(0)


def rule(sheets: Sheets, x0: float, y0: float, x1: float, y1: float) -> None:
    sheets.canvas.line(x0, sheets.height - y0, x1, sheets.height - y1)


def put(sheets: Sheets, table: Sequence[Row], xs: Sequence[float], y: float, step: float) -> None:
    for i, row in enumerate(table):
        for x, cell in zip(xs, row, strict=False):
            sheets.line(x, y + step * i, cell)


@pytest.mark.parametrize("has_line", [True, False])
@pytest.mark.parametrize("by_cell", [True, False])
def test_stripes_part_no_cells(by_cell: bool, has_line: bool) -> None:
    sheets = Sheets()
    for i in range(0, len(SHIPS), 2):
        edges = [(72, 172), (172, 232), (232, 304)] if by_cell else [(72, 304)]
        for left, right in edges:
            fill(sheets, (left, 134 + 15 * i, right, 149 + 15 * i))
    put(sheets, SHIPS, (78, 180, 240), 145, 15)
    if has_line:
        rule(sheets, 172, 134, 172, 134 + 15 * len(SHIPS))
    assert rows(sheets.read()) == [list(row) for row in SHIPS]


def test_stripes_hold_rows_together_that_are_far_apart_and_sparse() -> None:
    sheets = Sheets()
    table = [
        ("Code", "Place", "Found", "Lost"),
        ("ab-1", "north", "", "4"),
        ("", "south", "12", ""),
    ]
    table += [("ab-2", "", "7", "9"), ("", "west", "", "3"), ("ab-3", "east", "", "")]
    for i in range(0, 6, 2):
        fill(sheets, (72, 130 + 34 * i, 400, 164 + 34 * i))
    put(sheets, table, (80, 160, 240, 320), 150, 34)
    assert rows(sheets.read()) == [list(row) for row in table]


def test_shades_of_lines_in_a_cell_part_nothing() -> None:
    sheets = Sheets()
    xs, ys = [72, 160, 260, 400], [120, 150, 170, 190]
    for left, right in pairwise(xs):
        fill(sheets, (left, 120, right, 150))
        for y in (121, 135):
            fill(sheets, (left + 5, y, right - 5, y + 14))
    for y in ys:
        fill(sheets, (72, y, 400, y + 0.5), gray=0)
    for x in xs:
        fill(sheets, (x, 120, x + 0.5, 190), gray=0)
    for x, lines in zip(
        xs, [("Land", "of origin"), ("Wheels", "permitted"), ("Reports", "due")], strict=False
    ):
        sheets.lines(x + 6, 132, lines, size=10)
    put(sheets, [("Iceland", "7", "none"), ("Ghana", "9", "yes")], [x + 6 for x in xs], 164, 20)
    expected = [["Land of origin", "Wheels permitted", "Reports due"]]
    assert rows(sheets.read()) == [*expected, ["Iceland", "7", "none"], ["Ghana", "9", "yes"]]


def test_underlines_of_links_part_no_rows() -> None:
    sheets = Sheets()
    sheets.grid([72, 160, 330, 500], [120, 140, 170, 200])
    put(sheets, [("Draft", "Change", "Part")], (77, 165, 335), 134, 20)
    put(sheets, [("1.0", "First", "none"), ("1.1", "Small edits", "")], (77, 165, 335), 158, 24)
    for y, text in ((182, "All that is known of the old"), (194, "mill and of its wheels")):
        sheets.line(335, y, text)
        rule(sheets, 335, y + 1.2, 335 + stringWidth(text, "Helvetica", 10), y + 1.2)
    assert rows(sheets.read())[2] == [
        "1.1",
        "Small edits",
        "All that is known of the old mill and of its wheels",
    ]


def _columns_alone(sheets: Sheets) -> None:
    sheets.grid([72, 230, 300, 370, 440], [120, 145, 280])


def _header_alone(sheets: Sheets) -> None:
    sheets.grid([72, 440], [120, 145, 280])
    for x in (230, 300, 370):
        rule(sheets, x, 120, x, 145)


def _rows_below_a_header(sheets: Sheets) -> None:
    sheets.grid([72, 440], [120, 145])
    for x in (230, 300, 370):
        rule(sheets, x, 120, x, 145)
    for i in range(1, 6):
        rule(sheets, 72, 144 + 20 * i, 440, 144 + 20 * i)
    for x in (72, 440):
        rule(sheets, x, 145, x, 244)


@pytest.mark.parametrize("draw", [_columns_alone, _header_alone, _rows_below_a_header])
def test_rows_and_columns_without_lines_are_told_by_their_words(
    draw: Callable[[Sheets], None],
) -> None:
    sheets = Sheets()
    draw(sheets)
    put(sheets, USE, (80, 240, 310, 380), 138, 20)
    assert rows(sheets.read()) == [list(row) for row in USE]


def test_wrapped_labels_stay_with_their_numbers() -> None:
    sheets = Sheets()
    sheets.grid([72, 230, 300], [120, 145, 260])
    put(sheets, [("Party", "Seats")], (80, 240), 138, 20)
    for y, label in (
        (160, "Friends of the"),
        (171, "old mill"),
        (190, "Millers"),
        (210, "Sailors"),
    ):
        sheets.line(80, y, label)
    for y, seats in ((160, "35"), (190, "498"), (210, "30")):
        sheets.line(240, y, seats)
    expected = [["Friends of the old mill", "35"], ["Millers", "498"], ["Sailors", "30"]]
    assert rows(sheets.read())[1:] == expected


def test_lines_of_a_cell_beside_one_in_the_middle_are_one_row() -> None:
    sheets = Sheets()
    sheets.grid([72, 172, 272, 372], [120, 140, 170, 200])
    put(sheets, [("Layers", "Kind", "Score")], (80, 180, 280), 134, 20)
    for y, layers, scores in ((160, "6", ("0.96", "0.97")), (190, "4", ("0.93", "0.95"))):
        sheets.line(80, y, layers)
        sheets.lines(180, y - 6, ("fast", "slow"))
        sheets.lines(280, y - 6, scores)
    assert rows(sheets.read())[1:] == [
        ["6", "fast slow", "0.96 0.97"],
        ["4", "fast slow", "0.93 0.95"],
    ]


def test_lines_across_alone_part_rows_of_wrapped_cells() -> None:
    sheets = Sheets()
    y = 100.0
    table = [[["Animal"], ["Action"], ["Result"]], [["Cat"], ["Says"], ["Meow"]]]
    table += [[["A fly with a very long name", "of two lines"], ["Says"], ["Bzzz"]]]
    table += [[["Fox"], ["Says"], ["Nothing that anyone", "ever understood"]]]
    for row in table:
        for x, cell in zip((76, 254, 424), row, strict=True):
            sheets.lines(x, y, cell)
        y += 12 * max(map(len, row)) + 6
        rule(sheets, 72, y - 9, 560, y - 9)
        y += 6
    assert rows(sheets.read()) == [[" ".join(cell) for cell in row] for row in table]


def test_a_header_in_one_line_is_parted_by_the_columns_below_it() -> None:
    sheets = Sheets()
    table = [("Barley", "Wheat", "Clover", "Maize"), ("0.6", "N/A", "0.1", "0.2")]
    for y in (120, 141, 168):
        rule(sheets, 72, y, 220, y)
    put(sheets, table, (78, 112, 146, 180), 133, 26)
    assert rows(sheets.read()) == [list(row) for row in table]


def test_tables_beside_each_other_stay_apart() -> None:
    sheets = Sheets()
    left = [("Stone", "kg"), ("slate", "700"), ("chalk", "90"), ("flint", "12"), ("marl", "8")]
    right = [("Year", "mm", "days"), ("1911", "31", "4"), ("1912", "28", "6"), ("1913", "5", "1")]
    for i in range(0, 5, 2):
        fill(sheets, (72, 130 + 18 * i, 240, 148 + 18 * i))
        fill(sheets, (300, 136 + 18 * i, 500, 154 + 18 * i))
    put(sheets, left, (78, 180), 143, 18)
    put(sheets, [*right, ("1914", "9", "2")], (306, 380, 450), 149, 18)
    found = texts(sheets.read(), "table")
    assert [text.split("\n")[0] for text in found] == ["| Stone | kg |", "| Year | mm | days |"]
    assert ["1914" in text for text in found] == [False, True]


def test_a_frame_around_a_page_is_read_as_a_page() -> None:
    sheets = Sheets()
    sheets.grid([60, 500], [90, 130, 400])
    sheets.line(180, 115, "HOW TO GRIND", size=20)
    for i, step in enumerate(("01 Clean the stones", "02 Fill the pond", "03 Open the gate")):
        sheets.line(80, 160 + 80 * i, step, size=14, font="Helvetica-Bold")
        sheets.lines(
            80,
            180 + 80 * i,
            (
                "Take all the time that this needs, and a broom",
                "that nobody else has used in the mill before.",
            ),
        )
    found = body(sheets.read())
    assert [kind for kind, _ in found] == ["heading"] + ["heading", "paragraph"] * 3
    assert found[3][1] == "02 Fill the pond"


@pytest.mark.parametrize("leader", ["", " . . . . . .", "............"])
def test_a_table_of_contents_is_a_list_of_its_entries(leader: str) -> None:
    sheets = Sheets()
    sheets.line(72, 90, "Contents", size=18)
    titles = ["Of the river", "Of the pond and its water", "Of the wheels", "Of the stones"]
    for i, (title, page) in enumerate(zip(titles, (3, 14, 25, 125), strict=True)):
        sheets.line(72, 120 + 16 * i, title + leader)
        sheets.line(330, 120 + 16 * i, str(page))
    document = sheets.read()
    assert texts(document, "table") == []
    items = [" ".join(text.replace(".", " ").split()) for text in texts(document, "list item")]
    assert items == [
        f"{title} {page}" for title, page in zip(titles, (3, 14, 25, 125), strict=True)
    ]


def test_lines_of_code_are_no_table() -> None:
    sheets = Sheets()
    for i in range(6):
        sheets.line(72, 100 + 12 * i, f"key = load(input{'abcdef'[i]});", font="Courier")
        sheets.line(330, 100 + 12 * i, "// scan more", font="Courier")
    assert texts(sheets.read(), "table") == []


def test_rows_of_several_lines_in_one_slot_are_parted_by_wider_distances() -> None:
    sheets = Sheets()
    sheets.grid([72, 300, 450], [100, 118, 210])
    put(sheets, [("Bridge", "Harbor")], (76, 304), 112, 12)
    table = [
        ["stones carry the bridge over the river and all that is in it", "Alder"],
        ["lanterns show it", "Birch"],
        ["ships go below it when the wagons wait at its end", "Cedar"],
    ]
    y = 130.0
    for text, harbor in table:
        sheets.line(304, y, harbor)
        y = sheets.lines(76, y, broken(text, 180)) + 5
    assert rows(sheets.read()) == [["Bridge", "Harbor"], *table]
