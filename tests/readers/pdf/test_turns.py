"""Text at any angle: read as if its page was turned, with boxes where one sees it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from tests.readers.pdf.drawing import HEIGHT, WIDTH, Sheets, broken, prose
from tests.readers.pdf.test_positions import boxes_hold, drawn

SIZE = 10.0


def paragraph(sheets: Sheets, text: str, at: tuple[float, float], angle: float) -> None:
    """Draw a paragraph around a point, turned counterclockwise by so many degrees."""
    canvas = sheets.canvas
    canvas.saveState()
    canvas.translate(*at)
    canvas.rotate(angle)
    canvas.setFont("Helvetica", SIZE)
    lines = broken(text, 200, SIZE)
    for i, line in enumerate(lines):
        canvas.drawString(-100, (len(lines) / 2 - i) * 1.2 * SIZE, line)
    canvas.restoreState()


def texts(document: cw.Document) -> list[str]:
    elements = document.elements
    assert elements is not None
    return [" ".join(one.text.split()) for one in elements]


@given(angle=st.floats(0, 359.9), seed=st.integers(0, 1000))
def test_lines_at_an_angle_are_a_paragraph(angle: float, seed: int) -> None:
    sheets = Sheets()
    text = prose(seed)
    paragraph(sheets, text, (WIDTH / 2, HEIGHT / 2), angle)
    data = sheets.data()
    document = cw.read_pdf(data)
    assert texts(document) == [text]
    assert document.elements is not None
    (element,) = document.elements
    glyphs = drawn(data)
    (box,) = element.boxes
    assert boxes_hold(element, glyphs) == glyphs
    # It is no larger than what is around a paragraph at that angle.
    assert box.right - box.left < 300
    assert box.bottom - box.top < 300


@given(angles=st.lists(st.sampled_from(range(0, 360, 15)), min_size=2, max_size=4, unique=True))
def test_texts_at_many_angles_are_told_apart(angles: list[int]) -> None:
    sheets = Sheets()
    said = {prose(angle, 3) for angle in angles}
    for i, angle in enumerate(angles):
        at = (WIDTH * (0.3 + 0.4 * (i % 2)), HEIGHT * (0.25 + 0.5 * (i // 2)))
        paragraph(sheets, prose(angle, 3), at, angle)
    assert set(texts(cw.read_pdf(sheets.data()))) == said


def test_letters_on_a_bow_are_no_part_of_other_texts() -> None:
    """Each letter has an angle of its own, as on seals: no line is told of them."""
    sheets = Sheets()
    canvas = sheets.canvas
    canvas.setFont("Helvetica", 24)
    for i, letter in enumerate("MILL"):
        canvas.saveState()
        canvas.translate(WIDTH / 2, HEIGHT / 2)
        canvas.rotate(60 - 15 * i)
        canvas.drawString(0, 150, letter)
        canvas.restoreState()
    for i, angle in enumerate([0, 30]):
        paragraph(sheets, prose(i), (WIDTH / 2, HEIGHT * (0.15 + 0.7 * i)), angle)
    found = texts(cw.read_pdf(sheets.data()))
    assert {prose(0), prose(1)} < set(found)
    others = [text for text in found if text not in {prose(0), prose(1)}]
    assert sorted("".join(others).replace(" ", "")) == sorted("MILL")


def test_a_page_that_is_turned_has_headings() -> None:
    """Most of it runs up: a title does, too. On a page that is upright it is an aside."""
    for is_page in (True, False):
        sheets = Sheets()
        sheets.canvas.saveState()
        sheets.canvas.rotate(90)
        sheets.canvas.setFont("Helvetica", 18)
        sheets.canvas.drawString(100, -60, "Of rivers")
        sheets.canvas.setFont("Helvetica", 10)
        for number, line in enumerate(broken(prose(1, 6), 500) if is_page else []):
            sheets.canvas.drawString(100, -90 - 12 * number, line)
        sheets.canvas.restoreState()
        if not is_page:
            sheets.paragraph(100, prose(1, 6), x=120, width=400)
        headings = [e.text for e in sheets.read().elements if e.kind == "heading"]
        assert headings == ["Of rivers"] * is_page
