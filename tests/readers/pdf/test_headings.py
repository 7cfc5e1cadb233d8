"""Headings: by size, weight, numbering; their levels over a whole document."""

from __future__ import annotations

import pytest
from fontTools.ttLib import TTFont
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont as EmbeddedFont

import chunkwright as cw
from tests.readers.pdf.drawing import Sheets, body, dejavu_file, prose, texts

BOLD = "Helvetica-Bold"


def levels(document: cw.Document) -> list[tuple[str, int | None]]:
    """Return the headings with their levels."""
    return [(e.text, e.level) for e in document.elements if e.kind == "heading"]


def test_headings_by_size_have_one_level_for_one_size() -> None:
    sheets = Sheets()
    sheets.line(72, 90, "Of All Things", size=24)
    expected: list[tuple[str, int | None]] = [("Of All Things", 1)]
    y = 130.0
    for part in range(4):
        sheets.line(72, y, f"Part called {'ABCD'[part]}", size=16)
        sheets.line(72, y + 25, "Its beginning", size=13)
        y = sheets.paragraph(y + 45, prose(part, 4)) + 20
        expected += [(f"Part called {'ABCD'[part]}", 2), ("Its beginning", 3)]
        if part % 2:
            sheets.next()
            y = 100.0
    assert levels(sheets.read()) == expected


def test_bold_lines_alone_are_headings_and_bold_words_are_not() -> None:
    sheets = Sheets()
    y = 100.0
    for seed in range(3):
        sheets.line(72, y, "A bold heading", font=BOLD)
        y = sheets.paragraph(y + 18, prose(seed, 4)) + 10
    sheets.line(72, y, "Bold words", font=BOLD)
    sheets.line(132, y, "begin this sentence, which goes on to its end, and then")
    sheets.line(72, y + 12, "on the next one.")
    document = sheets.read()
    assert levels(document) == [("A bold heading", 1)] * 3
    assert body(document)[-1] == (
        "paragraph",
        "Bold words begin this sentence, which goes on to its end, and then on the next one.",
    )


def test_levels_by_numbering() -> None:
    sheets = Sheets()
    y = 100.0
    names = ["1 First", "1.1 Beginning", "1.2 Middle", "1.2.1 Detail", "2 Second", "2.1 Again"]
    for seed, name in enumerate(names):
        sheets.line(72, y, name, size=11, font=BOLD)
        y = sheets.paragraph(y + 18, prose(seed, 3)) + 10
    depths = [name.split()[0].count(".") + 1 for name in names]
    assert levels(sheets.read()) == list(zip(names, depths, strict=True))


def test_headings_of_two_lines_are_one() -> None:
    sheets = Sheets()
    sheets.lines(72, 100, ["A heading that is so long that it", "goes on in a line"], size=18)
    sheets.paragraph(160, prose(1, 5))
    assert levels(sheets.read()) == [("A heading that is so long that it goes on in a line", 1)]


def test_plain_paragraphs_are_no_headings() -> None:
    sheets = Sheets()
    y = 100.0
    for text in [
        "A short one.",
        prose(1, 4),
        "2024 was a year of rain.",
        "Another, short",
        prose(2, 3),
    ]:
        y = sheets.paragraph(y, text) + 6
    assert texts(sheets.read(), "heading") == []


@pytest.mark.parametrize("n_columns", [1, 2])
def test_headings_stand_before_their_text_in_columns(n_columns: int) -> None:
    sheets = Sheets()
    expected = []
    width = 450 if n_columns == 1 else 215
    for column in range(n_columns):
        y = 100.0
        for part in range(2):
            title, text = f"Section {'ABCD'[2 * column + part]}", prose(2 * column + part, 3)
            sheets.line(72 + 240 * column, y, title, size=14, font=BOLD)
            y = sheets.paragraph(y + 20, text, x=72 + 240 * column, width=width) + 12
            expected += [("heading", title), ("paragraph", text)]
    assert body(sheets.read()) == expected


