"""What benches print: prose and tables in Markdown, and that of `peers.py` for a terminal."""

from __future__ import annotations

import platform
import sys
from itertools import groupby

from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable

from lib.contenders import OURS, TIMES, Line, installed, verdict

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
NOTHING = "-"
MISSED = 3  # exit status of a bench that has measured everything, and missed a goal


class Table:
    """Markdown table, each row of which is printed as soon as it is there.

    Parameters
    ----------
    *columns : str
        The head. A unit stands in it, or in each cell.
    """

    def __init__(self, *columns: str) -> None:
        self._n = len(columns)
        print()
        self.row(*columns)
        self.row(*("---" for _ in columns))

    def row(self, *cells: object) -> None:
        """Print a row.

        Raises
        ------
        ValueError
            If it has more or fewer cells than the head.
        """
        if len(cells) != self._n:
            raise ValueError(f"{len(cells)} cells in a table of {self._n} columns: {cells}")
        shown = (str(cell).replace("|", "\\|") for cell in cells)
        print(f"| {' | '.join(shown)} |", flush=True)


def say(text: str) -> None:
    """Print a paragraph."""
    print(f"\n{text}", flush=True)


def versions(*packages: str) -> str:
    """Name the version of chunkwright, of peers, and of Python."""
    named = ", ".join(named_version(package) for package in (OURS, *packages))
    return f"{named}, Python {platform.python_version()}"


def named_version(package: str) -> str:
    """Name a distribution and its version."""
    return f"{package} {installed(package) or '(not installed)'}"


def duration(seconds: float) -> str:
    """Return a time with its unit, in three digits."""
    for unit, size in (("s", 1), ("ms", 1e-3)):
        if seconds >= size / 10:
            return f"{three_digits(seconds / size)} {unit}"
    return f"{three_digits(seconds * 1e6)} µs"


def times(ratio: float) -> str:
    """Return how many times as much something is."""
    return f"{three_digits(ratio)} {TIMES}"


def at_least(wanted: float | None, value: float, unit: str = TIMES) -> str:
    """Return the least value that is wanted, if any is, and whether it is reached."""
    if wanted is None:
        return NOTHING
    return verdict(f"{wanted:g} {unit}", reached=value >= wanted)


def at_most(wanted: float | None, value: float, unit: str = "") -> str:
    """Return the greatest value that is wanted, if any is, and whether it is kept."""
    if wanted is None:
        return NOTHING
    return verdict(f"{wanted:g} {unit}".strip() + " at most", reached=value <= wanted)


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
        table = RichTable(title=escape(title), title_justify="left", title_style="bold")
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
        "-" if line.speed is None else f"{three_digits(line.speed)} {line.unit}",
        "-" if line.ratio is None else f"{three_digits(line.ratio)} {TIMES}",
        line.wanted or "-",
        "-" if line.memory is None else f"{line.memory:.2f} {TIMES} text",
        *("-" if n is None else f"{n:,}" for n in (line.chunks, line.over, line.wrong)),
        line.note,
    )


def three_digits(value: float) -> str:
    """Return a number with three digits, or as many as it has before the point."""
    places = 0 if value >= 100 else 1 if value >= 10 else 2  # noqa: PLR2004 - powers of ten
    return f"{value:,.{places}f}"
