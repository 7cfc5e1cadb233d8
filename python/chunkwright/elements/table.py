"""Table of a document: its cells, and where they stand in it."""

from __future__ import annotations

from typing import NamedTuple


class TableCell(NamedTuple):
    """A cell of a table.

    Attributes
    ----------
    row, column
        Its first row and column in the table, from 0.
    start, end
        Where its text stands in the document's, in code points; equal if it has none.
    rows, columns
        Rows and columns that it covers.
    is_header
        Whether it stands in the header that leads the table.
    """

    row: int
    column: int
    start: int
    end: int
    rows: int = 1
    columns: int = 1
    is_header: bool = False


class Table(NamedTuple):
    """A table: its cells, and the rows and columns that they stand in.

    Attributes
    ----------
    n_rows, n_columns
        Rows and columns.
    cells
        Its cells, row by row. Docling's that say nothing are left out.
    """

    n_rows: int
    n_columns: int
    cells: tuple[TableCell, ...]
