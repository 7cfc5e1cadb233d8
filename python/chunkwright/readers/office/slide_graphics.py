"""Tables, charts and diagrams of slides."""

from __future__ import annotations

from itertools import islice
from xml.etree import ElementTree as ET

from chunkwright.errors import ReadError
from chunkwright.readers.blocks import BlockCell, BlockTable
from chunkwright.readers.office.line import on_one_line
from chunkwright.readers.office.package import child, is_on, local
from chunkwright.readers.office.slide_text import line_of

_MAX_SLOTS, _MAX_POINTS, _MAX_DIGITS = 1_000_000, 100_000, 5


def table_of(table: ET.Element) -> BlockTable:
    """Return a table of a slide.

    Raises
    ------
    ReadError
        If it has more than 1,000,000 slots.
    """
    rows = [each for each in table if local(each.tag) == "tr"]
    cells = []
    n_columns = 0
    for y, row in enumerate(rows):
        slots = [each for each in row if local(each.tag) == "tc"]
        n_columns = max(n_columns, len(slots))
        if n_columns * len(rows) > _MAX_SLOTS:
            raise ReadError(f"a table has more than {_MAX_SLOTS:,} slots")
        for x, slot in enumerate(slots):
            if is_on(slot.get("hMerge")) or is_on(slot.get("vMerge")):
                continue
            text = cell_text(child(slot, "txBody"))
            n_rows, n_across = _span(slot, "rowSpan"), _span(slot, "gridSpan")
            cells.append(BlockCell(y, x, min(y + n_rows, len(rows)), x + n_across, text))
    cells = [each._replace(end_column=min(each.end_column, n_columns)) for each in cells]
    properties = child(table, "tblPr")
    has_header = properties is not None and is_on(properties.get("firstRow"))
    return BlockTable(len(rows), n_columns, int(has_header and len(rows) > 1), cells)


def cell_text(body: ET.Element | None) -> str:
    """Return the paragraphs of a cell on one line."""
    paragraphs = [each for each in body if local(each.tag) == "p"] if body is not None else []
    return on_one_line(" ".join(line_of(each, {}).text for each in paragraphs))


def chart_title(chart: ET.Element) -> str:
    """Return the title of a chart; empty if it has none of its own."""
    title = child(chart, "chart", "title")
    return _texts(title)


def chart_table(chart: ET.Element) -> BlockTable | None:
    """Return what a chart shows as a table: a row for each category, a column for each series."""
    plot = child(chart, "chart", "plotArea")
    series = [] if plot is None else [each for each in plot.iter() if local(each.tag) == "ser"]
    columns = [
        (_texts(child(each, "tx")), _points(_either(each, "val", "yVal"))) for each in series
    ]
    keys: dict[int, str] = {}
    for each in series:
        keys |= _points(_either(each, "cat", "xVal"))
    numbers = sorted(set(keys).union(*(points for _, points in columns)) if columns else ())
    if not numbers or len(numbers) * len(columns) > _MAX_SLOTS:
        return None
    cells = [BlockCell(0, x, 1, x + 1, name) for x, (name, _) in enumerate(columns, 1)]
    for y, at in enumerate(numbers, 1):
        row = [keys.get(at, ""), *(points.get(at, "") for _, points in columns)]
        cells += [BlockCell(y, x, y + 1, x + 1, text) for x, text in enumerate(row)]
    return BlockTable(len(numbers) + 1, len(columns) + 1, 1, cells)


def diagram_text(data: ET.Element) -> str:
    """Return the texts of a diagram (SmartArt), a line for each point."""
    points = [each for each in data.iter() if local(each.tag) == "pt"]
    texts = (cell_text(child(point, "t")) for point in points)
    return "\n".join(text for text in texts if text)


def _either(element: ET.Element, *names: str) -> ET.Element | None:
    return next((each for each in element if local(each.tag) in names), None)


def _span(slot: ET.Element, name: str) -> int:
    said = slot.get(name, "1")
    return max(1, int(said)) if said.isdecimal() and len(said) <= _MAX_DIGITS else 1


def _texts(element: ET.Element | None) -> str:
    """Return the text of a title or a name, as it was typed or as a sheet had it."""
    if element is None:
        return ""
    typed = [each for each in element.iter() if local(each.tag) == "p"]
    if typed:
        return on_one_line(" ".join(line_of(each, {}).text for each in typed))
    return on_one_line(
        " ".join(each.text or "" for each in element.iter() if local(each.tag) == "v")
    )


def _points(values: ET.Element | None) -> dict[int, str]:
    found: dict[int, str] = {}
    points = () if values is None else (e for e in values.iter() if local(e.tag) == "pt")
    for point in islice(points, _MAX_POINTS):
        at, value = point.get("idx", ""), child(point, "v")
        if at.isdecimal() and value is not None:
            found[int(at)] = _shown(on_one_line(value.text or ""))
    return found


def _shown(text: str) -> str:
    try:
        return f"{float(text):.15g}" if "." in text else text
    except ValueError:
        return text
