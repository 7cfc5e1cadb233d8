"""Ruled lines of scans: they part cells, as those that a file draws do."""

from __future__ import annotations

import pytest

import chunkwright as cw
from tests.readers.ocr.engines import Line, engine, ruled

# Texts of a table that only its lines tell apart: of two lines, far from each other, or none.
ACROSS, DOWN = [200.0, 230.0, 280.0, 330.0], [72.0, 172.0, 272.0, 522.0]
CELLS = [
    Line("Port", 76, 214),
    Line("Since", 176, 214),
    Line("What is said of it", 276, 214),
    Line("Manila", 76, 244),
    Line("1571", 176, 244),
    Line("The largest of them, to which most of all", 276, 244),
    Line("ships come that are foreign", 276, 258),
    Line("Cebu", 76, 294),
    Line("The oldest, which has", 276, 294),
    Line("fewer of them", 276, 308),
]
ROWS = [
    ["Port", "Since", "What is said of it"],
    ["Manila", "1571", "The largest of them, to which most of all ships come that are foreign"],
    ["Cebu", "", "The oldest, which has fewer of them"],
]


def rows(document: cw.Document) -> list[list[str]]:
    """Return the texts of the only table of a document."""
    (element,) = document.elements
    assert element.table is not None
    texts = [[""] * element.table.n_columns for _ in range(element.table.n_rows)]
    for cell in element.table.cells:
        texts[cell.row][cell.column] = document.text[cell.start : cell.end]
    return texts


@pytest.mark.parametrize("askew", [0, 2, -1.3])
def test_lines_of_a_scan_part_cells(askew: float) -> None:
    data = ruled(ACROSS, DOWN, CELLS, askew)
    document = cw.read(data, name="a.png", ocr_engine=engine(CELLS, askew=askew))
    assert rows(document) == ROWS


@pytest.mark.slow
@pytest.mark.parametrize("askew", [0, 2])
def test_lines_part_cells_of_what_is_recognised(askew: float) -> None:
    pytest.importorskip("rapidocr")
    document = cw.read(ruled(ACROSS, DOWN, CELLS, askew), name="a.png", ocr_engine="rapidocr")
    assert rows(document) == ROWS


def test_lines_under_words_part_nothing() -> None:
    prose = [Line(f"Line {i} of a text that goes on", 72, 100 + 12 * i) for i in range(3)]
    under = ruled([102, 114, 126], [72, 200], prose)
    document = cw.read(under, name="a.png", ocr_engine=engine(prose))
    assert [element.kind for element in document.elements] == ["paragraph"]
