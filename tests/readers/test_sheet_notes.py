"""Sheets: what is remarked on their cells, and what is drawn on them."""

import zipfile
from io import BytesIO
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.readers.office.sheets.cells import name_of, place_of
from tests.readers.office_files import open_document, packed
from tests.readers.test_sheets import Rows, cell, made, openpyxl
from tests.readers.word import kinds

SPREADSHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
TABLE = "| day | mm |\n| - | - |\n| Mon | 3 |"


def remark(sheet: Any) -> None:
    sheet["B2"].comment = openpyxl.comments.Comment("Wet.\nVery.", "Ada")
    sheet["E9"].comment = openpyxl.comments.Comment("Beside.", "Ada")


def with_parts(data: bytes, **parts: str) -> bytes:
    """Return a workbook with more parts, which its first sheet refers to by their kinds."""
    with zipfile.ZipFile(BytesIO(data)) as archive:
        held = {name: archive.read(name).decode() for name in archive.namelist()}
    relations = held.get("xl/worksheets/_rels/sheet1.xml.rels", f'<R xmlns="{PACKAGE}"></R>')
    head, end = relations.rsplit("</", 1)
    for at, kind in enumerate(parts):
        head += f'<Relationship Id="x{at}" Type="a/{kind}" Target="/xl/{kind}.xml"/>'
    held["xl/worksheets/_rels/sheet1.xml.rels"] = f"{head}</{end}"
    return packed(held | {f"xl/{kind}.xml": text for kind, text in parts.items()})


def test_comments_are_footnotes_that_name_their_cells() -> None:
    data = made(["day", "mm"], ["Mon", 3], then=remark)
    document = cw.read(data, name="a.xlsx")
    assert kinds(document) == [
        ("heading", "Log"),
        ("table", TABLE),
        ("footnote", "B2: Wet.\nVery."),
        ("footnote", "E9: Beside."),
    ]
    assert [e.parent and e.parent.kind for e in document.elements] == [
        None,
        None,
        "table",
        "heading",
    ]


def test_a_thread_is_read_instead_of_its_copy() -> None:
    data = made(["day", "mm"], ["Mon", 3], then=remark)
    said = "".join(
        f'<threadedComment ref="B2" id="{at}"><text>{text}</text></threadedComment>'
        for at, text in enumerate(["Sure?", "Yes."])
    )
    thread = f'<ThreadedComments xmlns="x">{said}</ThreadedComments>'
    document = cw.read(with_parts(data, threadedComment=thread), name="a.xlsx")
    assert kinds(document)[2:] == [("footnote", "B2: Sure?\nYes."), ("footnote", "E9: Beside.")]


def test_comments_on_what_is_hidden_are_read_on_demand() -> None:
    def then(sheet: Any) -> None:
        remark(sheet)
        sheet.row_dimensions[2].hidden = True

    data = made(["day", "mm"], ["Mon", 3], then=then)
    assert "Wet." not in cw.read(data, name="a.xlsx").text
    assert "Wet." in cw.read(data, name="a.xlsx", hidden=True).text


def shape(row: int, inner: str) -> str:
    return (
        f"<d:twoCellAnchor><d:from><d:col>1</d:col><d:row>{row}</d:row></d:from>{inner}"
        "</d:twoCellAnchor>"
    )


def box(text: str, more: str = "") -> str:
    paragraphs = f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>"
    return (
        f'<d:sp><d:nvSpPr><d:cNvPr id="1" name="Box" {more}/></d:nvSpPr>'
        f"<d:txBody>{paragraphs}</d:txBody></d:sp>"
    )


def picture(description: str) -> str:
    return f'<d:pic><d:nvPicPr><d:cNvPr id="2" name="P" descr="{description}"/></d:nvPicPr></d:pic>'


def test_what_is_drawn_stands_between_the_tables_by_its_rows() -> None:
    names = f'xmlns:d="{DRAWING}/spreadsheetDrawing" xmlns:a="{DRAWING}/main"'
    drawn = (
        shape(9, f"<d:grpSp>{box('Below.')}</d:grpSp>")
        + shape(2, box("Between."))
        + shape(1, box("Secret.", 'hidden="1"'))
        + shape(2, picture("A map") + picture("") + picture("scan.png"))
    )
    rows: Rows = [["day", "mm"], ["Mon", 3], [], ["day", "kg"], ["Tue", 4]]
    data = with_parts(made(*rows), drawing=f"<d:wsDr {names}>{drawn}</d:wsDr>")
    assert kinds(cw.read(data, name="a.xlsx")) == [
        ("heading", "Log"),
        ("table", TABLE),
        ("paragraph", "Between."),
        ("figure", "A map"),
        ("table", "| day | kg |\n| - | - |\n| Tue | 4 |"),
        ("paragraph", "Below."),
    ]
    assert "Secret." in cw.read(data, name="a.xlsx", hidden=True).text


