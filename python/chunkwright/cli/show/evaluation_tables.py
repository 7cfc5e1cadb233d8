"""The tables of an evaluation on a terminal, or as tab-separated values."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

from rich.cells import cell_len

from chunkwright.messages.terminal_text import printable

if TYPE_CHECKING:
    from rich.table import Table as RichTable

    from chunkwright.evaluation.report.score_tables import Column, ReportTable

# Cells: of names at most, of names at least, between columns, and at both ends of a row.
MOST_NAME, LEAST_NAME, BETWEEN, ENDS = 42, 8, 2, 2
WIDEST = 10_000
STYLES = {"best": "bold", "better": "green", "worse": "red"}


def show(table: "ReportTable", stream: TextIO) -> None:
    """Write a table: on a terminal in bands that fit it, elsewhere tab-separated in full."""
    if not stream.isatty():
        stream.writelines("\t".join(row) + "\n" for row in values(table))
        return
    from rich.console import Console

    console = Console(file=stream)
    width = console.width
    # A terminal that is too narrow for one column breaks lines; nothing is cut off.
    console.width = WIDEST
    for columns in bands(table, width):
        console.print(_drawn(table, columns, width))


def say(sentences: Sequence[str], stream: TextIO) -> None:
    """Write sentences on a terminal, each as lines that fit it."""
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream)
    for sentence in sentences:
        console.print(Text(printable(sentence), overflow="fold"))


def values(table: "ReportTable") -> Iterator[list[str]]:
    """Yield a table's rows, the names of its columns first, for programs."""
    yield ["run", *(printable(column.name) for column in table.columns)]
    for i, name in enumerate(table.names):
        cells = (column.cells[i].value for column in table.columns)
        yield [printable(name), *(_value(value) for value in cells)]


def _value(value: float | str | None) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def bands(table: "ReportTable", width: int) -> list[list["Column"]]:
    """Take a table's columns apart into as few bands as fit the width.

    Groups of columns are kept together where one fits.
    """
    room = width - _name_width(table, width) - BETWEEN - ENDS
    found: list[list[Column]] = [[]]
    for group in _groups(table.columns):
        is_whole = sum(map(_width, group)) <= room
        for columns in [group] if is_whole else ([column] for column in group):
            used = sum(map(_width, found[-1]))
            if found[-1] and used + sum(map(_width, columns)) > room:
                found.append([])
            found[-1] += columns
    return found


def _groups(columns: Sequence["Column"]) -> list[list["Column"]]:
    groups: list[list[Column]] = []
    for column in columns:
        if groups and column.group and groups[-1][0].group == column.group:
            groups[-1].append(column)
        else:
            groups.append([column])
    return groups


def _name_width(table: "ReportTable", width: int) -> int:
    """Return how wide the names' column is; the widest other column goes before it."""
    longest = max((cell_len(printable(name)) for name in table.names), default=0)
    beside = max(map(_width, table.columns), default=0)
    room = max(LEAST_NAME, width - beside - BETWEEN - ENDS)
    return max(cell_len("run"), min(MOST_NAME, longest, room))


def _title(column: "Column") -> str:
    return printable(column.alone or column.title)


def _width(column: "Column") -> int:
    cells = (cell.text for cell in column.cells)
    return max(map(cell_len, (_title(column), *cells))) + BETWEEN


def _drawn(table: "ReportTable", columns: Sequence["Column"], width: int) -> "RichTable":
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    # The box itself puts a cell between two columns.
    drawn = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, BETWEEN - 1, 0, 0))
    # A name that is too long goes on in the next line: two of them may differ at their ends.
    drawn.add_column("run", overflow="fold", width=_name_width(table, width))
    for column in columns:
        drawn.add_column(Text(_title(column)), justify="right", no_wrap=True)
    for i, name in enumerate(table.names):
        cells = (column.cells[i] for column in columns)
        shown = (Text(cell.text, STYLES.get(cell.kind, "")) for cell in cells)
        drawn.add_row(Text(printable(name)), *shown)
    return drawn
