"""Outlines and tags: what a file states of its headings, where it agrees with the page."""

from __future__ import annotations

from pathlib import Path

from fontTools.ttLib import TTFont
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont as EmbeddedFont

import chunkwright as cw
from tests.readers.pdf.damaged import FONT, stream, text_at, written
from tests.readers.pdf.drawing import Sheets, body, broken, dejavu_file, prose
from tests.readers.pdf.test_headings import levels

BOLD = "Helvetica-Bold"


def entry(sheets: Sheets, title: str, level: int = 0) -> None:
    """Add an entry of the outline that leads to the page at hand."""
    sheets.canvas.bookmarkPage(title)
    sheets.canvas.addOutlineEntry(title, title, level=level)


def test_outline_states_headings_and_levels() -> None:
    """Those of the outline look like the text; a large line that it does not name has no say."""
    sheets = Sheets()
    entries = [("Rain", 0), ("Rain in spring", 1), ("Sun", 0), ("Sun in autumn", 1)]
    for seed, (title, level) in enumerate(entries):
        entry(sheets, title, level)
        sheets.line(72, 100, title)
        sheets.paragraph(130, prose(seed, 5))
        sheets.next()
    assert levels(sheets.read()) == [(title, level + 1) for title, level in entries]


def test_outline_and_size_give_consistent_levels() -> None:
    """Headings that the outline leaves out have the level of those that look alike."""
    sheets = Sheets()
    for seed in range(4):
        title = f"Chapter {'ABCD'[seed]}"
        if seed < 3:
            entry(sheets, title)
        sheets.line(72, 150, title, size=18)
        sheets.line(72, 180, "A section of it", size=13)
        sheets.paragraph(205, prose(seed, 5))
        sheets.next()
    found = levels(sheets.read())
    assert {level for text, level in found if text.startswith("Chapter")} == {1}
    assert {level for text, level in found if text.startswith("A section")} == {2}
    assert len(found) == 8


def test_a_title_without_a_gap_below_is_no_part_of_the_text() -> None:
    """Its lines look as the text does; so do those of the title right below it."""
    sheets = Sheets()
    first = "of rivers and of all the stones that lie in them and of the harbors where they end"
    entry(sheets, first.capitalize())
    entry(sheets, "Of lanterns", 1)
    titles = broken(first.capitalize(), 300)
    assert len(titles) == 2
    y = sheets.lines(72, 100, [*titles, "2.1. Of lanterns"])
    sheets.lines(72, y, broken(prose(1, 4), 300))
    assert body(sheets.read()) == [
        ("heading", first.capitalize()),
        ("heading", "2.1. Of lanterns"),
        ("paragraph", prose(1, 4)),
    ]


def test_a_title_in_front_of_its_text_is_a_heading() -> None:
    """The text goes on in its line, in another face; words that only begin as a title does stay."""
    sheets = Sheets()
    entry(sheets, "Of rivers")
    y = sheets.paragraph(100, prose(1, 4)) + 6
    sheets.line(72, y, "2.1. Of rivers.", font=BOLD)
    sheets.lines(150, y, ["They carry stones to the harbor, and"])
    sheets.lines(72, y + 12, ["of lanterns they know nothing at all."])
    sheets.line(72, y + 40, "Of rivers and lanterns nobody says a word, nor of harbors.")
    assert body(sheets.read()) == [
        ("paragraph", prose(1, 4)),
        ("heading", "2.1. Of rivers."),
        (
            "paragraph",
            "They carry stones to the harbor, and of lanterns they know nothing at all.",
        ),
        ("paragraph", "Of rivers and lanterns nobody says a word, nor of harbors."),
    ]


def test_a_marker_that_the_outline_leaves_out_is_no_matter() -> None:
    sheets = Sheets()
    for i, title in enumerate(["Rain", "Snow"]):
        entry(sheets, title)
        sheets.line(72, 100, f"{'I' * (i + 1)}. {title.upper()}")
        sheets.paragraph(112, prose(i, 4))
        sheets.next()
    assert levels(sheets.read()) == [("I. RAIN", 1), ("II. SNOW", 1)]


def test_a_tagged_paragraph_larger_than_all_headings_is_the_title() -> None:
    """Word tags titles as paragraphs; what is as large as a heading and tagged as text is text."""
    lines = [("P", "Of rivers", 24), ("H1", "Their end", 14), ("P", "Where do they end?", 14)]
    content = b""
    for i, (_, text, size) in enumerate(lines):
        content += b"/P <</MCID %d>> BDC " % i + text_at(72, 700 - 50 * i, text, size=size)
        content += b" EMC "
    for i in range(8):
        content += b"/P <</MCID %d>> BDC " % (3 + i)
        content += text_at(72, 500 - 30 * i, f"{prose(i, 1)}") + b" EMC "
    kinds = [kind for kind, _, _ in lines] + ["P"] * 8
    tags = [
        b"<</Type/StructElem/S/%s/P 6 0 R/K %d/Pg 3 0 R>>" % (kind.encode(), i)
        for i, kind in enumerate(kinds)
    ]
    references = b" ".join(b"%d 0 R" % (7 + i) for i in range(len(tags)))
    data = written(
        b"<</Type/Catalog/Pages 2 0 R/StructTreeRoot 6 0 R/MarkInfo<</Marked true>>>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/StructParents 0"
        b"/Resources<</Font<</F 5 0 R>>>>>>",
        stream(content),
        FONT,
        b"<</Type/StructTreeRoot/K[%s]/ParentTree<</Nums[0[%s]]>>>>" % (references, references),
        *tags,
    )
    assert levels(cw.read_pdf(data)) == [("Of rivers", 1), ("Their end", 1)]


def test_weights_tell_where_most_of_a_page_is_lighter(tmp_path: Path) -> None:
    """Files state weights as they like: texts of one may be as heavy as titles of another."""

    def font(name: str, stem: int) -> str:
        file = tmp_path / f"{name}.ttf"
        with TTFont(dejavu_file()) as plain:
            for row in plain["name"].names:
                if row.nameID in {1, 4, 6}:
                    row.string = name
            plain.save(file)
        embedded = EmbeddedFont(name, str(file))
        embedded.face.stemV = stem
        pdfmetrics.registerFont(embedded)
        return name

    light, heavy = font("Riverside", 80), font("Harborside", 150)

    def read(text: str, title: str) -> cw.Document:
        sheets = Sheets()
        y = sheets.lines(72, 100, broken(prose(1, 4), 380), font=text) + 10
        sheets.line(72, y, "A title of some words", font=title)
        sheets.lines(72, y + 20, broken(prose(2, 4), 380), font=text)
        return sheets.read()

    assert levels(read(light, heavy)) == [("A title of some words", 1)]
    assert levels(read(heavy, heavy)) == []
