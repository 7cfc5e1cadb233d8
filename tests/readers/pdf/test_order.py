"""Reading order: columns, however they are drawn, turned pages, right-to-left text."""

from __future__ import annotations

from itertools import chain, zip_longest
from pathlib import Path

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth

import chunkwright as cw
from tests.readers.pdf.drawing import HEIGHT, WIDTH, Sheets, body, broken, dejavu, prose, texts

ARABIC = "ذهب الولد إلى المدرسة في الصباح ثم عاد إلى البيت"


def columns(
    n: int,
    *,
    across: bool,
    gutter: float = 18,
    shift: float = 0,
    ends: tuple[str, str] = ("", ""),
) -> tuple[cw.Document, list[str]]:
    """Return a page of columns between a title and a note, and its words in order."""
    title, note = ends
    sheets = Sheets()
    width = (WIDTH - 100 - gutter * (n - 1)) / n
    parts = [broken(prose(10 * n + i, 12), width, 9) for i in range(n)]
    y = 60.0
    if title:
        sheets.line(50, y, title, size=18, font="Helvetica-Bold")
        y += 40
    placed = [
        (row, 50 + i * (width + gutter), y + 11 * row + (shift if i else 0), line)
        for i, part in enumerate(parts)
        for row, line in enumerate(part)
    ]
    for _, x, at, line in sorted(placed) if across else placed:
        sheets.line(x, at, line, size=9)
    if note:
        sheets.line(50, HEIGHT - 150, note, size=9)
    words = [title, *chain.from_iterable(parts), note]
    return sheets.read(), " ".join(words).split()


@pytest.mark.parametrize("across", [False, True])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_columns_are_read_one_after_the_other(n: int, across: bool) -> None:
    document, words = columns(n, across=across)
    assert document.body.split() == words


@pytest.mark.parametrize("across", [False, True])
@pytest.mark.parametrize("shift", [2, 4, 5.5])
@pytest.mark.parametrize("n", [2, 3])
def test_columns_with_baselines_of_their_own_stay_apart(n: int, shift: float, across: bool) -> None:
    document, words = columns(n, across=across, shift=shift)
    assert document.body.split() == words


@pytest.mark.parametrize("across", [False, True])
@pytest.mark.parametrize("n", [2, 3])
def test_title_and_note_span_columns(n: int, across: bool) -> None:
    document, words = columns(
        n, across=across, ends=("Of Rivers and Stones", "All of it was seen in one winter.")
    )
    assert document.body.split() == words
    assert body(document)[0] == ("heading", "Of Rivers and Stones")
    assert body(document)[-1][1] == "All of it was seen in one winter."


@pytest.mark.parametrize("across", [False, True])
def test_narrow_gutters_part_columns(across: bool) -> None:
    document, words = columns(2, across=across, gutter=11)
    assert document.body.split() == words


@pytest.mark.parametrize("is_across", [False, True])
def test_four_spans_in_two_columns(is_across: bool) -> None:
    sheets = Sheets()
    spans = [(72, 140, "Left one."), (72, 160, "Left two."), (320, 140, "Right one.")]
    spans.append((320, 160, "Right two."))
    for x, y, text in sorted(spans, key=lambda span: span[1]) if is_across else spans:
        sheets.line(x, y, text, size=11)
    words = sheets.read().body.split()
    assert " ".join(words) == "Left one. Left two. Right one. Right two."


def test_sections_of_columns_below_each_other() -> None:
    """One column, then two, then one: each as a whole before the next."""
    sheets = Sheets()
    top, bottom = prose(1, 3), prose(2, 3)
    left, right = (broken(prose(i, 6), 210) for i in (3, 4))
    y = sheets.paragraph(80, top) + 10
    for row, pair in enumerate(zip_longest(left, right, fillvalue="")):
        for x, line in zip((72, 312), pair, strict=True):
            sheets.line(x, y + 12 * row, line)
    sheets.paragraph(y + 12 * max(len(left), len(right)) + 25, bottom)
    words = " ".join([top, *left, *right, bottom]).split()
    assert sheets.read().body.split() == words


def test_order_of_the_file_is_kept_where_nothing_speaks_against_it() -> None:
    """A box in the margin that is drawn first is read first, if it stands beside the text."""
    sheets = Sheets()
    sheets.paragraph(100, "A remark in the margin that stands alone.", x=430, width=110, size=8)
    sheets.paragraph(100, prose(5, 8), width=320)
    assert sheets.read().body.startswith("A remark in the margin that stands alone.")


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_pages_that_are_turned_read_as_one_sees_them(turns: int) -> None:
    """The page is turned back by what its content is turned; boxes are those that one sees."""
    sheets = Sheets()
    width, height = (HEIGHT, WIDTH) if turns % 2 else (WIDTH, HEIGHT)
    canvas = sheets.canvas
    canvas.setPageRotation(90 * turns)
    # From the page as one sees it, A4 upright, to the coordinates of the file.
    moves = {0: (0, 0), 1: (width, 0), 2: (width, height), 3: (0, height)}
    canvas.translate(*moves[turns])
    canvas.rotate(90 * turns)
    sheets.line(72, 100, "A Turned Title", size=18, font="Helvetica-Bold")
    text = prose(6, 6)
    sheets.paragraph(130, text)
    document = sheets.read()
    assert body(document) == [("heading", "A Turned Title"), ("paragraph", text)]
    title = document.elements[0].boxes[0]
    assert (title.width, title.height) == pytest.approx((WIDTH, HEIGHT), abs=0.01)
    assert (title.left, title.bottom) == pytest.approx((72, 100), abs=2)
    assert title.top == pytest.approx(100 - 18 * 0.72, abs=2)
    assert (document.pages[0].width, document.pages[0].height) == (title.width, title.height)


