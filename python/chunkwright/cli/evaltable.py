"""The tables of an evaluation on a terminal, or as tab-separated values."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

from rich.cells import cell_len

from chunkwright.plain import printable

if TYPE_CHECKING:
    from rich.table import Table as RichTable

    from chunkwright.evaluation.report.tables import Column, Table

# Cells: of names at most, between columns, and at both ends of a row.
MOST_NAME, BETWEEN, ENDS = 42, 2, 2
STYLES = {"best": "bold", "better": "green", "worse": "red"}


def show(table: "Table", stream: TextIO) -> None:
    """Write a table: on a terminal in bands that fit it, elsewhere tab-separated in full."""
    if not stream.isatty():
        stream.writelines("\t".join(row) + "\n" for row in values(table))
        return
    from rich.console import Console

    console = Console(file=stream)
    for columns in bands(table, console.width):
        console.print(_drawn(table, columns))


def values(table: "Table") -> Iterator[list[str]]:
    """Yield a table's rows, the names of its columns first, for programs."""
    yield ["run", *(printable(column.name) for column in table.columns)]
    for i, name in enumerate(table.names):
        cells = (column.cells[i].value for column in table.columns)
        yield [printable(name), *(_value(value) for value in cells)]


def _value(value: float | str | None) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def bands(table: "Table", width: int) -> list[list["Column"]]:
    """Take a table's columns apart into as few bands as fit the width, groups kept together."""
    room = width - _name_width(table) - BETWEEN - ENDS
    found: list[list[Column]] = [[]]
    for group in _groups(table.columns):
        used = sum(_width(column) for column in found[-1])
        if found[-1] and used + sum(map(_width, group)) > room:
            found.append([])
        found[-1] += group
    return found


def _groups(columns: Sequence["Column"]) -> list[list["Column"]]:
    groups: list[list[Column]] = []
    for column in columns:
        if groups and column.group and groups[-1][0].group == column.group:
            groups[-1].append(column)
        else:
            groups.append([column])
    return groups


def _name_width(table: "Table") -> int:
    return min(MOST_NAME, max((cell_len(printable(name)) for name in table.names), default=0))


def _title(column: "Column") -> str:
    return printable(column.alone or column.title)


def _width(column: "Column") -> int:
    cells = (cell.text for cell in column.cells)
    return max(map(cell_len, (_title(column), *cells))) + BETWEEN


def _drawn(table: "Table", columns: Sequence["Column"]) -> "RichTable":
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, BETWEEN, 0, 0))
    drawn.add_column("run", no_wrap=True, overflow="ellipsis", max_width=MOST_NAME)
    for column in columns:
        drawn.add_column(Text(_title(column)), justify="right", no_wrap=True)
    for i, name in enumerate(table.names):
        cells = (column.cells[i] for column in columns)
        shown = (Text(cell.text, STYLES.get(cell.kind, "")) for cell in cells)
        drawn.add_row(Text(printable(name)), *shown)
    return drawn
