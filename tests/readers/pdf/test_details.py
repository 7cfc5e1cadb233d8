"""Details of pages: origins, crops, hidden text, indents, raised letters, justified lines."""

from __future__ import annotations

import pytest

import chunkwright as cw
from tests.readers.pdf.damaged import FONT, page_of, text_at
from tests.readers.pdf.drawing import HEIGHT, WIDTH, Sheets, body, broken, dejavu, prose, texts

BOLD = "Helvetica-Bold"


def test_boxes_are_measured_from_the_corner_of_the_page() -> None:
    """The origin of the file's coordinates lies outside of the page."""
    data = page_of(text_at(1072, 2700), box=b"1000 2000 1595 2842", font=FONT)
    document = cw.read_pdf(data)
    box = document.elements[0].boxes[0]
    assert (box.left, box.bottom) == pytest.approx((72, 142), abs=3)
    assert (box.width, box.height) == (595, 842)


def test_boxes_are_measured_from_the_corner_of_the_crop() -> None:
    sheets = Sheets(cropBox=(50, 100, 500, 800))
    sheets.line(72, 142, "It rained for days.")
    document = sheets.read()
    box = document.elements[0].boxes[0]
    assert (box.width, box.height) == pytest.approx((450, 700), abs=0.01)
    assert (box.left, box.bottom) == pytest.approx((22, 142 - (HEIGHT - 800)), abs=3)


def test_hidden_text_over_a_scan_is_read() -> None:
    """A page that was recognised before has its text, unseen, above the picture."""
    sheets = Sheets()
    sheets.picture((0, 0, WIDTH, HEIGHT))
    lines = broken(prose(1, 12), 450)
    text = sheets.canvas.beginText(72, HEIGHT - 100)
    text.setFont("Helvetica", 10)
    text.setTextRenderMode(3)
    text.textLines(lines)
    sheets.canvas.drawText(text)
    document = sheets.read()
    assert body(document) == [("paragraph", " ".join(lines))]
    assert not document.pages[0].needs_ocr


def test_indents_begin_paragraphs() -> None:
    sheets = Sheets()
    y, expected = 100.0, []
    for seed in range(4):
        first, *others = broken("xxxx " + prose(seed, 4), 450)
        sheets.line(72 + 18, y, first.removeprefix("xxxx "))
        y = sheets.lines(72, y + 12, others)
        expected.append(("paragraph", prose(seed, 4)))
    assert body(sheets.read()) == expected


def test_justified_lines_are_whole() -> None:
    """Blanks of a line are as wide as it needs to fill the column."""
    sheets = Sheets()
    lines = broken(prose(3, 10), 200)
    for i, line in enumerate(lines):
        text = sheets.canvas.beginText(72, HEIGHT - 100 - 12 * i)
        text.setFont("Helvetica", 10)
        n_blanks = line.count(" ")
        room = 200 - sheets.canvas.stringWidth(line, "Helvetica", 10)
        if n_blanks and i < len(lines) - 1:
            text.setWordSpace(room / n_blanks)
        text.textOut(line)
        sheets.canvas.drawText(text)
    assert body(sheets.read()) == [("paragraph", " ".join(lines))]


def test_raised_numbers_stay_with_their_words() -> None:
    sheets = Sheets()
    sheets.paragraph(86, prose(1, 1))
    sheets.line(72, 120, "It rained")
    x = 72 + sheets.canvas.stringWidth("It rained", "Helvetica", 10)
    sheets.line(x, 116, "1", size=6)
    sheets.line(x + 5, 120, "for days, and nobody was there to see it fall.")
    text = body(sheets.read())[-1][1]
    assert text == "It rained1 for days, and nobody was there to see it fall."


def test_a_word_in_bold_or_italic_is_in_its_paragraph() -> None:
    sheets = Sheets()
    x, y = 72.0, 100.0
    for i, word in enumerate(prose(2, 6).split()):
        font = ["Helvetica", "Helvetica", BOLD, "Helvetica-Oblique"][i % 4]
        advance = sheets.canvas.stringWidth(word + " ", font, 10)
        if x + advance > 520:
            x, y = 72.0, y + 12
        sheets.line(x, y, word + " ", font=font)
        x += advance
    assert body(sheets.read()) == [("paragraph", prose(2, 6))]