def test_a_chart_is_a_figure_with_its_title() -> None:
    def then(sheet: Any) -> None:
        chart = openpyxl.chart.BarChart()
        chart.title = "Rain by day"
        chart.add_data(openpyxl.chart.Reference(sheet, min_col=2, min_row=1, max_row=2))
        sheet.add_chart(chart, "D1")
        other = sheet.parent.create_chartsheet("Chart")
        other.add_chart(openpyxl.chart.BarChart())
        other._charts[0].title = "Alone"

    data = made(["day", "mm"], ["Mon", 3], then=then)
    assert kinds(cw.read(data, name="a.xlsx")) == [
        ("heading", "Log"),
        ("table", TABLE),
        ("figure", "Rain by day"),
        ("heading", "Chart"),
        ("figure", "Alone"),
    ]


def test_a_sheet_with_nothing_but_remarks_is_read() -> None:
    def then(sheet: Any) -> None:
        sheet["B2"].comment = openpyxl.comments.Comment("Wet.", "Ada")

    assert kinds(cw.read(made(then=then), name="a.xlsx")) == [
        ("heading", "Log"),
        ("footnote", "B2: Wet."),
    ]


def chart(title: str) -> str:
    fields = ("office", "table", "text", "chart")
    names = " ".join(f'xmlns:{f}="urn:oasis:names:tc:opendocument:xmlns:{f}:1.0"' for f in fields)
    row = f"<table:table-row>{cell('day')}{cell('3', 'float')}</table:table-row>"
    return (
        f"<office:document-content {names}><office:body><office:chart><chart:chart><chart:title>"
        f"<text:p>{title}</text:p></chart:title><table:table>{row * 2}</table:table></chart:chart>"
        "</office:chart></office:body></office:document-content>"
    )


def with_chart(data: bytes, title: str) -> bytes:
    file = BytesIO(data)
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("Object 1/content.xml", chart(title))
    return file.getvalue()


OBJECT = '<draw:frame><draw:object href="./Object 1"/></draw:frame>'


def test_open_document_sheets_have_remarks_drawings_and_charts() -> None:
    note = "<office:annotation><creator>Ada</creator><text:p>Wet.</text:p></office:annotation>"
    shapes = (
        "<table:shapes><draw:frame><draw:image/><svg:desc>A map</svg:desc></draw:frame>"
        "<draw:frame><draw:image/></draw:frame></table:shapes>"
    )
    box_ = "<draw:frame><draw:text-box><text:p>Beside.</text:p></draw:text-box></draw:frame>"
    rows = (
        f"<table:table-row>{cell('day')}{cell('mm')}</table:table-row>"
        f"<table:table-row>{cell('Mon' + '</text:p>' + note + box_ + OBJECT + '<text:p>')}"
        f"{cell('3', 'float')}</table:table-row>"
    )
    body = f'<table:table table:name="Log">{shapes}{rows}</table:table>'
    data = with_chart(open_document("spreadsheet", body), "By<text:line-break/>day")
    assert kinds(cw.read(data)) == [
        ("heading", "Log"),
        ("table", TABLE),
        ("footnote", "A2: Wet."),
        ("figure", "A map"),
        ("paragraph", "Beside."),
        ("figure", "By day"),
    ]


@pytest.mark.parametrize("kind", ["text", "presentation"])
def test_charts_of_open_document_are_tables_of_what_they_show(kind: str) -> None:
    body = f"<draw:page>{OBJECT}</draw:page>" if kind == "presentation" else OBJECT
    document = cw.read(with_chart(open_document(kind, body), "Rain"))
    assert kinds(document) == [("figure", "Rain"), ("table", "| day | 3 |\n| - | - |\n| day | 3 |")]
    parent = document.elements[1].parent
    assert parent is not None
    assert parent.kind == "figure"


def test_names_of_cells() -> None:
    for row, column in ((0, 0), (3, 25), (9, 26), (99, 701), (1_048_575, 16_383)):
        assert place_of(name_of(row, column)) == (row, column)
    assert place_of("A1:B2") is place_of("") is None
