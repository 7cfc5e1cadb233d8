"""Resync: a cut of a new version that keeps the blocks of the old one where the text is untouched.

Old blocks are looked for in the new text; between those that are found, the document's own strategy
cuts. So new blocks are bounded by what was edited, with every strategy. The result depends on the
old blocks, the new text and the options alone.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from chunkwright import _core
from chunkwright.store.drafts import BODY, HEADING, OVERLAP, Row, rows_of
from chunkwright.store.importing.overlaps import Overlaps
from chunkwright.store.importing.texts import VersionText
from chunkwright.store.importing.windows import (
    Kept,
    Limit,
    beside,
    clipped,
    cut_alone,
    windows_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkwright.chunking.bases.strategy import Strategy
    from chunkwright.document import Document

Span = tuple[int, int]
# Strategies that look at what a whole text is.
_BY_KIND = ("auto", "json")


class Resynced(NamedTuple):
    """A cut of a new version.

    Attributes
    ----------
    rows
        What restores its chunks, in order.
    kept
        For numbers of chunks those of the old blocks that they are.
    """

    rows: list[Row]
    kept: dict[int, int]


def resync(
    document: Document, strategy: Strategy, before: Document, old: Sequence[Row]
) -> Resynced:
    """Cut a document, and keep old blocks.

    Parameters
    ----------
    document
        The new version.
    strategy
        What cut the old version, and is to cut the new one.
    before
        The old version.
    old
        What restores its blocks, in order.

    Raises
    ------
    ModelError, TokenizerError
        As the strategy.
    """
    old_text, text, limit = VersionText(before), VersionText(document), Limit.of(strategy)
    kept = [
        each
        for each in _untouched(old_text, text, old, limit, by_elements="elements" in strategy.takes)
        if each.row.size <= limit.most or each.row.is_oversize
    ]
    if _cuts_whole(text, strategy):
        fresh = rows_of(strategy(document))
        kept, windows = windows_of(beside(kept, fresh), text, limit, len(old))
        rows = clipped(windows, text, fresh, limit)
    else:
        kept, windows = windows_of(kept, text, limit, len(old))
        rows = cut_alone(windows, text, strategy, limit)
    both = [(each.row, each.ordinal) for each in kept] + [(row, -1) for row in rows]
    both.sort(key=lambda each: each[0].body)
    return Resynced(
        Overlaps.of(strategy, text, limit).of_rows([row for row, _ in both]),
        {number: ordinal for number, (_, ordinal) in enumerate(both) if ordinal >= 0},
    )


def _cuts_whole(text: VersionText, strategy: Strategy) -> bool:
    """Return whether a strategy cuts all of a document for a part of it: it must, or loses nothing.

    One that asks a model cuts only what is new.
    """
    if any(getattr(strategy, name) is not None for name in strategy.models):
        return text.spans is not None and "elements" in strategy.takes
    return text.spans is not None or strategy.name in _BY_KIND


def _untouched(
    before: VersionText, text: VersionText, old: Sequence[Row], limit: Limit, *, by_elements: bool
) -> list[Kept]:
    """Return the old blocks that stand in the new text, in its order."""
    found = _places(before, text, old)
    moved = _Moved(before, text, old, found, limit)
    kept = []
    for ordinal, place in found.items():
        row = moved.row(ordinal)
        if row is None:
            continue
        if by_elements and before.shape(*old[ordinal].body) != text.shape(*place):
            continue
        gap = before.part(old[ordinal].body[1], _next_start(before, old, ordinal)).split()
        kept.append(Kept(ordinal, row, gap))
    return sorted(kept, key=lambda each: each.row.body)


def _next_start(before: VersionText, old: Sequence[Row], ordinal: int) -> int:
    if ordinal + 1 < len(old):
        return max(old[ordinal].body[1], old[ordinal + 1].body[0])
    return len(before.data)


def _places(before: VersionText, text: VersionText, old: Sequence[Row]) -> dict[int, Span]:
    """Return where own texts of old blocks stand in the new text, in bytes."""
    numbers = [number for number, row in enumerate(old) if _is_whole(row)]
    bodies = [old[number].body for number in numbers]
    found = _core.block_places(
        text.text,
        [before.part(*body) for body in bodies],
        _core.word_cuts(before.text, [before.chars(*body) for body in bodies]),
    )
    to_bytes = text.offsets.bytes_at
    places = {
        number: (to_bytes(place[0]), to_bytes(place[1]))
        for number, place in zip(numbers, found, strict=True)
        if place is not None
    }
    return _with_whitespace(places, before, text, old)


def _with_whitespace(
    places: dict[int, Span], before: VersionText, text: VersionText, old: Sequence[Row]
) -> dict[int, Span]:
    """Return places with the whitespace that blocks had at their ends, if that is still there."""
    found: dict[int, Span] = {}
    free = 0
    for number, (first, last) in sorted(places.items(), key=lambda each: each[1]):
        begin, stop = old[number].body
        inner = before.trimmed(begin, stop)
        start, end = first - (inner[0] - begin), last + stop - inner[1]
        is_led = start >= free and text.data[start:first] == before.data[begin : inner[0]]
        is_trailed = text.data[last:end] == before.data[inner[1] : stop]
        found[number] = start if is_led else first, end if is_trailed else last
        free = found[number][1]
    return {number: found[number] for number in places}


def _is_whole(row: Row) -> bool:
    """Return whether the own text of a chunk is one part of the text."""
    own = [piece for piece in row.pieces if piece[0] == BODY]
    return all(a[2] == b[1] for a, b in pairwise(own))


class _Moved:
    """Old blocks at their places in a new text, with what they repeat."""

    def __init__(
        self,
        before: VersionText,
        text: VersionText,
        old: Sequence[Row],
        places: dict[int, Span],
        limit: Limit,
    ) -> None:
        self._before, self._text, self._old, self._places = before, text, old, places
        self._limit = limit
        self._numbers = sorted(places, key=lambda number: old[number].body)
        self._starts = [old[number].body[0] for number in self._numbers]

    def row(self, number: int) -> Row | None:
        """Return an old block at its new place; None if what it repeats is not as it was."""
        old, (start, end) = self._old[number], self._places[number]
        pieces: list[list[int]] = []
        for role, a, b in old.pieces:
            if role == BODY:
                pieces.append([BODY, start, end])
            elif (
                place := self._repeated(a, b, number) or self._heading(role, a, b, start)
            ) is None:
                if role == OVERLAP and b <= old.body[0]:
                    # Of another text; it gets its own again when all blocks have their places.
                    continue
                return None
            else:
                pieces.append([role, *place])
        # Parts of the own text that meet are one now.
        own = next(i for i, piece in enumerate(pieces) if piece[0] == BODY)
        rest = [piece for piece in pieces[own + 1 :] if piece[0] != BODY]
        row = old._replace(pieces=[*pieces[: own + 1], *rest])
        begin, stop = old.body
        same = self._text.data[start:end] == self._before.data[begin:stop]
        if same and len(row.pieces) == len(old.pieces):
            return row
        # Its whitespace is another, and so may be its size.
        size = self._limit.size_of(row, self._text)
        return row._replace(size=size, is_oversize=row.is_oversize and size > self._limit.most)

    def _heading(self, role: int, start: int, end: int, before: int) -> Span | None:
        """Return where the same heading stands in front of a place, if it does."""
        if role != HEADING:
            return None
        at = self._text.data.rfind(self._before.data[start:end], 0, before)
        return (at, at + end - start) if at >= 0 and self._text.is_heading(at) else None

    def _repeated(self, start: int, end: int, number: int) -> Span | None:
        """Return where the same stands now; None if something else does."""
        begin, stop = self._old[number].body
        if end == begin:
            at = self._places[number][0] - (end - start)
        elif start == stop:
            at = self._places[number][1]
        else:
            by = bisect_right(self._starts, start) - 1
            if by < 0 or self._old[self._numbers[by]].body[1] < end:
                return None
            around = self._numbers[by]
            at = self._places[around][0] + start - self._old[around].body[0]
        same = self._text.data[max(at, 0) : at + end - start] == self._before.data[start:end]
        return (at, at + end - start) if at >= 0 and same else None