def test_text_on_a_coloured_ground_is_text() -> None:
    sheets = Sheets()
    sheets.canvas.setFillGray(0.9)
    sheets.canvas.rect(60, HEIGHT - 170, 480, 90, stroke=0, fill=1)
    sheets.canvas.setFillGray(0)
    sheets.paragraph(100, prose(1, 5))
    sheets.paragraph(200, prose(2, 5))
    assert body(sheets.read()) == [("paragraph", prose(1, 5)), ("paragraph", prose(2, 5))]


def test_a_picture_between_columns_parts_nothing() -> None:
    sheets = Sheets()
    left, right = broken(prose(1, 14), 210), broken(prose(2, 14), 210)
    sheets.lines(72, 100, left[:8])
    sheets.picture((72, 200, 282, 300))
    sheets.lines(72, 320, left[8:])
    sheets.lines(310, 100, right)
    document = sheets.read()
    assert document.body.split() == " ".join([*left, *right]).split()
    assert len([e for e in document.elements if e.kind == "figure"]) == 1


def test_a_figure_spans_columns() -> None:
    sheets = Sheets()
    left, right = broken(prose(1, 14), 210), broken(prose(2, 14), 210)
    sheets.picture((72, 60, 520, 200))
    sheets.line(180, 215, "Figure 1: Nothing at all.", size=9)
    for row in range(max(len(left), len(right))):
        for x, lines in ((72, left), (310, right)):
            if row < len(lines):
                sheets.line(x, 250 + 12 * row, lines[row])
    document = sheets.read()
    words = " ".join(["Figure 1: Nothing at all.", *left, *right]).split()
    assert document.body.split() == words


def test_labels_of_a_picture_belong_to_it() -> None:
    sheets = Sheets()
    sheets.paragraph(80, prose(1, 5))
    sheets.picture((100, 200, 400, 400))
    sheets.line(220, 300, "a label")
    sheets.paragraph(450, prose(2, 5))
    document = sheets.read()
    assert [kind for kind, _ in body(document)] == ["paragraph", "figure", "paragraph"]
    assert texts(document, "figure") == ["a label"]


def test_letters_of_many_scripts() -> None:
    sheets = Sheets()
    lines = ["Über Straßen läuft der Fuchs.", "Быстрая лиса прыгает.", "Η γρήγορη αλεπού πηδά."]
    y = 100
    for line in lines:
        sheets.line(72, y, line, font=dejavu())
        y += 40
    assert [text for _, text in body(sheets.read())] == lines


def test_text_that_is_drawn_twice_is_there_once() -> None:
    """Some programs draw letters twice, a little apart, to make them bold."""
    sheets = Sheets()
    sheets.line(72, 100, "It rained for days.", size=12)
    sheets.line(72.3, 100, "It rained for days.", size=12)
    assert sheets.read().body == "It rained for days."


def test_a_stamp_across_the_page_is_no_part_of_a_paragraph() -> None:
    sheets = Sheets()
    sheets.paragraph(100, prose(1, 30))
    canvas = sheets.canvas
    canvas.saveState()
    canvas.translate(100, 300)
    canvas.rotate(45)
    canvas.setFont("Helvetica", 60)
    canvas.drawString(0, 0, "DRAFT")
    canvas.restoreState()
    document = sheets.read()
    assert texts(document, "paragraph")[0] == prose(1, 30)
    assert "".join(body(document)[1][1].split()) == "DRAFT"


def test_numbers_alone_are_no_page_numbers_amid_the_text() -> None:
    """A table of numbers that reaches the foot of the page keeps its last row."""
    sheets = Sheets()
    for page in range(3):
        sheets.line(72, 40, "Counts", size=8)
        sheets.line(300, HEIGHT - 30, str(page + 1), size=8)
        for row in range(42):
            for column in range(3):
                sheets.line(72 + 120 * column, 80 + 16 * row, str(1000 * page + 3 * row + column))
        sheets.next()
    document = sheets.read()
    numbers = [str(1000 * p + 3 * r + c) for p in range(3) for r in range(42) for c in range(3)]
    found = [word for word in document.body.split() if word.isdigit()]
    assert found == numbers
