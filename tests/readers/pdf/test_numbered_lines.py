"""Numbers of lines in the margin, as in transcripts and bills: each stands with its line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.readers.pdf.drawing import HEIGHT, Sheets, body, broken, prose

SIZE = 11.0
MARGIN = 90.0


def numbered(lines: list[str], font: str, leading: float, *, by_columns: bool = False) -> Sheets:
    """Draw lines with their numbers in front, row by row or one column behind the other."""
    sheets = Sheets()
    canvas = sheets.canvas
    canvas.setFont(font, SIZE)

    def number(i: int) -> None:
        canvas.drawRightString(MARGIN, HEIGHT - 100 - leading * i, str(i + 1))

    if by_columns:
        for i in range(len(lines)):
            number(i)
    for i, line in enumerate(lines):
        if not by_columns:
            number(i)
        sheets.line(MARGIN + 30, 100 + leading * i, line, size=SIZE, font=font)
    return sheets


@pytest.mark.parametrize("font", ["Courier", "Times-Roman"])
@pytest.mark.parametrize("leading", [14.0, 24.0])
@given(seed=st.integers(0, 1000), by_columns=st.booleans())
def test_a_number_stands_with_its_line(
    font: str, leading: float, seed: int, *, by_columns: bool
) -> None:
    lines = broken(prose(seed, 5), 330, SIZE, font)
    document = numbered(lines, font, leading, by_columns=by_columns).read()
    found = [text for _, text in body(document)]
    assert found == [f"{i + 1} {line}" for i, line in enumerate(lines)]


def test_numbers_of_rows_are_cells() -> None:
    sheets = Sheets()
    trees = ["Ash", "Elm", "Fir", "Oak", "Yew"]
    rows = [(str(i + 1), name, f"{3 * i}.50") for i, name in enumerate(trees)]
    for i, row in enumerate([("No", "Tree", "Price"), *rows]):
        for x, cell in zip((72, 102, 200), row, strict=True):
            sheets.line(x, 100 + 14 * i, cell, size=SIZE)
    ((kind, _),) = body(sheets.read())
    assert kind == "table"
