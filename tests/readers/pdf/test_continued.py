"""What goes on: paragraphs and tables over columns and pages, words over lines."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import chunkwright as cw
from tests.readers.pdf.drawing import HEIGHT, Sheets, body, broken, dejavu, prose, texts


def test_a_paragraph_over_a_page_is_one_element_with_both_boxes() -> None:
    sheets = Sheets()
    lines = broken(prose(1, 20), 450)
    n = len(lines) // 2
    start = HEIGHT - 72 - 12 * (n - 1)
    sheets.line(72, 40, "A running head", size=8)
    sheets.lines(72, start, lines[:n])
    sheets.next()
    sheets.line(72, 40, "A running head", size=8)
    end = sheets.lines(72, 72, lines[n:])
    document = sheets.read()
    assert body(document) == [("paragraph", " ".join(lines))]
    paragraph = document.elements[0]
    assert paragraph.pages == (1, 2)
    assert [box.page for box in paragraph.boxes] == [1, 2]
    first, second = paragraph.boxes
    assert (first.top, first.bottom) == pytest.approx((start - 7, HEIGHT - 70), abs=3)
    assert (second.top, second.bottom) == pytest.approx((65, end - 10), abs=3)
    assert first.left == pytest.approx(72, abs=1.5)


def test_a_paragraph_over_three_pages_is_one_element() -> None:
    sheets = Sheets()
    lines = broken(prose(2, 160), 450)
    per_page = 55
    for at in range(0, len(lines), per_page):
        sheets.lines(72, 72, lines[at : at + per_page])
        sheets.next()
    document = sheets.read()
    assert len(lines) > 2 * per_page
    assert body(document) == [("paragraph", " ".join(lines))]
    assert document.elements[0].pages == (1, 2, 3)


@pytest.mark.parametrize("is_across", [False, True])
def test_a_paragraph_over_columns_is_one_element(is_across: bool) -> None:
    sheets = Sheets()
    lines = broken(prose(3, 30), 215)
    n = (len(lines) + 1) // 2
    places = [(72 + 235 * (i // n), 100 + 12 * (i % n), line) for i, line in enumerate(lines)]
    for x, y, line in sorted(places, key=lambda place: place[1]) if is_across else places:
        sheets.line(x, y, line)
    document = sheets.read()
    assert body(document) == [("paragraph", " ".join(lines))]
    assert len(document.elements[0].boxes) == 2
    assert document.elements[0].pages == (1,)


def test_a_paragraph_that_ends_at_the_end_of_a_page_ends() -> None:
    sheets = Sheets()
    sheets.paragraph(600, prose(4, 4))
    sheets.next()
    sheets.paragraph(72, prose(5, 4))
    assert body(sheets.read()) == [("paragraph", prose(4, 4)), ("paragraph", prose(5, 4))]


def test_a_figure_parts_no_paragraph() -> None:
    sheets = Sheets()
    lines = broken(prose(6, 12), 450)
    n = next(n for n in range(4, 9) if not lines[n - 1].endswith("."))
    sheets.lines(72, HEIGHT - 72 - 12 * n, lines[:n])
    sheets.next()
    sheets.picture((150, 72, 400, 200))
    sheets.line(200, 215, "Figure 1: Nothing.", size=9)
    sheets.lines(72, 250, lines[n:])
    document = sheets.read()
    assert texts(document, "paragraph") == [" ".join(lines)]


def table(sheets: Sheets, top: float, rows: Sequence[tuple[str, ...]], *, is_ruled: bool) -> float:
    """Draw a table; return where it ends."""
    n = len(rows[0])
    xs = [72 + 100 * i for i in range(n + 1)]
    if is_ruled:
        sheets.grid(xs, [top + 18 * i for i in range(len(rows) + 1)])
    for i, row in enumerate(rows):
        for x, cell in zip(xs, row, strict=False):
            sheets.line(x + 5, top + 18 * i + 13, cell)
    return top + 18 * len(rows)


@pytest.mark.parametrize("is_ruled", [True, False])
@pytest.mark.parametrize("repeats", [True, False])
def test_a_table_over_pages_is_one_element(repeats: bool, is_ruled: bool) -> None:
    header = ("Stone", "Weight", "Year")
    rows = [(f"stone {chr(97 + i)}", str(3 * i + 1), str(1990 + i)) for i in range(20)]
    sheets = Sheets()
    y = sheets.paragraph(300, prose(1, 3)) + 10
    table(sheets, y, [header, *rows[:12]], is_ruled=is_ruled)
    sheets.next()
    end = table(sheets, 72, ([header] if repeats else []) + rows[12:], is_ruled=is_ruled)
    sheets.paragraph(end + 40, prose(2, 3))
    document = sheets.read()
    assert [kind for kind, _ in body(document)] == ["paragraph", "table", "paragraph"]
    element = document.elements[1]
    lines = element.text.split("\n")
    assert [line for line in lines if set(line) - set("|- ")] == [
        "| " + " | ".join(row) + " |" for row in [header, *rows]
    ]
    assert element.pages == (1, 2)
    assert [box.page for box in element.boxes] == [1, 2]


def test_chunks_of_a_table_have_the_pages_of_their_rows() -> None:
    """The first rows stand on the first page only."""
    rows = [(f"stone {chr(97 + i)}", str(3 * i + 1), str(1990 + i)) for i in range(20)]
    sheets = Sheets()
    table(sheets, 500, rows[:14], is_ruled=True)
    sheets.next()
    table(sheets, 72, rows[14:], is_ruled=True)
    chunks = cw.chunk(sheets.read(), "basic", max_chars=2000)
    assert chunks[0].pages == (1, 2)


def test_tables_of_other_columns_are_others() -> None:
    sheets = Sheets()
    table(sheets, 500, [("A", "B", "C"), ("d", "1", "2"), ("e", "3", "4")], is_ruled=True)
    sheets.next()
    table(sheets, 72, [("A", "B"), ("d", "1"), ("e", "3")], is_ruled=True)
    assert len(texts(sheets.read(), "table")) == 2


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["This paragraph has a hyphen-", "ated word in it, at the end"], "hyphenated word"),
        (["This paragraph has a soft\u00ad", "ened word in it, at the end"], "softened word"),
        (["It is self-locking. All are self-", "locking nuts, and they hold"], "self-locking nuts"),
        (["All of this was found by Jean-", "Paul, and by nobody before him"], "Jean-Paul"),
        (
            ["It went from the years 1990 \u2013", "1995 without any change at all"],
            "1990 \u2013 1995",
        ),
    ],
)
def test_hyphens_at_the_ends_of_lines(lines: list[str], expected: str) -> None:
    sheets = Sheets()
    sheets.lines(72, 100, [*lines, "and nothing more than this stands here."])
    assert expected in sheets.read().body


def test_a_hyphen_at_the_end_of_a_page_joins() -> None:
    sheets = Sheets()
    lines = [*broken(prose(7, 6), 300), "It rained on the moun-"]
    sheets.lines(72, HEIGHT - 72 - 12 * len(lines), lines)
    sheets.next()
    sheets.lines(72, 72, ["tains for days and", "nobody was there."])
    assert body(sheets.read())[-1][1].endswith("on the mountains for days and nobody was there.")


def test_ligatures_are_letters() -> None:
    sheets = Sheets()
    sheets.line(72, 100, "The \ufb01rst o\ufb03ce \ufb02oor.", font=dejavu())
    assert sheets.read().body == "The first office floor."


def test_soft_hyphens_are_dropped() -> None:
    sheets = Sheets()
    lines = ["It is a so\u00adft hyphen within a word, and a soft\u00ad", "ly ended line."]
    sheets.lines(72, 100, lines, font=dejavu())
    assert sheets.read().body == "It is a soft hyphen within a word, and a softly ended line."


def test_no_text_goes_on_with_code() -> None:
    sheets = Sheets()
    y = sheets.paragraph(100, prose(1, 6))
    sheets.lines(72, y + 20, ["if (rain > 0) {", "  count += 1;", "}"], font="Courier")
    sheets.next()
    sheets.paragraph(72, "and then it rained on, " + prose(2, 6))
    kinds = [kind for kind, _ in body(sheets.read())]
    assert kinds == ["paragraph", "code", "paragraph"]
