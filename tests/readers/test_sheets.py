"""Sheets of workbooks: what cells show, where tables begin and end, and what is hidden."""

import datetime as dt
from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Any

import pytest

import chunkwright as cw
from tests.readers.office_files import open_document
from tests.readers.word import kinds

openpyxl = pytest.importorskip("openpyxl")
xlwt = pytest.importorskip("xlwt")

Rows = list[Sequence[Any]]


def made(*rows: Sequence[Any], then: Callable[[Any], None] = lambda _: None) -> bytes:
    """Make a workbook of one sheet."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Log"
    for row in rows:
        sheet.append(row)
    then(sheet)
    file = BytesIO()
    book.save(file)
    return file.getvalue()


def read(
    *rows: Sequence[Any], then: Callable[[Any], None] = lambda _: None
) -> list[tuple[str, str]]:
    """Make and read a sheet; without its heading."""
    return kinds(cw.read(made(*rows, then=then), name="a.xlsx"))[1:]


def formatted(**codes: str) -> Callable[[Any], None]:
    """Give cells their formats."""

    def then(sheet: Any) -> None:
        for place, code in codes.items():
            sheet[place].number_format = code

    return then


def test_numbers_are_what_excel_shows() -> None:
    day = dt.date(2024, 5, 3)
    rows: Rows = [
        ["what", "value"],
        ["share", 0.125],
        ["price", 1234.5],
        ["day", day],
        ["sum", 0.1 + 0.2],
    ]
    then = formatted(B2="0.0%", B3='#,##0.00\\ "€"', B4="d mmm yyyy")
    ((kind, text),) = read(*rows, ["right", True], ["none", "#N/A"], then=then)
    assert (kind, text.splitlines()[2:]) == (
        "table",
        [
            "| share | 12.5% |",
            "| price | 1,234.50 € |",
            "| day | 3 May 2024 |",
            "| sum | 0.3 |",
            "| right | TRUE |",
            "| none | #N/A |",
        ],
    )


def test_hidden_sheets_rows_and_columns_are_read_on_demand() -> None:
    def then(sheet: Any) -> None:
        sheet.row_dimensions[2].hidden = True
        sheet.column_dimensions["B"].hidden = True
        other = sheet.parent.create_sheet("Draft")
        other.sheet_state = "veryHidden"
        other["A1"] = "not shown"

    data = made(["day", "key", "mm"], ["Mon", "x1", 3], ["Tue", "x2", 5], then=then)
    assert cw.read(data).text == "Log\n\n| day | mm |\n| - | - |\n| Tue | 5 |"
    everything = cw.read(data, hidden=True).text
    assert "| Mon | x1 | 3 |" in everything
    assert everything.endswith("Draft\n\nnot shown")


def test_title_lines_and_notes_stand_around_a_table() -> None:
    rows: Rows = [["Rain of the year"], ["in millimetres"], ["day", "mm"], ["Mon", 3], ["By Ada"]]
    assert read(*rows, then=lambda sheet: sheet.merge_cells("A5:B5")) == [
        ("caption", "Rain of the year"),
        ("caption", "in millimetres"),
        ("table", "| day | mm |\n| - | - |\n| Mon | 3 |"),
        ("paragraph", "By Ada"),
    ]


def test_a_title_is_the_caption_of_its_own_table_on_later_sheets_too() -> None:
    def then(sheet: Any) -> None:
        other = sheet.parent.create_sheet("Sun")
        for row in (["Sun of the year"], ["day", "h"], ["Mon", 7]):
            other.append(row)

    elements = cw.read(made(["day", "mm"], ["Mon", 3], then=then)).elements
    assert [e.kind for e in elements] == ["heading", "table", "heading", "caption", "table"]
    assert elements[3].caption_of == elements[4]


def test_a_title_alone_makes_no_empty_table() -> None:
    assert read(["Rain of the year"]) == [("paragraph", "Rain of the year")]


def test_blank_rows_part_tables_that_have_headers_of_their_own() -> None:
    first = "| day | mm |\n| - | - |\n| Mon | 3 |"
    assert read(["day", "mm"], ["Mon", 3], [], ["town", "km"], ["Ulm", 7]) == [
        ("table", first),
        ("table", "| town | km |\n| - | - |\n| Ulm | 7 |"),
    ]
    assert read(["day", "mm"], ["Mon", 3], [], ["Tue", 5]) == [("table", f"{first}\n| Tue | 5 |")]


def test_blank_columns_part_tables_of_other_rows_and_no_table() -> None:
    both = read(
        ["day", "mm", None, None, None],
        ["Mon", 3, None, "town", "km"],
        ["Tue", 5, None, "Ulm", 7],
        ["Wed", 6, None, "Bonn", 9],
    )
    assert [text.partition("\n")[0] for _, text in both] == ["| day | mm |", "| town | km |"]
    one = read(["day", "mm", None, "h", "km"], ["Mon", 3, None, 4, 2], ["Tue", 5, None, 6, 1])
    assert [text.partition("\n")[0] for _, text in one] == ["| day | mm | h | km |"]


@pytest.mark.parametrize(
    ("rows", "n_header"),
    [
        ([["day", "mm"], ["Mon", 3]], 1),
        ([["place", 2023, 2024], ["Ulm", 3, 5]], 1),
        ([["Ulm", 3], ["Bonn", 5]], 0),
        ([["day", dt.date(2024, 1, 1)], ["Mon", 3]], 1),
        ([["Ulm", dt.date(2024, 1, 1)], ["Bonn", dt.date(2024, 2, 1)]], 0),
    ],
)
def test_a_header_names_columns(rows: Rows, n_header: int) -> None:
    table = cw.read(made(*rows)).elements[1].table
    assert table is not None
    assert {cell.row for cell in table.cells if cell.is_header} == set(range(n_header))


def test_merged_and_frozen_headers_have_several_rows() -> None:
    rows: Rows = [
        ["", "rain", "", "sun"],
        ["day", "mm", "h", "h"],
        ["Mon", 3, 1, 5],
        ["Tue", 0, 0, 9],
    ]
    merged = cw.read(made(*rows, then=lambda sheet: sheet.merge_cells("B1:C1"))).elements[1]
    assert merged.table is not None
    assert {cell.row for cell in merged.table.cells if cell.is_header} == {0, 1}
    assert merged.table.cells[0].columns == 2

    def freeze(sheet: Any) -> None:
        sheet.freeze_panes = "A3"

    table = cw.read(made(*rows, then=freeze)).elements[1].table
    assert table is not None
    assert {cell.row for cell in table.cells if cell.is_header} == {0, 1}


@pytest.mark.cpu_seconds(10)
def test_what_stands_far_away_costs_nothing() -> None:
    def then(sheet: Any) -> None:
        sheet["XFD1048576"] = "far away"

    assert read(["day", "mm"], ["Mon", 3], then=then) == [
        ("table", "| day | mm |\n| - | - |\n| Mon | 3 |"),
        ("paragraph", "far away"),
    ]


def test_long_texts_in_one_column_are_paragraphs() -> None:
    notes = [
        "It rained for days, and the water of the pond rose to the wheel of the mill " * 2,
        "Ada",
    ]
    assert [kind for kind, _ in read([notes[0]], [notes[1]])] == ["paragraph", "paragraph"]
    assert [kind for kind, _ in read(["town"], ["Ulm"], ["Bonn"])] == ["table"]


def test_formulas_are_their_values() -> None:
    """As the program that saved the file found them; without a value they are empty."""
    assert read(["a", "b"], [1, "=A2*2"]) == [("table", "| a | b |\n| - | - |\n| 1 |  |")]


def test_workbooks_of_before_2007() -> None:
    book = xlwt.Workbook()
    sheet = book.add_sheet("Log")
    share, day = xlwt.XFStyle(), xlwt.XFStyle()
    share.num_format_str, day.num_format_str = "0.0%", "YYYY-MM-DD"
    for x, text in enumerate(("name", "share", "day")):
        sheet.write(0, x, text)
    sheet.write(1, 0, "x")
    sheet.write(1, 1, 0.125, share)
    sheet.write(1, 2, dt.date(2024, 5, 3), day)
    sheet.write_merge(2, 2, 0, 2, "By Ada")
    hidden = book.add_sheet("Draft")
    hidden.visibility = 1
    hidden.write(0, 0, "not shown")
    file = BytesIO()
    book.save(file)
    shown = cw.read(file.getvalue(), name="a.xls")
    assert kinds(shown) == [
        ("heading", "Log"),
        ("table", "| name | share | day |\n| - | - | - |\n| x | 12.5% | 2024-05-03 |"),
        ("paragraph", "By Ada"),
    ]
    assert cw.read(file.getvalue(), hidden=True).text.endswith("Draft\n\nnot shown")
    with pytest.raises(cw.ReadError, match=r"^a\.xls: an Excel workbook \(XLS\): it is damaged"):
        cw.read(file.getvalue().replace(b"\x09\x08\x10\0", bytes(4)), name="a.xls")


def test_what_xlrd_takes_for_damage_may_be_read_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("xberg")
    xlrd = pytest.importorskip("xlrd")
    book = xlwt.Workbook()
    book.add_sheet("Log").write(0, 0, "rain")
    file = BytesIO()
    book.save(file)

    def refuse(**_: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(xlrd, "open_workbook", refuse)
    assert "rain" in cw.read(file.getvalue(), name="a.xls").text


def test_a_workbook_of_which_all_is_hidden_says_how_to_read_it() -> None:
    with pytest.raises(cw.ReadError, match=r"without a text; .* hidden=True"):
        cw.read(made(["day"], then=hide_first), name="a.xlsx")


def hide_first(sheet: Any) -> None:
    """Hide the first row."""
    sheet.row_dimensions[1].hidden = True


def cell(text: str, kind: str = "string", more: str = "") -> str:
    """Write a cell of an OpenDocument spreadsheet."""
    return (
        f'<table:table-cell office:value-type="{kind}" {more}><text:p>{text}</text:p>'
        "</table:table-cell>"
    )


WIDE = 'table:number-columns-spanned="2"'


def test_open_document_sheets() -> None:
    note = "<office:annotation><text:p>a remark</text:p></office:annotation>"
    rows = (
        f"<table:table-row>{cell('day')}{cell('share')}</table:table-row>"
        f"<table:table-row>{cell('Mon' + note)}{cell('12.5%', 'percentage')}</table:table-row>"
        f'<table:table-row table:visibility="collapse">{cell("Tue")}{cell("9%")}</table:table-row>'
        '<table:table-row table:number-rows-repeated="1048000"><table:table-cell'
        ' table:number-columns-repeated="16384"/></table:table-row>'
        f"<table:table-row>{cell('By Ada', more=WIDE)}"
        "<table:covered-table-cell/></table:table-row>"
    )
    hidden = f'<table:table table:name="Draft" table:style-name="h"><table:table-row>{cell("x")}'
    styles = (
        '<style:style style:name="h" style:family="table">'
        '<style:table-properties table:display="false"/></style:style>'
    )
    hidden += "</table:table-row></table:table>"
    shown = f'<table:table table:name="Log">{rows}</table:table>'
    data = open_document("spreadsheet", shown + hidden, styles)
    table = "| day | share |\n| - | - |\n| Mon | 12.5% |"
    assert kinds(cw.read(data)) == [
        ("heading", "Log"),
        ("table", table),
        ("paragraph", "By Ada"),
    ]
    assert f"{table}\n| Tue | 9% |" in cw.read(data, hidden=True).text
    assert cw.read(data, hidden=True).text.endswith("Draft\n\nx")
