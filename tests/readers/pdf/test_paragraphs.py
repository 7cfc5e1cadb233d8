"""Paragraphs of PDF documents: where they begin, go on and end, and words that lines part."""

from __future__ import annotations

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth

from tests.readers.pdf.drawing import Sheets, body, broken, dejavu, prose, texts


@pytest.mark.parametrize("n_lines", [2, 3])
@pytest.mark.parametrize("indent", [12.0, 18.0])
def test_an_indent_begins_a_paragraph_of_few_lines(n_lines: int, indent: float) -> None:
    sheets, y, expected = Sheets(), 100.0, []
    for seed in range(4):
        lines = broken(prose(seed, 8), 400)[:n_lines]
        lines[-1] = lines[-1].rpartition(" ")[0][:30].strip()
        expected.append(" ".join(lines))
        sheets.line(72 + indent, y, lines[0])
        y = sheets.lines(72, y + 12, lines[1:])
    assert body(sheets.read()) == [("paragraph", text) for text in expected]


@pytest.mark.parametrize("initial", ["J. Marlow, who kept the", "K. For once the valley"])
def test_an_initial_that_begins_a_wrapped_line_is_no_item(initial: str) -> None:
    sheets = Sheets()
    lines = ["The wheel of the upper mill was drawn by the master of the quarry, named"]
    lines += [f"{initial} and all of the meadows by the river, to the", "last stone."]
    sheets.lines(72, 100, lines)
    assert body(sheets.read()) == [("paragraph", " ".join(lines))]


def test_a_name_with_an_initial_begins_no_list() -> None:
    sheets = Sheets()
    first = sheets.paragraph(100, prose(1))
    sheets.paragraph(first, "J. Marlow kept the mill for many years, and sold it then.")
    assert not texts(sheets.read(), "list item")


def test_capitals_in_order_are_items() -> None:
    sheets, y = Sheets(), 100.0
    for letter in "ABC":
        y = sheets.paragraph(y, f"{letter}. {prose(ord(letter), 1)}")
    items = texts(sheets.read(), "list item")
    assert [item[:2] for item in items] == ["A.", "B.", "C."]


def test_no_paragraph_goes_on_above_itself() -> None:
    sheets = Sheets()
    sheets.line(72, 740, "and the people at the wheel had no word for the craft of communi-")
    sheets.line(72, 360, "A lantern in the harbor on a winter night, drawn by the town")
    ends = [text for _, text in body(sheets.read())]
    assert len(ends) == 2
    assert any(text.endswith("communi-") for text in ends)


@pytest.mark.parametrize("hyphen", ["-", "\u2010", "\u2011", "\u00ad"])
@pytest.mark.parametrize("to", ["line", "column", "page"])
def test_words_are_whole_over_lines_columns_and_pages(hyphen: str, to: str) -> None:
    sheets, font = Sheets(), dejavu()
    before = broken("The rain that fell on the orchard fed all of the ", 200)
    before[-1] = f"{before[-1].strip()} environ{hyphen}"
    after = "ment of the valley and its old stone bridge."
    y = sheets.lines(72, 700, before, font=font)
    if to == "page":
        sheets.next()
    x, y = {"line": (72.0, y), "column": (330.0, 100.0), "page": (72.0, 100.0)}[to]
    sheets.lines(x, y, broken(after, 200), font=font)
    (text,) = texts(sheets.read(), "paragraph")
    assert "all of the environment of the valley" in text


def test_a_broken_word_goes_on_behind_a_note() -> None:
    sheets = Sheets()
    y = sheets.paragraph(500, f"{prose(1)} The bells of the castle were able to effi-", width=220)
    sheets.line(72, y + 60, "* Both of them kept the mill.", size=8)
    sheets.paragraph(100, "ciently wake the whole of the valley.", x=320, width=220)
    found = texts(sheets.read(), "paragraph")
    assert any("able to efficiently wake the whole" in text for text in found)


@pytest.mark.parametrize("gap", [0.24, 0.28])
def test_a_narrow_gap_between_fonts_parts_words(gap: float) -> None:
    sheets, x = Sheets(), 72.0
    for word, font in [("drivers", "Times-Roman"), ("for", "Times-Italic"), ("most", "Times-Bold")]:
        sheets.line(x, 100, word, font=font)
        x += stringWidth(word, font, 10) + 10 * gap
    assert sheets.read().text == "drivers for most"


def test_letters_of_a_word_in_two_fonts_stay_together() -> None:
    sheets, x = Sheets(), 72.0
    for part, font in [("sub", "Times-Italic"), ("marine", "Times-Roman")]:
        sheets.line(x, 100, part, font=font)
        x += stringWidth(part, font, 10)
    assert sheets.read().text == "submarine"
