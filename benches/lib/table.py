"""The benchmark's table, for a terminal or in Markdown."""

from __future__ import annotations

import sys
from itertools import groupby

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from lib.contenders import OURS, TIMES, Line

HEAD = (
    "library",
    "call",
    "speed",
    "ours is",
    "wanted",
    "peak memory",
    "chunks",
    "over limit",
    "wrong offsets",
    "note",
)
WIDE = 190  # columns where the output is no terminal


def markdown(lines: list[Line]) -> str:
    """Return one Markdown table, the work as its first column."""
    head = ("work", *HEAD)
    rows = [head, tuple("-" * 3 for _ in head)]
    for title, group in groupby(lines, key=lambda line: line.title):
        cells = [cells_of(line) for line in group]
        rows += [(title if n == 0 else "", *row) for n, row in enumerate(cells)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def show(lines: list[Line]) -> None:
    """Print a table with one section for each work."""
    console = Console(width=None if sys.stdout.isatty() else WIDE)
    for title, group in groupby(lines, key=lambda line: line.title):
        table = Table(title=escape(title), title_justify="left", title_style="bold")
        for name in HEAD:
            table.add_column(name, justify="right" if name in HEAD[2:9] else "left")
        for line in group:
            table.add_row(
                *map(escape, cells_of(line)), style="bold" if line.package == OURS else ""
            )
        console.print(table)


def cells_of(line: Line) -> tuple[str, ...]:
    """Return a line's cells as text."""
    return (
        f"{line.package} {line.version or 'not installed'}",
        line.label,
        "-" if line.speed is None else f"{_three_digits(line.speed)} {line.unit}",
        "-" if line.ratio is None else f"{_three_digits(line.ratio)} {TIMES}",
        line.wanted or "-",
        "-" if line.memory is None else f"{line.memory:.2f} {TIMES} text",
        *("-" if n is None else f"{n:,}" for n in (line.chunks, line.over, line.wrong)),
        line.note,
    )


def _three_digits(value: float) -> str:
    places = 0 if value >= 100 else 1 if value >= 10 else 2  # noqa: PLR2004 - powers of ten
    return f"{value:,.{places}f}"
