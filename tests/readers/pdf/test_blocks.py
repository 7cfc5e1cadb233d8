"""Lists, captions, figures, code and footnotes."""

from __future__ import annotations

import pytest

import chunkwright as cw
from tests.readers.pdf.drawing import HEIGHT, Sheets, body, broken, prose, texts

BULLET = "\u2022"


def items(document: cw.Document) -> list[tuple[str, int | None]]:
    """Return the items of lists with their levels."""
    return [(e.text.strip(), e.level) for e in document.elements if e.kind == "list item"]


@pytest.mark.parametrize(
    "markers",
    [[BULLET] * 3, ["-"] * 3, ["1.", "2.", "3."], ["a)", "b)", "c)"], ["(i)", "(ii)", "(iii)"]],
)
@pytest.mark.parametrize("indent", [16, 24])
def test_items_have_their_markers(markers: list[str], indent: float) -> None:
    sheets = Sheets()
    sheets.paragraph(100, prose(1, 3))
    y = 160.0
    contents = [prose(2, 1), prose(3, 2), prose(4, 1)]
    for marker, content in zip(markers, contents, strict=True):
        sheets.line(80, y, marker)
        y = sheets.paragraph(y, content, x=80 + indent, width=300)
    sheets.paragraph(y + 20, prose(5, 3))
    document = sheets.read()
    assert [kind for kind, _ in body(document)] == ["paragraph", *["list item"] * 3, "paragraph"]
    expected = [f"{m} {content}" for m, content in zip(markers, contents, strict=True)]
    assert items(document) == [(text, 1) for text in expected]
    lists = [e for e in document.elements if e.kind == "list"]
    assert len(lists) == 1
    assert all(e.parent == lists[0] for e in document.elements if e.kind == "list item")


def test_items_are_nested_by_indent() -> None:
    sheets = Sheets()
    levels = [1, 2, 2, 3, 1, 2]
    y = 100.0
    names = []
    for i, level in enumerate(levels):
        name = f"{BULLET} {prose(i, 1)}"
        sheets.line(60 + 18 * level, y, name)
        names.append(name)
        y += 14
    document = sheets.read()
    assert items(document) == list(zip(names, levels, strict=True))
    outer = document.elements[0]
    assert (outer.kind, outer.level, outer.parent) == ("list", None, None)
    inner = [e for e in document.elements if e.kind == "list" and e.parent is not None]
    assert all(e.parent is not None and e.parent.kind == "list item" for e in inner)


def test_lists_go_on_over_a_page() -> None:
    """One list: an item of the next page is on the level that it has."""
    sheets = Sheets()
    sheets.paragraph(100, prose(0, 12))
    y = HEIGHT - 60 - 14 * 4
    levels = [1, 2, 2, 1, 2, 2, 1]
    for i, level in enumerate(levels):
        if i == 4:
            sheets.next()
            y = 72
        sheets.line(60 + 18 * level, y, f"{BULLET} {prose(i, 1)}")
        y += 14
    sheets.paragraph(y + 30, prose(20, 12))
    document = sheets.read()
    assert [level for _, level in items(document)] == levels
    outer = [e for e in document.elements if e.kind == "list" and e.parent is None]
    assert len(outer) == 1


def test_an_item_goes_on_over_a_page() -> None:
    sheets = Sheets()
    sheets.paragraph(100, prose(0, 12))
    text = prose(1, 6)
    words = text.split()
    half = len(words) // 2
    first = f"{BULLET} {' '.join(words[:half])}"
    y = sheets.paragraph(700, first, width=430)
    sheets.next()
    sheets.paragraph(72, " ".join(words[half:]), x=79, width=430)
    sheets.paragraph(200, prose(2, 10))
    document = sheets.read()
    assert y < HEIGHT
    assert items(document) == [(f"{BULLET} {text}", 1)]
    item = next(e for e in document.elements if e.kind == "list item")
    assert item.pages == (1, 2)


