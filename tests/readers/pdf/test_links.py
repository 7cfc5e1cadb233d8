"""Links of PDF documents: areas of their pages as spans of the text."""

from __future__ import annotations

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth

import chunkwright as cw
from tests.readers.pdf.drawing import Sheets


def linked(sheets: Sheets, y: float, text: str, part: str, target: str) -> None:
    """Draw a line of which a part links."""
    sheets.line(72, y, text)
    left = 72 + stringWidth(text[: text.index(part)], "Helvetica", 10)
    top = sheets.height - y + 9
    area = (left, top - 12, left + stringWidth(part, "Helvetica", 10), top)
    sheets.canvas.linkURL(target, area)


def links(document: cw.Document) -> list[tuple[str, str]]:
    """Return texts and targets of the links."""
    text = document.text
    found = [link for element in document.elements for link in element.links]
    return [(text[link.start : link.end], link.target) for link in found]


def test_a_link_is_a_span_of_the_text() -> None:
    sheets = Sheets()
    linked(sheets, 100, "See (manual) of the mill.", "manual", "https://mill.org/a")
    assert links(sheets.read()) == [("manual", "https://mill.org/a")]


def test_a_link_over_lines_is_one() -> None:
    sheets = Sheets()
    linked(sheets, 100, "All of it stands in the manual of the", "manual of the", "https://a.org")
    linked(sheets, 112, "upper mill, where nobody looks for it.", "upper mill", "https://a.org")
    assert links(sheets.read()) == [("manual of the upper mill", "https://a.org")]


def test_an_address_without_a_mark_is_no_link() -> None:
    sheets = Sheets()
    sheets.line(72, 100, "See https://mill.org for all of it.")
    assert not links(sheets.read())


def test_a_target_that_runs_code_is_none() -> None:
    sheets = Sheets()
    linked(sheets, 100, "See the manual.", "manual", "JavaScript:alert(1)")
    assert not links(sheets.read())


@pytest.mark.parametrize("is_ruled", [True, False])
def test_links_in_cells_are_spans_of_their_texts(is_ruled: bool) -> None:
    """A word that stands twice in a cell links where it does; a table goes on with its links."""
    sheets = Sheets()
    for page in range(2):
        if is_ruled:
            sheets.grid([72, 172, 272, 372], [100 + 20 * row for row in range(7)])
        for row in range(6):
            y = 114.0 + 20 * row
            sheets.line(80, y, "mill of a mill" if row else "what")
            sheets.line(180, y, f"{page}{row}")
            sheets.line(280, y, "is it" if row else "why")
            if row in {2, 3}:
                left = 80 + stringWidth("mill of a ", "Helvetica", 10)
                top = sheets.height - y + 9
                sheets.canvas.linkURL(
                    f"https://mill.org/{page}{row}", (left, top - 12, left + 20, top)
                )
        sheets.next()
    document = sheets.read()
    found = links(document)
    assert found == [("mill", f"https://mill.org/{page}{row}") for page in (0, 1) for row in (2, 3)]
    for element in document.elements:
        for link in element.links:
            assert document.text[link.start - 5 : link.start] == "of a "
