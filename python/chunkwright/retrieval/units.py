"""Units of a chunk that are kept or left whole: sentences, and rows of tables."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from chunkwright import _core

if TYPE_CHECKING:
    from chunkwright.chunk_view import Chunk

    Range = tuple[int, int]

# A line of a table as Markdown writes it.
_ROW = re.compile(r"^[ \t]*\|.*$", re.MULTILINE)
_LINE_END = re.compile("\n")
_LANGUAGE = "en"


def units_of(text: str, chunk: Chunk | None, start: int, end: int) -> list[Range]:
    """Return where the units of a part of a chunk's text stand, without the space around them.

    A sentence is a unit, and a line of a table is one, whatever sentences are in its cells.

    Parameters
    ----------
    text
        The chunk's text.
    chunk
        Says where tables are; None: lines that begin with ``|`` are rows of one.
    start, end
        The part, in code points.
    """
    rows = _rows(text, chunk)
    inner = [at for at in _core.sentence_ends(text, _LANGUAGE) if not _is_within(at, rows)]
    cuts = sorted({start, end, *inner, *(edge for row in rows for edge in row)})
    cuts = cuts[bisect_left(cuts, start) : bisect_right(cuts, end)]
    return [unit for first, last in pairwise(cuts) if (unit := _stripped(text, first, last))]


def _rows(text: str, chunk: Chunk | None) -> list[Range]:
    """Return where rows of tables stand, in order."""
    found = {match.span() for match in _ROW.finditer(text)}
    for start, end in () if chunk is None else _tables(chunk):
        edges = [start, *(line.end() for line in _LINE_END.finditer(text, start, end)), end]
        found |= {(first, last) for first, last in pairwise(edges) if first < last}
    return _united(sorted(found))


def _tables(chunk: Chunk) -> Iterator[Range]:
    """Yield where tables stand in a chunk's text."""
    if chunk.kind == "table":
        yield 0, len(chunk.text)
        return
    tables = [(each.start, each.end) for each in chunk.elements if each.kind == "table"]
    at = 0
    for piece in chunk.pieces:
        for start, end in tables:
            first, last = max(start, piece.start), min(end, piece.end)
            if first < last:
                yield at + first - piece.start, at + last - piece.start
        at += piece.end - piece.start


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
    """Whether a place is inside of a row."""
    row = bisect_right(rows, (at, -1)) - 1
    return row >= 0 and rows[row][0] < at < rows[row][1]


def _stripped(text: str, start: int, end: int) -> Range | None:
    """Return a range without the space around it; None if it is nothing else."""
    part = text[start:end]
    kept = part.strip()
    first = start + len(part) - len(part.lstrip())
    return (first, first + len(kept)) if kept else None
