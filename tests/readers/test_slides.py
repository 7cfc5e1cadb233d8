"""Slides: titles, levels, text boxes, tables, pictures, notes, and what is hidden."""

import zipfile
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.readers.office.shape_order import Area, reading_order
from tests.readers.word import kinds

pptx = pytest.importorskip("pptx")
from pptx.chart.data import CategoryChartData  # noqa: E402 - behind what skips
from pptx.enum.chart import XL_CHART_TYPE  # noqa: E402
from pptx.oxml import parse_xml  # noqa: E402
from pptx.util import Inches  # noqa: E402

TITLE_AND_BODY, TITLE_ONLY, BLANK = 1, 5, 6
PNG = (
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0:~\x9bU\0\0\0\nIDATx\x9cc`\0\0"
    b"\0\x02\0\x01H\xaf\xa4q\0\0\0\0IEND\xaeB`\x82"
)
A = "http://schemas.openxmlformats.org/drawingml/2006/main"


def made(fill: Callable[[Any], None]) -> bytes:
    """Make a presentation with PowerPoint's usual layouts."""
    presentation = pptx.Presentation()
    fill(presentation)
    file = BytesIO()
    presentation.save(file)
    return file.getvalue()


def slide(presentation: Any, layout: int, title: str = "") -> Any:
    """Add a slide."""
    added = presentation.slides.add_slide(presentation.slide_layouts[layout])
    if title:
        added.shapes.title.text = title
    return added


def box(on: Any, text: str, left: float, top: float) -> Any:
    """Add a text box of three inches by one."""
    shape = on.shapes.add_textbox(Inches(left), Inches(top), Inches(3), Inches(1))
    shape.text_frame.text = text
    return shape


def lines(body: Any, *items: tuple[int, str]) -> None:
    """Write paragraphs of levels."""
    body.text = items[0][1]
    for level, text in items[1:]:
        paragraph = body.add_paragraph()
        paragraph.level, paragraph.text = level, text


def test_levels_are_nested_lists() -> None:
    def fill(deck: Any) -> None:
        body = slide(deck, TITLE_AND_BODY, "Mills").placeholders[1].text_frame
        lines(body, (0, "wind"), (1, "post"), (2, "of oak"), (0, "water"))

    document = cw.read(made(fill), name="a.pptx")
    assert document.text == "Mills\n\n- wind\n    - post\n        - of oak\n- water"
    items = [e for e in document.elements if e.kind == "list item"]
    assert [e.level for e in items] == [1, 2, 3, 1]
    assert [item.parent.parent for item in items if item.parent] == [None, items[0], items[1], None]
    assert {e.headings for e in items} == {("Mills",)}


def test_a_text_box_of_a_slide_without_a_title_is_a_paragraph() -> None:
    document = cw.read(made(lambda deck: box(slide(deck, BLANK), "Seen in 1912.\vBy Ada.", 0, 0)))
    assert kinds(document) == [("paragraph", "Seen in 1912.\nBy Ada.")]


def test_pictures_are_figures_with_what_describes_them() -> None:
    def fill(deck: Any) -> None:
        page = slide(deck, TITLE_ONLY, "A mill")
        for description in ("", "The mill in winter", "IMG_2041.JPG"):
            picture = page.shapes.add_picture(BytesIO(PNG), 0, Inches(2))
            picture._element.nvPicPr.cNvPr.set("descr", description)

    figures = [("figure", ""), ("figure", "The mill in winter"), ("figure", "")]
    assert kinds(cw.read(made(fill))) == [("heading", "A mill"), *figures]


def test_hidden_slides_and_shapes_are_read_on_demand() -> None:
    def fill(deck: Any) -> None:
        slide(deck, TITLE_ONLY, "Draft")._element.set("show", "0")
        page = slide(deck, TITLE_ONLY, "Shown")
        box(page, "Aside", 1, 3)._element.nvSpPr.cNvPr.set("hidden", "1")

    data = made(fill)
    assert [(e.text, e.pages) for e in cw.read(data).elements] == [("Shown", (2,))]
    all_of_it = cw.read(data, hidden=True)
    assert [(e.text, e.pages) for e in all_of_it.elements] == [
        ("Draft", (1,)),
        ("Shown", (2,)),
        ("Aside", (2,)),
    ]
    with pytest.raises(cw.ConfigError, match="hidden must be True or False"):
        cw.read(data, hidden="yes")  # type: ignore[arg-type]


def test_what_speakers_say_is_a_footnote_of_the_slide() -> None:
    def fill(deck: Any) -> None:
        page = slide(deck, TITLE_ONLY, "Wheels")
        page.notes_slide.notes_text_frame.text = "Tell of the flood."

    title, note = cw.read(made(fill)).elements
    assert (note.kind, note.text, note.parent, note.pages) == (
        "footnote",
        "Tell of the flood.",
        title,
        (1,),
    )


