"""Vertical text: columns of letters below each other, read from right to left."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from hypothesis import given
from hypothesis import strategies as st
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from tests.readers.pdf.drawing import HEIGHT, WIDTH, Sheets, body

SIZE = 12.0
TEXTS = [
    "水車小屋は川のほとりに、洪水の年に建てられた。",
    "磨坊建在河邊，在洪水之年。",
    "물레방아는강가에서있다",
]
# Signs stand in a corner of the square of a letter.
SIGNS = "、。，"


@pytest.fixture(scope="module")
def font(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A font whose letters are squares."""
    letters = {letter: f"u{ord(letter):04x}" for letter in sorted(set("".join(TEXTS)))}
    names = [".notdef", *letters.values()]
    builder = FontBuilder(1000)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord(letter): name for letter, name in letters.items()})
    signs = {letters[sign] for sign in SIGNS}
    builder.setupGlyf({name: _square(300 if name in signs else 900) for name in names})
    builder.setupHorizontalMetrics(dict.fromkeys(names, (1000, 60)))
    builder.setupHorizontalHeader(ascent=880, descent=-120)
    builder.setupNameTable({"familyName": "Squares", "styleName": "Regular", "psName": "Squares"})
    builder.setupOS2(sTypoAscender=880, sTypoDescender=-120)
    builder.setupPost()
    file = tmp_path_factory.mktemp("font") / "squares.ttf"
    builder.save(file)
    pdfmetrics.registerFont(TTFont("Squares", str(Path(file))))
    return "Squares"


def _square(side: int) -> object:
    pen = TTGlyphPen(None)
    pen.moveTo((60, -60))
    for point in ((60, side - 60), (60 + side, side - 60), (60 + side, -60)):
        pen.lineTo(point)
    pen.closePath()
    return pen.glyph()


def columns(
    sheets: Sheets, font: str, texts: Sequence[str], order: Sequence[int], leading: float
) -> None:
    """Draw texts as columns from right to left, in some order of the file."""
    sheets.canvas.setFont(font, SIZE)
    for number in order:
        for i, letter in enumerate(texts[number]):
            x, y = WIDTH - 100 - leading * SIZE * number, 100 + SIZE * i
            sheets.canvas.drawString(x, HEIGHT - y, letter)


@given(
    text=st.sampled_from(TEXTS),
    lengths=st.lists(st.integers(1, 22), min_size=2, max_size=12),
    data=st.data(),
    leading=st.sampled_from([1.4, 1.7, 2.0]),
)
def test_columns_are_read_from_right_to_left(
    font: str, text: str, lengths: list[int], data: st.DataObject, leading: float
) -> None:
    # The first is a whole column; of short ones alone nobody could tell.
    texts = [(text * 2)[:n] for n in [22, *lengths, 22]]
    order = data.draw(st.permutations(range(len(texts))))
    sheets = Sheets()
    columns(sheets, font, texts, order, leading)
    found = body(sheets.read())
    assert {kind for kind, _ in found} == {"paragraph"}
    assert "".join("".join(text.split()) for _, text in found) == "".join(texts)


def test_boxes_are_those_of_the_columns(font: str) -> None:
    sheets = Sheets()
    columns(sheets, font, [TEXTS[0][:10]], [0], 1.5)
    elements = sheets.read().elements
    assert elements is not None
    (box,) = elements[0].boxes
    assert (box.right - box.left, box.bottom - box.top) == pytest.approx((SIZE, 10 * SIZE), abs=4)
    assert (box.left, box.top) == pytest.approx((WIDTH - 100, 100 - SIZE), abs=6)


@pytest.mark.parametrize("by_letters", [False, True])
def test_lines_stay_lines(font: str, *, by_letters: bool) -> None:
    """Letters of lines that stand close below each other are no columns."""
    sheets = Sheets()
    sheets.canvas.setFont(font, SIZE)
    line = TEXTS[0][:12]
    for i in range(8):
        y = HEIGHT - 100 - SIZE * 1.1 * i
        for k, part in enumerate(line if by_letters else [line]):
            sheets.canvas.drawString(100 + SIZE * k, y, part)
    ((_, text),) = body(sheets.read())
    assert "".join(text.split()) == line * 8
