"""Windows of a text's pieces: what a language model is shown, and which of them it decides on."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from zlib import crc32

# Of a window so much, on each side, may be shown for the sake of what lies between.
_CONTEXT = 5


@dataclass(frozen=True, slots=True)
class Window:
    """Pieces that are shown together.

    Parameters
    ----------
    shown
        The numbers of the pieces.
    own
        The numbers of those that may begin a chunk, as the window says; the others are in the own
        part of another one.
    """

    shown: range
    own: range


def windows(pieces: Sequence[str], sizes: Sequence[int], most: int) -> Iterator[Window]:
    """Yield windows over the pieces of a text: each piece but the first is in one own part.

    A window is as large as ``most`` allows, a fifth of that on each side for pieces that are shown
    and not decided on; at least one such piece is shown on each side where there is one, and at
    least one is decided on. Where an own part ends depends on the pieces near its end alone, so
    that an edit of a text changes the windows near by and, before long, no others.

    Parameters
    ----------
    pieces
        Their texts.
    sizes
        Their sizes.
    most
        The size of a window, in the same unit.
    """
    n, context = len(pieces), most // _CONTEXT
    ends = [0, *accumulate(max(size, 1) for size in sizes)]
    start = 0
    while start < n:
        first = max(min(bisect_left(ends, ends[start] - context), start - 1), 0)
        room = ends[first] + most
        stop = bisect_right(ends, room) - 1
        last = n
        if stop < n:
            stop = _end(pieces, start, bisect_right(ends, room - context) - 1)
            last = min(max(bisect_right(ends, ends[stop] + context) - 1, stop + 1), n)
        own = range(max(start, 1), stop)
        if own:
            yield Window(range(first, last), own)
        start = stop


def _end(pieces: Sequence[str], start: int, most: int) -> int:
    """Return where an own part from ``start`` on ends: in the last third of what it may have."""
    if most <= start + 1:
        return start + 1
    ends = range(start + 1 + (most - start) * 2 // 3, most + 1)
    return min(ends, key=lambda end: crc32(pieces[end].encode()))
