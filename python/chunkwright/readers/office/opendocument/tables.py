"""Tables of OpenDocument files: their rows and cells, repeated ones as often as they are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple
from xml.etree import ElementTree as ET

from chunkwright.errors import ReadError
from chunkwright.readers.blocks import BlockCell, BlockTable
from chunkwright.readers.office.package import attribute, local

MAX_SLOTS = 1_000_000
"""A table of a text has no more slots."""
_GROUPS = {"table-row-group", "table-rows", "table-header-rows", "soft-page-break"}
_MAX_REPEATED, _MAX_DIGITS = 1 << 24, 8


class OpenRow(NamedTuple):
    """A row as it stands in the file: how often, whether it is shown, and whether of the header."""

    element: ET.Element
    n_times: int
    is_shown: bool
    is_header: bool


def rows_of(table: ET.Element, *, is_header: bool = False) -> Iterator[OpenRow]:
    """Yield the rows of a table, those in groups as well."""
    for each in table:
        name = local(each.tag)
        if name == "table-row":
            is_shown = attribute(each, "visibility") not in {"collapse", "filter"}
            times = repeated(each, "number-rows-repeated")
            yield OpenRow(each, times, is_shown, is_header)
        elif name in _GROUPS:
            yield from rows_of(each, is_header=is_header or name == "table-header-rows")


def repeated(element: ET.Element, name: str) -> int:
    """Return how often an element is repeated."""
    return number(attribute(element, name), 1)


def number(text: str | None, default: int) -> int:
    """Return a number that is at least 1."""
    if not text or not text.isdecimal() or len(text) > _MAX_DIGITS:
        return default
    return min(max(int(text), 1), _MAX_REPEATED)


def grid_of(table: ET.Element, text_of: Callable[[ET.Element], str]) -> BlockTable:
    """Return a table of a text.

    Parameters
    ----------
    table
        The table.
    text_of
        Returns the text of a cell on one line.

    Raises
    ------
    ReadError
        If it has more than 1,000,000 slots.
    """
    cells: list[BlockCell] = []
    y, n_columns, n_header = 0, 0, 0
    for row in rows_of(table):
        texts, x = [], 0
        for cell in row.element:
            name = local(cell.tag)
            if name in {"table-cell", "covered-table-cell"}:
                times = repeated(cell, "number-columns-repeated")
                text = text_of(cell) if name == "table-cell" else ""
                if text and times <= MAX_SLOTS:
                    spans = [
                        number(attribute(cell, f"number-{of}-spanned"), 1)
                        for of in ("rows", "columns")
                    ]
                    texts += [(at, spans, text) for at in range(x, x + times)]
                x += times
        n_times = row.n_times if texts else min(row.n_times, 1)
        n_columns = max(n_columns, *(at + 1 for at, _, _ in texts)) if texts else n_columns
        if (y + n_times) * max(n_columns, 1) > MAX_SLOTS:
            raise ReadError(f"a table has more than {MAX_SLOTS:,} slots")
        for line in range(y, y + n_times):
            cells += [BlockCell(line, at, line + n[0], at + n[1], text) for at, n, text in texts]
        y += n_times
        n_header += n_times if row.is_header else 0
    n_columns = max([n_columns, *(min(cell.end_column, MAX_SLOTS) for cell in cells)])
    cells = [cell._replace(end_row=min(cell.end_row, y)) for cell in cells]
    has_header = n_header or int(y > 1)
    return BlockTable(y, n_columns, min(has_header, max(y - 1, 0)), cells)
