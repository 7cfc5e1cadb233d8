"""Sheets of a workbook: what is shown in their cells, whatever kind of file they are of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from chunkwright.errors import ReadError
from chunkwright.readers.blocks import Block

MAX_CELLS = 3_000_000
"""All sheets of a workbook that are read have no more cells with a text."""
MAX_CHARS = 1 << 27
"""Their texts have no more characters together."""


class Number(str):
    """A number, a date or a truth value as a cell shows it."""

    __slots__ = ()


class Moment(Number):
    """A date or a time as a cell shows it."""

    __slots__ = ()


class Merged(NamedTuple):
    """Cells that are one: the first row and column, and one past the last ones."""

    row: int
    column: int
    end_row: int
    end_column: int


class Note(NamedTuple):
    """What is remarked on a cell: its row and column, and the words."""

    row: int
    column: int
    text: str


class Drawing(NamedTuple):
    """What is drawn on a sheet: the row and column of its upper left corner, and its blocks."""

    row: int
    column: int
    blocks: Sequence[Block]


class Sheet(NamedTuple):
    """A sheet.

    Attributes
    ----------
    name
        Its name.
    rows
        The numbers of the rows that say something, ascending, each with its cells by column.
    merged
        Cells that are one.
    n_frozen
        So many rows at its top stay where they are when one scrolls.
    notes
        What is remarked on its cells.
    drawings
        What is drawn on it, and says something.
    """

    name: str
    rows: list[tuple[int, dict[int, str]]]
    merged: list[Merged]
    n_frozen: int = 0
    notes: Sequence[Note] = ()
    drawings: Sequence[Drawing] = ()


class Budget:
    """The cells and characters that the sheets of a workbook may still have."""

    def __init__(self) -> None:
        self._n_cells, self._n_chars = MAX_CELLS, MAX_CHARS

    def take(self, n_cells: int, n_chars: int) -> None:
        """Take so many.

        Raises
        ------
        ReadError
            If there are too many.
        """
        self._n_cells -= n_cells
        self._n_chars -= n_chars
        if self._n_cells < 0 or self._n_chars < 0:
            bounds = f"{MAX_CELLS:,} cells with a text, or {MAX_CHARS:,} characters"
            raise ReadError(f"its sheets have more than {bounds}")


def without(sheet: Sheet, rows: set[int], columns: Iterable[tuple[int, int]]) -> Sheet:
    """Return a sheet without rows and columns, such as those that are hidden.

    Parameters
    ----------
    sheet
        The sheet.
    rows
        Numbers of rows.
    columns
        Ranges of columns: the first, and one past the last.
    """
    ranges = list(columns)
    if not rows and not ranges:
        return sheet

    def is_left(column: int) -> bool:
        return not any(start <= column < end for start, end in ranges)

    kept = [
        (y, {x: text for x, text in cells.items() if is_left(x)})
        for y, cells in sheet.rows
        if y not in rows
    ]
    notes = [note for note in sheet.notes if note.row not in rows and is_left(note.column)]
    return sheet._replace(rows=[(y, cells) for y, cells in kept if cells], notes=notes)
