"""Tables of Word as grids: merged cells, header rows, and rows that were deleted."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import NamedTuple

from chunkwright.errors import ReadError
from chunkwright.readers.blocks import Cell, Table
from chunkwright.readers.docx.lines import Line
from chunkwright.readers.docx.parts.names import (
    Node,
    attribute,
    child,
    is_on,
    name_of,
    number,
    value,
)

MAX_SLOTS = 1_000_000
"""Rows times columns of one table."""
# Word itself writes no wider table; a span that is longer is taken for none.
_MAX_SPAN = 63
# A header that merged cells bind together is at most so many rows.
_MAX_HEADER = 3
_ROWS = frozenset({"w:ins", "w:moveTo", "w:customXml", "w:sdt", "w:sdtContent", "w:smartTag"})


class _Slot(NamedTuple):
    """A cell where Word has it: its columns, and whether it is the one above that goes on."""

    column: int
    end: int
    goes_on: bool
    node: Node


def rows_of(table: Node) -> list[Node]:
    """Return the rows of a table that are not deleted, those in content controls as well."""
    return [row for row in _within(table, "w:tr") if child(row, "w:trPr", "w:del") is None]


def cells_of(row: Node) -> list[Node]:
    """Return the cells of a row."""
    return list(_within(row, "w:tc"))


def grid_of(
    table: Node, rows: list[Node], read: Callable[[list[Node]], list[Line]]
) -> tuple[Table, list[Line]] | None:
    """Return a table, and the lines in its cells; None if it has no cells.

    Parameters
    ----------
    table
        The table.
    rows
        Its rows, as :func:`rows_of` gives them.
    read
        Gives the lines in the cells of a row.

    Raises
    ------
    ReadError
        If it has too many rows and columns.
    """
    cells: list[Cell] = []
    lines: list[Line] = []
    above: dict[int, int] = {}
    for at, row in enumerate(rows):
        slots = _slots(row)
        said = read([slot.node for slot in slots])
        above = _add(cells, slots, at, [line.text for line in said], above)
        # What a cell says that goes on from above is not of the table.
        lines += (line for of, line in zip(above.values(), said, strict=True) if of >= len(lines))
        if len(cells) > MAX_SLOTS:
            break
    starts = sorted({cell.column for cell in cells})
    if len(starts) * len(rows) > MAX_SLOTS:
        raise ReadError(f"a table has more than {MAX_SLOTS:,} rows times columns")
    # Columns that no cell begins in are none.
    columns = {column: number for number, column in enumerate(starts)}
    cells = [
        cell._replace(column=columns[cell.column], end_column=bisect_left(starts, cell.end_column))
        for cell in cells
    ]
    if not cells:
        return None
    return Table(len(rows), len(starts), _n_header(table, rows, cells), cells), lines


def _within(node: Node, name: str) -> Iterator[Node]:
    """Give the parts of a table or row, also those in elements that only mark them."""
    stack = list(reversed(node))
    while stack:
        each = stack.pop()
        found = name_of(each)
        if found == name:
            yield each
        elif found in _ROWS:
            stack.extend(reversed(each))


def _slots(row: Node) -> list[_Slot]:
    slots: list[_Slot] = []
    column = _span(value(row, "w:trPr", "w:gridBefore"), least=0)
    for node in cells_of(row):
        properties = child(node, "w:tcPr")
        span, goes_on, is_beside = 1, False, False
        if properties is not None:
            span = _span(value(properties, "w:gridSpan"))
            goes_on = _goes_on(child(properties, "w:vMerge"))
            is_beside = _goes_on(child(properties, "w:hMerge"))
        if is_beside and slots:
            # The old way to merge: the cell is there, and is part of the one before it.
            slots[-1] = slots[-1]._replace(end=column + span)
        else:
            slots.append(_Slot(column, column + span, goes_on, node))
        column += span
    return slots


def _span(text: str | None, *, least: int = 1) -> int:
    span = number(text, least)
    return span if least <= span <= _MAX_SPAN else least


def _goes_on(merge: Node | None) -> bool:
    return merge is not None and attribute(merge) != "restart"


def _add(
    cells: list[Cell], slots: list[_Slot], row: int, texts: list[str], above: dict[int, int]
) -> dict[int, int]:
    """Add the cells of a row, and return the numbers of all that are in it by their columns.

    One that goes on over several rows is one cell, whose text stands in the first.
    """
    here: dict[int, int] = {}
    for slot, text in zip(slots, texts, strict=True):
        begun = above.get(slot.column) if slot.goes_on else None
        if begun is None:
            begun = len(cells)
            cells.append(Cell(row, slot.column, row + 1, slot.end, text))
        else:
            cells[begun] = cells[begun]._replace(end_row=row + 1)
        here[slot.column] = begun
    return here


def _n_header(table: Node, rows: list[Node], cells: list[Cell]) -> int:
    """Return the number of header rows: those that are repeated, else the first if it looks so."""
    stated = 0
    while stated < len(rows) and is_on(rows[stated], "w:trPr", "w:tblHeader"):
        stated += 1
    if stated or len(rows) == 1:
        return stated if stated < len(rows) else 0
    look = child(table, "w:tblPr", "w:tblLook")
    if not _has_first_row(look):
        return 0
    firsts = [cell for cell in cells if cell.row == 0]
    last = max((cell.end_row for cell in firsts), default=1)
    is_grouped = any(cell.end_column - cell.column > 1 for cell in firsts)
    return last if is_grouped and last <= _MAX_HEADER and last < len(rows) else 1


def _has_first_row(look: Node | None) -> bool:
    """Return whether a table shows its first row as a header, as it does if it does not say so."""
    if look is None:
        return True
    stated = attribute(look, "w:firstRow")
    if stated is not None:
        return stated in {"1", "true", "on"}
    bits = attribute(look) or ""
    try:
        return bool(int(bits, 16) & 0x20)
    except ValueError:
        return True
