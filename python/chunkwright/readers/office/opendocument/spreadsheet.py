"""OpenDocument spreadsheets (ODS) as blocks: sheet after sheet, with what cells show."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from chunkwright.errors import ReadError
from chunkwright.readers.blocks import Block
from chunkwright.readers.office.line import on_one_line
from chunkwright.readers.office.opendocument.beside import Beside
from chunkwright.readers.office.opendocument.lines import Lines
from chunkwright.readers.office.opendocument.styles import Styles
from chunkwright.readers.office.opendocument.tables import number, repeated, rows_of
from chunkwright.readers.office.opendocument.text import OpenText
from chunkwright.readers.office.package import attribute, child, local, opened
from chunkwright.readers.office.sheets.sheet import Budget, Merged, Moment, Number, Sheet, without
from chunkwright.readers.office.sheets.sheet_tables import blocks_of

_NUMBERS = {"float", "percentage", "currency", "boolean"}
_MOMENTS = {"date", "time"}
_COLUMNS = {"table-columns", "table-column-group", "table-header-columns"}


def blocks_in(data: bytes, *, hidden: bool) -> tuple[list[Block], int]:
    """Return the blocks of a spreadsheet, and how many of them are its body: all.

    Parameters
    ----------
    data
        The file.
    hidden
        Whether sheets, rows and columns are read that are not shown.

    Raises
    ------
    ReadError
        If the file is damaged or too large: names the part.
    """
    package = opened(data)
    root = package.tree("content.xml")
    body = child(root, "body", "spreadsheet")
    if body is None:
        raise ReadError("it has no sheets")
    styles = Styles(root, package.find("styles.xml"))
    lines, budget, blocks = Lines(styles, hidden=hidden), Budget(), list[Block]()
    for table in (each for each in body if local(each.tag) == "table"):
        if hidden or not styles.is_hidden("table", attribute(table, "style-name")):
            beside = Beside(lines, OpenText(styles, hidden=hidden, package=package), budget)
            blocks += blocks_of(_sheet(table, lines, beside, hidden=hidden), len(blocks))
    return blocks, len(blocks)


def _sheet(table: ET.Element, lines: Lines, beside: Beside, *, hidden: bool) -> Sheet:
    sheet = Sheet(attribute(table, "name") or "", [], [])
    shapes = child(table, "shapes")
    beside.take(() if shapes is None else shapes, 0, 0)
    y, n_header, hidden_rows = 0, 0, set[int]()
    for row in rows_of(table):
        cells, merged = _cells(row.element, y, lines, beside)
        n_header = max(n_header, y + row.n_times if row.is_header else 0)
        if cells:
            n_chars = sum(map(len, cells.values()))
            beside.budget.take(len(cells) * row.n_times, n_chars * row.n_times)
            lines_of_row = range(y, y + row.n_times)
            sheet.rows.extend((line, cells) for line in lines_of_row)
            sheet.merged.extend(merged)
            if not row.is_shown:
                hidden_rows.update(lines_of_row)
        y += row.n_times
    sheet = sheet._replace(n_frozen=n_header, notes=beside.notes, drawings=beside.drawings)
    return sheet if hidden else without(sheet, hidden_rows, _hidden_columns(table))


def _cells(
    row: ET.Element, y: int, lines: Lines, beside: Beside
) -> tuple[dict[int, str], list[Merged]]:
    cells: dict[int, str] = {}
    merged: list[Merged] = []
    x = 0
    for cell in row:
        name = local(cell.tag)
        if name not in {"table-cell", "covered-table-cell"}:
            continue
        times = repeated(cell, "number-columns-repeated")
        text = _text(cell, lines) if len(cell) and name == "table-cell" else ""
        beside.take(cell, y, x)
        if text and times < _MAX_COLUMNS:
            cells |= dict.fromkeys(range(x, x + times), text)
            spans = [
                number(attribute(cell, f"number-{of}-spanned"), 1) for of in ("rows", "columns")
            ]
            if max(spans) > 1:
                merged.append(Merged(y, x, y + spans[0], x + spans[1]))
        x += times
    return cells, merged


_MAX_COLUMNS = 1 << 14


def _text(cell: ET.Element, lines: Lines) -> str:
    paragraphs = (each for each in cell if local(each.tag) == "p")
    text = on_one_line(" ".join(lines.of(each).line.text for each in paragraphs))
    kind = attribute(cell, "value-type")
    is_error = text.startswith(("#", "Err:"))
    if kind in _MOMENTS:
        return Moment(text)
    return Number(text) if kind in _NUMBERS and not is_error else text


def _hidden_columns(table: ET.Element) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    x = 0
    left = list(reversed(table))
    while left:
        each = left.pop()
        if local(each.tag) in _COLUMNS:
            left += reversed(each)
        elif local(each.tag) == "table-column":
            times = repeated(each, "number-columns-repeated")
            if attribute(each, "visibility") in {"collapse", "filter"}:
                found.append((x, x + times))
            x += times
    return found
