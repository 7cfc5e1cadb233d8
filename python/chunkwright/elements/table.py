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
        Where its text stands in the document's, in code points; equal if it has none. Of a cell
        that is drawn in several lines, as in a grid table, the first of them.
    rows, columns
        Rows and columns that it covers.
    is_header
        Whether it stands in the header that leads the table.
    text
        What it says, where that is not what stands there: all lines of a cell that has several,
        or the words of one with HTML tags in the document's text; else None.
    """

    row: int
    column: int
    start: int
    end: int
    rows: int = 1
    columns: int = 1
    is_header: bool = False
    text: str | None = None

    def words(self, text: str) -> str:
        """Return what it says.

        Parameters
        ----------
        text
            The document's text.

        Returns
        -------
        str
            :attr:`text`, or what stands where the cell does.
        """
        return text[self.start : self.end] if self.text is None else self.text


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