def test_sections_begin_with_their_headings_when_cut() -> None:
    sheets = Sheets()
    y = 100.0
    for seed in range(3):
        sheets.line(72, y, f"Heading {'ABC'[seed]}", size=16)
        y = sheets.paragraph(y + 24, prose(seed, 5)) + 12
    chunks = cw.chunk(sheets.read(), "by_title", max_chars=2000, min_size=0)
    assert [text.split("\n")[0] for text in chunks.texts()] == [f"Heading {c}" for c in "ABC"]


def test_a_title_over_a_table_alone_is_a_heading() -> None:
    sheets = Sheets()
    sheets.line(72, 80, "Wheels and their weight", size=18)
    sheets.grid([72, 172, 272], [120, 140, 160, 180])
    for i, row in enumerate([("Wheel", "kg"), ("great", "700"), ("small", "90")]):
        for x, cell in zip((78, 178), row, strict=True):
            sheets.line(x, 134 + 20 * i, cell)
    assert levels(sheets.read()) == [("Wheels and their weight", 1)]


@pytest.mark.parametrize("gap", [12, 18, 24])
def test_titles_in_capitals_with_roman_numbers_are_headings(gap: float) -> None:
    sheets = Sheets()
    y = 100.0
    for seed, title in enumerate(("I. INTRODUCTION", "II. MATERIALS AND METHODS")):
        sheets.line(230, y, title)
        y = sheets.paragraph(y + gap, prose(seed, 3)) + gap
    document = sheets.read()
    assert levels(document) == [("I. INTRODUCTION", 1), ("II. MATERIALS AND METHODS", 1)]
    assert [kind for kind, _ in body(document)] == ["heading", "paragraph"] * 2


def test_small_capitals_are_as_large_as_their_text() -> None:
    sheets = Sheets()
    sheets.line(230, 100, "I. I")
    sheets.line(241.2, 100, "NTRODUCTION", size=8)
    sheets.paragraph(118, prose(1, 3))
    assert levels(sheets.read()) == [("I. INTRODUCTION", 1)]


@pytest.mark.parametrize("number", ["A", "B.1", "4", "5.2"])
def test_numbers_set_apart_from_bold_titles_belong_to_them(number: str) -> None:
    sheets = Sheets()
    for x, seed in ((72, 1), (320, 2)):
        sheets.line(x, 100, number, size=12, font=BOLD)
        sheets.line(x + 30, 100, "Further details", size=12, font=BOLD)
        sheets.paragraph(120, prose(seed, 3), x=x, width=220)
    assert levels(sheets.read()) == [(f"{number} Further details", 1)] * 2


def test_bold_lines_with_a_colon_lead_what_is_below_them() -> None:
    sheets = Sheets()
    y = 100.0
    for title in ("As a miller:", "As a sailor:"):
        sheets.line(72, y, title, font=BOLD)
        y = sheets.lines(90, y + 14, ["- keep the stones clean", "- keep the ropes dry"]) + 10
    sheets.paragraph(y, prose(1, 4))
    assert levels(sheets.read()) == [("As a miller:", 1), ("As a sailor:", 1)]


def test_captions_and_what_is_bold_in_front_are_no_headings() -> None:
    sheets = Sheets()
    sheets.line(72, 100, "Figure 3. The wheel of the great mill", size=13, font=BOLD)
    sheets.line(72, 130, "How we compare the results with those of others.", font=BOLD)
    sheets.line(320, 130, "Un-")
    y = sheets.lines(
        72, 142, ["like other mills, this one has a wheel of iron and a", "house of stone."]
    )
    sheets.paragraph(y + 20, prose(1, 4))
    document = sheets.read()
    assert levels(document) == []
    assert texts(document, "caption") == ["Figure 3. The wheel of the great mill"]


