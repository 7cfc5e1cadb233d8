"""Tables as HTML and as text, in Unstructured's forms."""

from __future__ import annotations

from html import escape
from itertools import groupby, takewhile

from chunkwright.elements.element import Element
from chunkwright.elements.table import Table, TableCell

# Sparse tables with more places than this are written without their empty cells.
_MAX_BLANK = 4096


def table_text(element: Element, text: str) -> str:
    """Return the text of a table: its cells that have a text, with blanks between.

    Parameters
    ----------
    element
        The table.
    text
        The document's text.
    """
    if (table := element.table) is None:
        return element.text
    said = (" ".join(cell.words(text).split()) for cell in table.cells)
    return " ".join(filter(None, said))


def table_html(element: Element, text: str) -> str | None:
    """Return a table as HTML; its header is marked as such, so that parts can repeat it.

    Parameters
    ----------
    element
        The table.
    text
        The document's text.

    Returns
    -------
    str | None
        One line, ``<table><thead><tr><th>...``; the source's HTML if cells are not known.
    """
    if (table := element.table) is None or not table.cells:
        return element.html
    rows = {row: [*cells] for row, cells in groupby(table.cells, key=lambda cell: cell.row)}
    if table.n_rows * table.n_columns <= _MAX_BLANK + 4 * len(table.cells):
        written = _full_rows(table, rows, text)
    else:
        written = [_row([_cell(cell, text) for cell in cells]) for cells in rows.values()]
    n_header = _n_header(rows)
    header = f"<thead>{''.join(written[:n_header])}</thead>" if n_header else ""
    return f"<table>{header}{''.join(written[n_header:])}</table>"


def _n_header(rows: dict[int, list[TableCell]]) -> int:
    """Return how many rows lead the table that are nothing but header."""
    are_header = (
        number == at and all(cell.is_header for cell in cells)
        for at, (number, cells) in enumerate(rows.items())
    )
    return sum(takewhile(bool, are_header))


def _full_rows(table: Table, rows: dict[int, list[TableCell]], text: str) -> list[str]:
    """Write each row with empty cells where the source has none."""
    covered: set[tuple[int, int]] = set()
    written = []
    for row in range(table.n_rows):
        own = {cell.column: cell for cell in rows.get(row, ())}
        cells = []
        for column in range(table.n_columns):
            if (cell := own.get(column)) is not None:
                cells.append(_cell(cell, text))
                covered |= _places(cell, table)
            elif (row, column) not in covered:
                cells.append("<td/>")
        written.append(_row(cells))
    return written


def _places(cell: TableCell, table: Table) -> set[tuple[int, int]]:
    last_row = min(cell.row + cell.rows, table.n_rows)
    last_column = min(cell.column + cell.columns, table.n_columns)
    columns = range(cell.column, last_column)
    return {(row, column) for row in range(cell.row, last_row) for column in columns}


def _row(cells: list[str]) -> str:
    return f"<tr>{''.join(cells)}</tr>"


def _cell(cell: TableCell, text: str) -> str:
    tag = "th" if cell.is_header else "td"
    spans = {"colspan": cell.columns, "rowspan": cell.rows}
    attributes = "".join(f' {name}="{n}"' for name, n in spans.items() if n > 1)
    lines = cell.words(text).strip().split("\n")
    said = "<br/>".join(escape(" ".join(line.split())) for line in lines)
    return f"<{tag}{attributes}>{said}</{tag}>" if said else f"<{tag}{attributes}/>"
