"""Chunks of an index: their documents and sizes, and the units that hits are cut into."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from chunkwright import _core
from chunkwright.chunk_view import Chunk
from chunkwright.chunks import Chunks
from chunkwright.retrieval.hits import Searched, StoredChunks, searched_text
from chunkwright.retrieval.steps.bm25 import TOKENIZER
from chunkwright.retrieval.steps.neighbours import neighbours_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.elements.element import Element
    from chunkwright.retrieval.steps.fields import Fields
    from chunkwright.tokens.tokenizer import TokenizerLike

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


@dataclass(frozen=True, eq=False)
class IndexedChunks:
    """Chunks or texts that an index was made of.

    Parameters
    ----------
    searched
        The chunks, or their texts; of a store, what reads them when they are asked for.
    documents
        The number of each chunk's document; None: neighbours do not count.
    n_tokens
        The size of each chunk; None: neighbours do not count.
    known_rows
        Where rows of tables stand in chunks without elements, by the numbers of these.
    counted_by
        The tokenizer of the chunks, if ``searched`` does not know it.
    fields
        What words are looked for in beside the texts; None: nothing.
    """

    searched: Searched
    documents: NDArray[np.int64] | None = None
    n_tokens: NDArray[np.int64] | None = None
    known_rows: Mapping[int, list[Range]] = field(default_factory=dict)
    counted_by: TokenizerLike | None = None
    fields: Fields | None = None

    def __len__(self) -> int:
        return len(self.searched)

    def texts(self) -> list[str]:
        """Return the texts of all chunks, with their contexts if they have any."""
        if isinstance(self.searched, Chunks | StoredChunks):
            return self.searched.contextual_texts()
        return list(self.searched)

    @property
    def is_stored(self) -> bool:
        """Whether chunks are read from a store when they are asked for."""
        return isinstance(self.searched, StoredChunks) and not isinstance(self.searched, Chunks)

    @cached_property
    def mean_chars(self) -> float:
        """The mean length of the texts, in code points."""
        return sum(map(len, self.texts())) / max(1, len(self))

    def texts_at(self, rows: NDArray[np.int64]) -> list[str]:
        """Return the same of some chunks."""
        return [searched_text(self.searched[row]) for row in rows.tolist()]

    def table_rows(self, row: int) -> list[Range]:
        """Return where rows of tables stand in the text of a chunk, as far as that is known."""
        if row in self.known_rows:
            return self.known_rows[row]
        found = self.searched[row]
        chunk = found if isinstance(found, str | Chunk) else found.chunk
        if not isinstance(chunk, Chunk):
            return []
        n_before = len(chunk.contextual_text) - len(chunk.text)
        return [(start + n_before, end + n_before) for start, end in table_rows_of(chunk)]

    @property
    def tokenizer(self) -> TokenizerLike:
        """The tokenizer of the chunks; of texts that of the package."""
        if isinstance(self.searched, Chunks):
            return self.searched.columns.tokenizer
        return TOKENIZER if self.counted_by is None else self.counted_by

    def neighbours(self, reach: float) -> _core.Neighbours | None:
        """Return what chunks count for each other; None if that plays no part."""
        if self.documents is None:
            return None
        return neighbours_of(self.documents, len(self), self.n_tokens, reach)
