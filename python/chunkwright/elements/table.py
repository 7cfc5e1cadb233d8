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
        The place of its text in the document's text, in code points; equal if it has none. For a
        cell that is drawn in several lines, as in a grid table, that of the first line.
    rows, columns
        The number of rows and columns that it covers.
    is_header
        Whether it is in the header at the top of the table.
    text
        The text of the cell if it differs from the text at its place: all lines of a cell with
        several lines, or the words without HTML tags; else None.
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
        """Return the text of the cell.

        Parameters
        ----------
        text
            The document's text.

        Returns
        -------
        str
            :attr:`text`, or else the text at the cell's place.
        """
        return text[self.start : self.end] if self.text is None else self.text


class Table(NamedTuple):
    """The cells of a table, and its number of rows and columns.

    Attributes
    ----------
    n_rows, n_columns
        The number of rows and columns.
    cells
        The cells, row by row. Empty cells of Docling are left out.
    """

    n_rows: int
    n_columns: int
    cells: tuple[TableCell, ...]
