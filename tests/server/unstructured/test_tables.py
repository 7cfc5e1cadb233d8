"""Tables as HTML: gaps, spans, headers, and tables whose cells are not known."""

from __future__ import annotations

from typing import Any

import chunkwright as cw
from chunkwright.server.dialects.unstructured.html_tables import table_html, table_text

TEXT = "a b 1 2"


def cell(row: int, column: int, at: int, **more: Any) -> cw.TableCell:
    return cw.TableCell(row, column, at, at + 1, **more)


def table(*cells: cw.TableCell, html: str | None = None) -> cw.Element:
    item = {"kind": "table", "start": 0, "end": len(TEXT), "cells": cells, "html": html}
    return cw.elements_at(TEXT, [item])[0]


def test_places_without_a_cell_are_empty() -> None:
    found = table_html(table(cell(0, 1, 0), cell(2, 0, 4)), TEXT)
    assert found == (
        "<table><tr><td/><td>a</td></tr><tr><td/><td/></tr><tr><td>1</td><td/></tr></table>"
    )


def test_places_that_a_cell_covers_are_not_written() -> None:
    wide, tall = cell(0, 0, 0, columns=2), cell(1, 0, 2, rows=2)
    found = table_html(table(wide, tall, cell(1, 1, 4), cell(2, 1, 6)), TEXT)
    assert found == (
        '<table><tr><td colspan="2">a</td></tr>'
        '<tr><td rowspan="2">b</td><td>1</td></tr><tr><td>2</td></tr></table>'
    )


def test_a_table_of_few_cells_in_a_wide_grid_is_written_by_its_cells() -> None:
    found = table_html(table(cell(0, 0, 0), cell(5_000_000, 5_000_000, 2)), TEXT)
    assert found == "<table><tr><td>a</td></tr><tr><td>b</td></tr></table>"


def test_rows_of_the_header_are_marked_as_such() -> None:
    head = [cell(0, column, 2 * column, is_header=True) for column in (0, 1)]
    found = table_html(table(*head, cell(1, 0, 4), cell(1, 1, 6)), TEXT)
    assert found == (
        "<table><thead><tr><th>a</th><th>b</th></tr></thead><tr><td>1</td><td>2</td></tr></table>"
    )


def test_a_table_without_cells_has_the_html_and_text_of_its_source() -> None:
    html = "<table><tr><td>a b 1 2</td></tr></table>"
    assert table_html(table(html=html), TEXT) == html
    assert table_text(table(html=html), TEXT) == TEXT
    assert table_html(table(), TEXT) is None
