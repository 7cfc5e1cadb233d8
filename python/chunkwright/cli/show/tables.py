"""Tables of values: aligned on a terminal, else values between tabs under a line of names."""

from collections.abc import Sequence

import typer

from chunkwright.cli.streams import piped
from chunkwright.messages.terminal_text import printable


def write_table(names: Sequence[str], rows: Sequence[Sequence[object]], *, is_table: bool) -> None:
    """Write rows to standard output.

    Parameters
    ----------
    names
        The names of the columns.
    rows
        Their values; numbers stand on the right of a table.
    is_table
        Whether they are shown to a person.
    """
    with piped():
        if is_table:
            _draw(names, rows)
            return
        typer.echo("\t".join(names))
        for row in rows:
            typer.echo("\t".join(printable(str(value)) for value in row))


def _draw(names: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD)
    for i, name in enumerate(names):
        is_number = bool(rows) and all(isinstance(row[i], int) for row in rows)
        table.add_column(name, justify="right" if is_number else "left", overflow="fold")
    for row in rows:
        shown = (f"{value:,}" if isinstance(value, int) else str(value) for value in row)
        table.add_row(*(Text(printable(value)) for value in shown))
    Console().print(table)