@pytest.mark.parametrize("angle", [90, 270])
def test_text_that_is_turned_is_read_apart(angle: int) -> None:
    sheets = Sheets()
    text = prose(7, 10)
    end = sheets.paragraph(100, text)
    canvas = sheets.canvas
    canvas.saveState()
    canvas.translate(300, HEIGHT - end - 200)
    canvas.rotate(angle)
    canvas.drawString(0, 0, "Words that run along the edge.")
    canvas.restoreState()
    document = sheets.read()
    assert [text for _, text in body(document)] == [text, "Words that run along the edge."]
    box = document.elements[1].boxes[0]
    assert box.bottom - box.top > 5 * (box.right - box.left)


def test_blanks_that_are_not_drawn_are_found() -> None:
    """Words are placed one by one, without any blank in the file."""
    sheets = Sheets()
    words = prose(8, 3).split()
    x, y = 72.0, 100.0
    for word in words:
        advance = sheets.canvas.stringWidth(word + " ", "Helvetica", 10)
        if x + advance > 500:
            x, y = 72.0, y + 12
        sheets.line(x, y, word)
        x += advance
    assert sheets.read().body.split() == words


def test_letters_that_are_spaced_make_one_word() -> None:
    sheets = Sheets()
    text = sheets.canvas.beginText(72, HEIGHT - 100)
    text.setFont("Helvetica", 10)
    text.setCharSpace(1.2)
    text.textOut("Letters with some space between them make words.")
    sheets.canvas.drawText(text)
    assert sheets.read().body == "Letters with some space between them make words."


def test_kerning_does_not_part_words() -> None:
    """Each letter is placed by itself, as some programs do."""
    sheets = Sheets()
    line = "Avoid wavy types: they are a trap."
    x = 72.0
    for letter in line:
        if letter != " ":
            sheets.line(x, 100, letter, size=11)
        x += sheets.canvas.stringWidth(letter, "Helvetica", 11)
    assert sheets.read().body == line


def test_right_to_left_text_is_read_in_logical_order() -> None:
    """Letters are drawn from left to right as one sees them, which is the end of the text first."""
    sheets = Sheets()
    font = dejavu()
    words = ARABIC.split()
    for i, line in enumerate([words[:5], words[5:]]):
        shown = " ".join(line)[::-1]
        width = sheets.canvas.stringWidth(shown, font, 14)
        sheets.line(500 - width, 100 + 20 * i, shown, size=14, font=font)
    assert sheets.read().body.split() == words


@pytest.mark.shared
def test_right_to_left_file_is_read_in_logical_order(shared: Path) -> None:
    document = cw.read(shared / "data" / "office" / "right_to_left_01.pdf")
    assert len(texts(document, "paragraph")) > 1
    assert all("؀" <= word[0] <= "ۿ" for word in document.body.split()[:5])


@pytest.mark.parametrize("gutter", [9, 10, 12, 20])
@pytest.mark.parametrize("size", [8, 10])
@pytest.mark.parametrize("is_across", [False, True])
def test_loose_lines_stay_in_their_columns(gutter: float, size: float, is_across: bool) -> None:
    sheets, width = Sheets(), 240.0
    columns = [broken(prose(seed, 6), width, size)[:-1] for seed in (3, 4)]
    n = min(map(len, columns))
    places = [(column, line) for column in range(2) for line in range(n)]
    for column, line in sorted(places, key=lambda place: place[::-1] if is_across else place):
        words = columns[column][line].split()
        blank = width - sum(stringWidth(word, "Helvetica", size) for word in words)
        x = 40 + column * (width + gutter)
        for word in words:
            sheets.line(x, 100 + 1.2 * size * line, word, size=size)
            x += stringWidth(word, "Helvetica", size) + blank / (len(words) - 1)
    found = " ".join(text for _, text in body(sheets.read()))
    assert found == " ".join(line for column in columns for line in column[:n])


def test_a_title_that_is_drawn_last_is_read_first() -> None:
    sheets = Sheets()
    sheets.paragraph(130, prose(1, 4))
    sheets.paragraph(230, prose(2, 4))
    sheets.line(72, 215, "Second", size=14)
    sheets.line(72, 115, "First", size=14)
    assert [text for kind, text in body(sheets.read()) if kind == "heading"] == ["First", "Second"]
    sheets = Sheets()
    sheets.line(72, 790, "a note at the foot of the page that says nothing", size=7)
    for seed in range(4):
        sheets.paragraph(100 + 90 * seed, prose(seed, 4))
    assert "a note at" in body(sheets.read())[-1][1]


def test_columns_drawn_from_the_last_on_are_read_from_the_first_on() -> None:
    sheets = Sheets()
    for x, name in ((400, "Third"), (72, "First"), (236, "Second")):
        sheets.line(x, 300, name, size=14)
        sheets.paragraph(330, prose(len(name), 4), x=x, width=140)
    sheets.line(72, 120, "Three things that we do", size=24)
    found = [text for kind, text in body(sheets.read()) if kind == "heading"]
    assert found == ["Three things that we do", "First", "Second", "Third"]


def test_text_on_a_picture_is_text_of_the_page() -> None:
    sheets = Sheets()
    sheets.picture((60, 80, 540, 500))
    for seed in range(2):
        sheets.paragraph(120 + 100 * seed, prose(seed, 3))
    sheets.line(200, 450, "Mill in spring")
    assert [kind for kind, _ in body(sheets.read())].count("paragraph") >= 2
