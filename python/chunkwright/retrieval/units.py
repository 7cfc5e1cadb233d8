"""Units of a chunk that are kept or left whole: sentences, and rows of tables."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from chunkwright import _core

if TYPE_CHECKING:
    from chunkwright.chunk_view import Chunk
    from chunkwright.elements.elements import Element

Range: TypeAlias = tuple[int, int]
"""Where something starts and ends."""

# A line of a table as Markdown writes it.
_ROW = re.compile(r"^[ \t]*\|.*$", re.MULTILINE)
_LINE_END = re.compile("\n")
_LANGUAGE = "en"


def units_of(text: str, table_rows: list[Range], start: int, end: int) -> list[Range]:
    """Return where the units of a part of a chunk's text stand, without the space around them.

    A sentence is a unit, and so is a row of a table, whatever sentences and lines are in its cells.

    Parameters
    ----------
    text
        The chunk's text.
    table_rows
        Where rows of tables stand in it, as far as they are known: see `table_rows_of`. Lines that
        begin with ``|`` are rows in any case.
    start, end
        The part, in code points.
    """
    rows = _united(sorted({*table_rows, *(match.span() for match in _ROW.finditer(text))}))
    inner = [at for at in _core.sentence_ends(text, _LANGUAGE) if not _is_within(at, rows)]
    cuts = sorted({start, end, *inner, *(edge for row in rows for edge in row)})
    cuts = cuts[bisect_left(cuts, start) : bisect_right(cuts, end)]
    return [unit for first, last in pairwise(cuts) if (unit := _stripped(text, first, last))]


def table_rows_of(chunk: Chunk) -> list[Range]:
    """Return where the rows of tables stand in a chunk's text, in code points, in order."""
    tables = [each for each in chunk.elements if each.kind == "table"]
    rows = _rows_of_elements(chunk, tables) if tables else _rows_of_lines(chunk)
    return _united(sorted(set(rows)))


def _rows_of_elements(chunk: Chunk, tables: list[Element]) -> Iterator[Range]:
    """Yield where the rows of tables stand in a chunk's text."""
    known = [(table.start, table.end, _row_starts(table)) for table in tables]
    at = 0
    for piece in chunk.pieces:
        for start, end, rows in known:
            first, last = max(start, piece.start), min(end, piece.end)
            inner = rows[bisect_right(rows, first) : bisect_left(rows, last)]
            moved = [edge + at - piece.start for edge in (first, *inner, last)]
            yield from ((one, two) for one, two in pairwise(moved) if one < two)
        at += piece.end - piece.start


def _row_starts(table: Element) -> list[int]:
    """Return where the rows of a table begin: its lines, if that is not known."""
    starts = table.row_starts
    if starts is None:
        starts = [table.start + line.end() for line in _LINE_END.finditer(table.text)]
    return starts


def _rows_of_lines(chunk: Chunk) -> Iterator[Range]:
    """Yield where the lines of a chunk stand that is a table of unknown rows."""
    if chunk.kind == "table":
        edges = [0, *(line.end() for line in _LINE_END.finditer(chunk.text)), len(chunk.text)]
        yield from pairwise(edges)


def _united(ranges: list[Range]) -> list[Range]:
    """Return ranges in order, those that overlap as one."""
    united: list[Range] = []
    for start, end in ranges:
        if united and start < united[-1][1]:
            united[-1] = united[-1][0], max(end, united[-1][1])
        else:
            united.append((start, end))
    return united


def _is_within(at: int, rows: list[Range]) -> bool:
    """Return whether a place is inside of a row."""
    row = bisect_right(rows, (at, -1)) - 1
    return row >= 0 and rows[row][0] < at < rows[row][1]


def _stripped(text: str, start: int, end: int) -> Range | None:
    """Return a range without the space around it; None if it is nothing else."""
    part = text[start:end]
    kept = part.strip()
    first = start + len(part) - len(part.lstrip())
    return (first, first + len(kept)) if kept else None