def test_larger_text_with_more_letters_in_notes_is_no_heading() -> None:
    sheets = Sheets()
    sheets.line(72, 90, "False causes", size=16)
    y = sheets.paragraph(115, prose(1, 4), size=11)
    for seed in range(2, 4):
        y = sheets.paragraph(y + 10, f"{seed}. " + prose(seed, 4), size=8)
    assert levels(sheets.read()) == [("False causes", 1)]


def test_titles_in_a_table_of_contents_are_no_headings() -> None:
    sheets = Sheets()
    sheets.canvas.bookmarkPage("one")
    for i in range(3):
        sheets.canvas.addOutlineEntry(f"Of part {'ABC'[i]}", "one", 0)
        sheets.line(72, 100 + 40 * i, f"Of part {'ABC'[i]}", size=12, font=BOLD)
        sheets.line(500, 100 + 40 * i, str(3 + i), size=12, font=BOLD)
    sheets.paragraph(300, prose(1, 5))
    assert levels(sheets.read()) == []


def test_letters_number_what_stands_below_roman_numbers() -> None:
    sheets = Sheets()
    titles = [
        ("I. RAIN", 1),
        ("A. Of May", 2),
        ("B. Of June", 2),
        ("II. SNOW", 1),
        ("A. Of March", 2),
    ]
    y = 100.0
    for i, (title, _) in enumerate(titles):
        sheets.line(220, y, title, font="Helvetica-Oblique" if i % 3 else "Helvetica")
        y = sheets.paragraph(y + 16, prose(i, 4)) + 14
    assert levels(sheets.read()) == titles


@pytest.mark.parametrize("title", ["1. Introduction", "II. Rain and snow", "Acknowledgements"])
def test_lines_in_small_capitals_are_headings(small_capitals: str, title: str) -> None:
    """Fonts of small capitals say small letters, right above their text, in its size."""
    sheets = Sheets()
    y = sheets.paragraph(100, prose(1, 4)) + 12
    sheets.line(220, y, title, font=small_capitals)
    sheets.paragraph(y + 12, prose(2, 4))
    assert body(sheets.read()) == [
        ("paragraph", prose(1, 4)),
        ("heading", title),
        ("paragraph", prose(2, 4)),
    ]