@pytest.mark.parametrize("above", [False, True])
def test_captions_belong_to_figures_and_tables(above: bool) -> None:
    sheets = Sheets()
    sheets.paragraph(100, prose(1, 4))
    sheets.line(180, 182 if above else 318, "Figure 1: A picture of nothing.", size=9)
    sheets.picture((150, 190, 400, 305))
    sheets.paragraph(360, prose(2, 4))
    sheets.line(150, 440 if above else 520, "Table 2. Numbers of stones.", size=9)
    sheets.grid([150, 250, 350], [450, 470, 490, 510])
    for row, cells in enumerate([("Stone", "Weight"), ("slate", "7"), ("chalk", "3")]):
        for column, cell in enumerate(cells):
            sheets.line(155 + 100 * column, 464 + 20 * row, cell)
    sheets.paragraph(560, prose(3, 4))
    document = sheets.read()
    captions = [e for e in document.elements if e.kind == "caption"]
    assert [e.text for e in captions] == [
        "Figure 1: A picture of nothing.",
        "Table 2. Numbers of stones.",
    ]
    assert [e.caption_of.kind for e in captions if e.caption_of] == ["figure", "table"]


def test_sentences_that_begin_like_captions_are_none() -> None:
    sheets = Sheets()
    text = "Table 2 shows what was found in winter, and " + prose(1, 4)
    sheets.paragraph(100, text)
    assert body(sheets.read()) == [("paragraph", text)]


def test_figures_have_the_boxes_of_their_pictures() -> None:
    sheets = Sheets()
    sheets.paragraph(100, prose(1, 4))
    sheets.picture((100, 200, 300, 320))
    sheets.paragraph(360, prose(2, 4))
    document = sheets.read()
    assert [e.kind for e in document.elements] == ["paragraph", "figure", "paragraph"]
    box = document.elements[1].boxes[0]
    assert (box.left, box.top, box.right, box.bottom) == pytest.approx((100, 200, 300, 320), abs=1)
    assert document.elements[1].pages == (1,)


def test_code_keeps_lines_and_indents() -> None:
    sheets = Sheets()
    code = [
        "def rain(days):",
        "    for day in range(days):",
        "        print(day)",
        "    return days",
    ]
    y = sheets.paragraph(100, prose(1, 4)) + 10
    y = sheets.lines(72, y, code, font="Courier") + 15
    sheets.paragraph(y, prose(2, 4))
    document = sheets.read()
    assert body(document)[1] == ("code", "\n".join(code))
    assert [kind for kind, _ in body(document)] == ["paragraph", "code", "paragraph"]


def test_code_with_an_empty_line_is_one() -> None:
    sheets = Sheets()
    code = ["import rain", "", "rain.fall(3)", "if rain.over:", "    go()"]
    y = sheets.paragraph(100, prose(1, 4)) + 10
    sheets.lines(72, y, code, font="Courier")
    assert texts(sheets.read(), "code") == ["\n".join(code)]


def test_footnotes_stand_below_the_text() -> None:
    sheets = Sheets()
    sheets.paragraph(100, prose(1, 20))
    sheets.canvas.line(72, HEIGHT - 700, 200, HEIGHT - 700)
    notes = ["1 See the report of the winter before.", "2 Stones are not counted."]
    sheets.lines(72, 715, notes, size=7.5)
    sheets.next()
    sheets.paragraph(100, prose(2, 20))
    document = sheets.read()
    assert texts(document, "footnote") == notes
    assert [kind for kind, _ in body(document)] == ["paragraph", *["footnote"] * 2, "paragraph"]


def test_a_paragraph_goes_on_behind_the_footnotes_of_its_page() -> None:
    sheets = Sheets()
    words = prose(1, 30).split()
    sheets.paragraph(100, " ".join(words[:200]))
    sheets.line(72, 720, "1 A note that is small.", size=7.5)
    sheets.next()
    sheets.paragraph(100, " ".join(words[200:]))
    document = sheets.read()
    assert texts(document, "paragraph") == [" ".join(words)]
    assert texts(document, "footnote") == ["1 A note that is small."]


@pytest.mark.parametrize("names", ["", "STONE, J., RIVER, T., AND WINTER, K., AND MEADOW, L. "])
def test_references_in_two_columns_keep_their_numbers(names: str) -> None:
    """Numbers before hanging texts stand below each other: the gap behind them is no gutter."""
    sheets = Sheets()
    sheets.lines(72, 100, broken(prose(1, 24), 200))
    # The first one began in the column before.
    y, expected = sheets.lines(330, 100, broken(prose(4, 3), 180)) + 4, []
    for number in range(5, 13):
        text = names + prose(number, 2)
        sheets.line(310, y, f"[{number}]")
        y = sheets.lines(330, y, broken(text, 180)) + 4
        expected.append(f"[{number}] {text}")
    document = sheets.read()
    assert texts(document, "list item") == expected
    assert texts(document, "table") == []