def test_merged_cells_are_one() -> None:
    def fill(deck: Any) -> None:
        page = slide(deck, TITLE_ONLY, "Rain")
        table = page.shapes.add_table(3, 2, 0, 0, Inches(4), Inches(2)).table
        for y, row in enumerate((("2024", ""), ("Mon", "3"), ("Tue", "5"))):
            for x, text in enumerate(row):
                table.cell(y, x).text = text
        table.cell(0, 0).merge(table.cell(0, 1))

    table = cw.read(made(fill)).elements[1].table
    assert table is not None
    assert (table.n_rows, table.n_columns) == (3, 2)
    assert (table.cells[0].columns, table.cells[0].is_header) == (2, True)


def test_charts_are_tables_of_what_they_show() -> None:
    def fill(deck: Any) -> None:
        data = CategoryChartData()
        data.categories = ["May", "June"]
        data.add_series("mm", (61.5, 70))
        place = (Inches(1), Inches(2), Inches(4), Inches(3))
        page = slide(deck, TITLE_ONLY, "Rain")
        chart = page.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *place, data).chart
        chart.has_title = True
        chart.chart_title.text_frame.text = "Rain by month"

    document = cw.read(made(fill))
    assert kinds(document)[1:] == [
        ("figure", "Rain by month"),
        ("table", "|  | mm |\n| - | - |\n| May | 61.5 |\n| June | 70 |"),
    ]
    assert document.elements[2].parent == document.elements[1]


def test_numbers_links_and_formulas_are_text() -> None:
    def fill(deck: Any) -> None:
        body = slide(deck, TITLE_AND_BODY, "Steps").placeholders[1].text_frame
        lines(body, (0, "open"), (0, "shut"))
        for paragraph in body.paragraphs:
            number = f'<a:buAutoNum xmlns:a="{A}" type="alphaLcParenR" startAt="3"/>'
            paragraph._p.get_or_add_pPr().append(parse_xml(number))
        run = body.paragraphs[1].add_run()
        run.text, run.hyperlink.address = " the gate", "https://example.org/gate"

    document = cw.read(made(fill))
    assert document.text == "Steps\n\nc) open\nd) shut the gate"
    (link,) = document.elements.links
    assert document.text[link.start : link.end].strip() == "the gate"
    assert link.target == "https://example.org/gate"


def test_the_file_s_order_holds_but_never_from_below_upwards() -> None:
    def fill(deck: Any) -> None:
        page = slide(deck, TITLE_ONLY)
        for text, left, top in (("Source", 0, 6), ("left", 0, 2), ("right", 5, 2), ("more", 0, 4)):
            box(page, text, left, top)
        page.shapes.title.text = "Rain"

    texts = [e.text for e in cw.read(made(fill)).elements]
    assert texts == ["Rain", "left", "right", "more", "Source"]


@given(st.lists(st.tuples(*[st.integers(0, 9)] * 4).map(sorted), max_size=12))
def test_shapes_are_each_read_once_and_from_above(edges: list[list[int]]) -> None:
    areas = [Area(e[0], e[1], e[2] + 1, e[3] + 1) for e in edges]
    order = reading_order([*areas, None])
    assert sorted(order) == list(range(len(areas) + 1))
    place = {at: i for i, at in enumerate(order)}
    for i, upper in enumerate(areas):
        for j, lower in enumerate(areas):
            is_over = upper.left < lower.right and lower.left < upper.right
            if is_over and upper.bottom <= lower.top:
                assert place[i] < place[j]


def test_groups_are_read_and_footers_stand_behind_the_body() -> None:
    def fill(deck: Any) -> None:
        for title in ("One", "Two"):
            page = slide(deck, TITLE_ONLY, title)
            group = page.shapes.add_group_shape()
            box(group, f"in the group of {title}", 1, 3)
            foot = box(page, "Ada & sons", 1, 7)
            place = f'<p:ph xmlns:p="{P}" type="ftr" sz="quarter" idx="11"/>'
            foot._element.nvSpPr.nvPr.append(parse_xml(place))

    document = cw.read(made(fill))
    assert [e.text for e in document.elements if e.in_body] == [
        "One",
        "in the group of One",
        "Two",
        "in the group of Two",
    ]
    footer = document.elements[-1]
    assert (footer.kind, footer.text, footer.pages) == ("page footer", "Ada & sons", (1, 2))


P = "http://schemas.openxmlformats.org/presentationml/2006/main"


def test_a_slide_that_is_missing_is_named() -> None:
    data = made(lambda deck: slide(deck, TITLE_ONLY, "Rain"))
    file = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as old, zipfile.ZipFile(file, "w") as new:
        for name in old.namelist():
            if name != "ppt/slides/slide1.xml":
                new.writestr(name, old.read(name))
    with pytest.raises(cw.ReadError, match=r"part 'ppt/slides/slide1\.xml' is missing"):
        cw.read(file.getvalue())