@pytest.fixture(scope="module")
def small_capitals(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A font that is named as fonts of small capitals are."""
    name = "Plain-SmallCaps"
    file = tmp_path_factory.mktemp("font") / "caps.ttf"
    with TTFont(dejavu_file()) as font:
        for row in font["name"].names:
            if row.nameID in {1, 4, 6}:
                row.string = name
        font.save(file)
    pdfmetrics.registerFont(EmbeddedFont(name, str(file)))
    return name


def test_sections_right_below_each_other_are_two_headings() -> None:
    sheets = Sheets()
    y = 100.0
    for part in range(1, 4):
        sheets.line(72, y, f"{part} Part of it", size=12, font=BOLD)
        sheets.line(72, y + 15, f"{part}.1 Inner part", size=11, font=BOLD)
        y = sheets.paragraph(y + 32, prose(part, 3)) + 20
    found = [text for text, _ in levels(sheets.read())]
    assert found == [
        f"{part}{of}" for part in range(1, 4) for of in (" Part of it", ".1 Inner part")
    ]


def test_a_title_with_more_room_below_it_than_its_text_has_between_lines_stands_alone() -> None:
    sheets = Sheets()
    y = 100.0
    for part in range(1, 5):
        sheets.line(72, y, f"{part} Part called {'ABCD'[part - 1]}")
        y = sheets.paragraph(y + 16, prose(part, 4)) + 12
        sheets.line(72, y, f"{part}.1 Inner part")
        y = sheets.paragraph(y + 16, prose(part + 9, 4)) + 12
    found = [text for text, _ in levels(sheets.read())]
    assert found[:2] == ["1 Part called A", "1.1 Inner part"]
    assert len(found) == 8


def test_numbered_titles_in_the_first_line_of_a_text_are_headings() -> None:
    sheets = Sheets()
    y = sheets.paragraph(100, prose(1, 4)) + 10
    for part in range(1, 4):
        title = f"2.1.{part} Run in."
        sheets.line(72, y, title, font=BOLD)
        x = 72 + pdfmetrics.stringWidth(title + " ", BOLD, 10)
        sheets.line(x, y, "The first sentence of this text goes on in the line below")
        y = sheets.paragraph(y + 12, prose(part, 3)) + 10
    document = sheets.read()
    assert [text for text, _ in levels(document)] == [f"2.1.{part} Run in." for part in (1, 2, 3)]
    assert [text for kind, text in body(document) if text.startswith("The first sentence")] == [
        f"The first sentence of this text goes on in the line below {prose(part, 3)}"
        for part in (1, 2, 3)
    ]


def test_letters_go_on_below_roman_numbers() -> None:
    sheets = Sheets()
    sheets.line(220, 90, "I. THE WHOLE", size=10)
    y = 110.0
    italic = "Helvetica-Oblique"
    for letter, more in (("A", "part"), ("B", "part-by-part of all 3 others + more")):
        sheets.line(72, y, f"{letter}. Its {more}", font=italic)
        y = sheets.paragraph(y + 16, prose(ord(letter), 4)) + 12
    sheets.line(72, y, "D. Writer", font=italic)
    sheets.picture((72, y + 20, 200, y + 100))
    expected = ["I. THE WHOLE", "A. Its part", "B. Its part-by-part of all 3 others + more"]
    assert [text for text, _ in levels(sheets.read())] == expected


def test_items_that_begin_with_bold_words_are_no_headings() -> None:
    sheets = Sheets()
    y = sheets.paragraph(100, prose(1, 4)) + 10
    for number in range(1, 4):
        sheets.line(72, y, f"{number})")
        sheets.line(86, y, "Bold words:", font=BOLD)
        sheets.line(150, y, "The first sentence of this text goes on in the line below")
        y = sheets.paragraph(y + 12, prose(number, 3), x=86, width=430) + 4
    assert levels(sheets.read()) == []


def test_authors_above_an_abstract_are_no_headings() -> None:
    sheets = Sheets()
    sheets.line(200, 80, "Of Rain and Stones", size=18, font=BOLD)
    for x in (100, 300):
        sheets.line(x, 120, f"A. Writer of {x}", size=12)
        sheets.line(x, 134, "University of Rain", size=10)
    sheets.line(72, 170, "Abstract", size=12, font=BOLD)
    y = sheets.paragraph(190, prose(1, 6)) + 12
    sheets.line(72, y, "1 Introduction", size=12, font=BOLD)
    sheets.paragraph(y + 18, prose(2, 6))
    found = [text for text, _ in levels(sheets.read())]
    assert found == ["Of Rain and Stones", "Abstract", "1 Introduction"]


def test_a_title_whose_first_line_is_partly_in_another_font_is_one() -> None:
    sheets = Sheets()
    sheets.line(72, 80, "Raincutter", size=18)
    x = 72 + pdfmetrics.stringWidth("Raincutter ", "Helvetica", 18)
    sheets.line(x, 80, "of All the Things That", size=18, font=BOLD)
    sheets.line(72, 102, "Fall from Clouds and Roofs", size=18, font=BOLD)
    sheets.paragraph(140, prose(2, 6))
    found = [text for text, _ in levels(sheets.read())]
    assert found == ["Raincutter of All the Things That Fall from Clouds and Roofs"]


def test_large_signs_of_formulas_are_no_headings() -> None:
    sheets = Sheets()
    y = sheets.paragraph(100, prose(1, 6)) + 20
    sheets.line(200, y, "XX", size=16)
    y = sheets.paragraph(y + 20, prose(2, 6)) + 20
    sheets.line(72, y, "FAQ", size=16)
    sheets.paragraph(y + 20, prose(3, 6))
    assert [text for text, _ in levels(sheets.read())] == ["FAQ"]
