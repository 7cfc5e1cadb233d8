"""Windows between kept blocks of a new version, and the chunks that a strategy makes in them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from chunkwright.document import Document
from chunkwright.store.drafts import BODY, Row, rows_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from chunkwright.chunking.bases.strategy import Strategy
    from chunkwright.store.importing.texts import VersionText

# A window of new text alone takes in the block before it if it has less than this share of the
# limit: else a sentence between two blocks would be a block by itself.
_SMALL = 4
# An edit of no more blocks makes at most one more of them, if that fits.
_FEW = 8


class Kept(NamedTuple):
    """An old block in a new text.

    Attributes
    ----------
    ordinal
        Its number in the old version.
    row
        What restores it in the new text.
    gap
        The words between it and the next block of the old version.
    """

    ordinal: int
    row: Row
    gap: list[str]


class Window(NamedTuple):
    """A part of a new text that is to be cut, in bytes, and how many old blocks it replaces."""

    start: int
    end: int
    n_old: int


@dataclass(frozen=True)
class Limit:
    """The limit of a strategy.

    Attributes
    ----------
    most
        The largest chunk.
    size
        Gives the size of a text, in the unit of the limit.
    """

    most: int
    size: Callable[[str], int]

    @classmethod
    def of(cls, strategy: Strategy) -> Limit:
        """Return the limit of a strategy."""
        return cls(strategy.limit, strategy.measure)

    def size_of(self, row: Row, text: VersionText) -> int:
        """Return the size of a chunk."""
        return self.size("".join(text.part(start, end) for _, start, end in row.pieces))


def windows_of(
    kept: Sequence[Kept], text: VersionText, limit: Limit, n_old: int
) -> tuple[list[Kept], list[Window]]:
    """Return the windows between kept blocks.

    Parameters
    ----------
    kept
        The old blocks, in the order of the new text.
    text
        The new text.
    limit
        The limit of the strategy.
    n_old
        How many blocks the old version has.

    Returns
    -------
    tuple
        The blocks that are still kept, and the windows in order.
    """
    left: list[Kept] = []
    windows: list[Window] = []
    at, before, words = 0, -1, list[str]()
    for block in [*kept, None]:
        start, ordinal = (len(text.data), n_old) if block is None else _place(block)
        gap = text.part(at, start)
        n_gone = max(0, ordinal - before - 1)
        is_same = n_gone == 0 and ordinal == before + 1 and gap.split() == words
        if gap.strip() and not is_same:
            window = Window(at, start, n_gone)
            if n_gone == 0 and left and left[-1].ordinal == before and _joins(text, window, limit):
                # Nothing is gone: the new text goes to the block before it.
                window = Window(left.pop().row.body[0], start, 1)
            windows.append(window)
        if block is not None:
            left.append(block)
            at, before, words = block.row.body[1], block.ordinal, block.gap
    return left, windows


def _place(block: Kept) -> tuple[int, int]:
    return block.row.body[0], block.ordinal


def _joins(text: VersionText, window: Window, limit: Limit) -> bool:
    """Return whether new text is too little for a block, and of the section before it."""
    start, end = text.trimmed(window.start, window.end)
    return not text.is_heading(start) and limit.size(text.part(start, end)) * _SMALL < limit.most


def cut_alone(
    windows: Sequence[Window], text: VersionText, strategy: Strategy, limit: Limit
) -> list[Row]:
    """Return the chunks of windows, each cut as a text by itself."""
    documents = [Document(text=text.part(each.start, each.end)) for each in windows]
    found: list[Row] = []
    for window, document in zip(windows, documents, strict=True):
        rows = [row.moved(window.start) for row in rows_of(strategy(document))]
        found += _fewer(rows, window, text, limit)
    return found


def clipped(
    windows: Sequence[Window], text: VersionText, fresh: Sequence[Row], limit: Limit
) -> list[Row]:
    """Return the chunks of windows, of those that a cut of the whole document gave."""
    found: list[Row] = []
    for window in windows:
        parts: list[Row] = []
        is_clipped: list[bool] = []
        for row in fresh:
            start, end = row.body
            if start >= window.end or end <= window.start:
                continue
            whole = window.start <= start and end <= window.end
            part = row if whole else _clip(row, window, text, limit)
            if part is not None:
                parts.append(part)
                is_clipped.append(not whole)
        parts = _without_slivers(parts, is_clipped, text, limit)
        found += _fewer(parts, window, text, limit)
    return found


def beside(kept: Iterable[Kept], fresh: Sequence[Row]) -> list[Kept]:
    """Return the kept blocks without those that a new table reaches into, but is not.

    Tables are cut between rows, and repeat their headers: they are kept or cut as a whole.
    """
    left = list(kept)
    rigid = [row for row in fresh if not is_plain(row)]
    for row in rigid:
        start, end = row.body
        own = [each for each in left if each.row.body[0] < end and start < each.row.body[1]]
        if [each.row.body for each in own] != [row.body]:
            gone = {each.ordinal for each in own}
            left = [each for each in left if each.ordinal not in gone]
    return left


def is_plain(row: Row) -> bool:
    """Return whether a chunk is one part of the text, with what it repeats before it."""
    own = [piece for piece in row.pieces if piece[0] == BODY]
    is_last = [piece[0] for piece in row.pieces[-len(own) :]] == [BODY] * len(own)
    meets = all(a[2] == b[1] for a, b in pairwise(own))
    return row.content == 0 and is_last and meets


def _clip(row: Row, window: Window, text: VersionText, limit: Limit) -> Row | None:
    """Return what a chunk has in a window; None if that is nothing but whitespace."""
    begin, stop = row.body
    start, end = text.trimmed(max(begin, window.start), min(stop, window.end))
    if start == end:
        return None
    repeated = [piece for piece in row.pieces if piece[0] != BODY] if start == begin else []
    part = row._replace(pieces=[*repeated, [BODY, start, end]])
    return part._replace(size=limit.size_of(part, text))


def _without_slivers(
    parts: list[Row], is_clipped: list[bool], text: VersionText, limit: Limit
) -> list[Row]:
    """Join what was clipped with its neighbour, where both fit."""
    found: list[Row] = []
    clipped_before = False
    for part, is_part in zip(parts, is_clipped, strict=True):
        joined = None
        if found and (is_part or clipped_before):
            joined = _joined(found[-1], part, text, limit)
        if joined is None:
            found.append(part)
        else:
            found[-1] = joined
        clipped_before = is_part
    return found


def _fewer(rows: list[Row], window: Window, text: VersionText, limit: Limit) -> list[Row]:
    """Join neighbours, the smallest first, where a small edit has made more than one more of them.

    A strategy may cut a part of a text in another way than it cuts that part within the whole.
    """
    most = window.n_old + 1
    is_small = window.n_old <= _FEW and len(rows) > most
    if not is_small or limit.size(text.part(window.start, window.end)) > most * limit.most:
        return rows
    while len(rows) > most:
        joined = [
            (both.size, i, both)
            for i, (one, other) in enumerate(pairwise(rows))
            if (both := _joined(one, other, text, limit)) is not None
        ]
        if not joined:
            break
        _, at, both = min(joined, key=lambda each: each[:2])
        rows = [*rows[:at], both, *rows[at + 2 :]]
    return rows


def _joined(one: Row, other: Row, text: VersionText, limit: Limit) -> Row | None:
    """Return two chunks as one; None if something keeps them apart, or they do not fit."""
    if not (is_plain(one) and is_plain(other)) or text.is_heading(other.body[0]):
        return None
    repeated = [piece for piece in one.pieces if piece[0] != BODY]
    both = Row([*repeated, [BODY, one.body[0], other.body[1]]], 0, part=one.part)
    size = limit.size_of(both, text)
    return both._replace(size=size) if size <= limit.most else None
