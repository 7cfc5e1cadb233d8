"""Ranges of code points as Chroma's evaluation computes with them: pairs, both ends of any number.

They are given back as the peer gives them for whatever is put in, also for ranges that run
backwards; no range is checked.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from typing import TypeAlias

Range: TypeAlias = tuple[float, float]


def sum_of_ranges(ranges: Iterable[Range]) -> float:
    """Return the lengths of ranges together; what several hold counts for each of them."""
    return sum(end - start for start, end in ranges)


def union_ranges(ranges: Iterable[Range]) -> list[Range]:
    """Join ranges that overlap or touch, and return them in order.

    Examples
    --------
    >>> from chunkwright.compat.chroma import union_ranges
    >>> union_ranges([(5, 9), (0, 3), (3, 4)])
    [(0, 4), (5, 9)]
    """
    joined: list[Range] = []
    for each in sorted(ranges, key=itemgetter(0)):
        if not joined:
            joined.append(each)
            continue
        start, end = each
        first, last = joined[-1]
        if start <= last:
            joined[-1] = (first, max(last, end))
        else:
            joined.append((start, end))
    return joined


def intersect_two_ranges(range1: Range, range2: Range) -> Range | None:
    """Return what two ranges share; of two that touch that is an empty range, else None."""
    (start1, end1), (start2, end2) = range1, range2
    start, end = max(start1, start2), min(end1, end2)
    return (start, end) if start <= end else None


def difference(ranges: Iterable[Range], target: Range) -> list[Range]:
    """Take a range out of others.

    Examples
    --------
    >>> from chunkwright.compat.chroma import difference
    >>> difference([(0, 10), (20, 30)], (5, 25))
    [(0, 5), (25, 30)]
    """
    left: list[Range] = []
    target_start, target_end = target
    for start, end in ranges:
        if end < target_start or start > target_end:
            left.append((start, end))
            continue
        if start < target_start:
            left.append((start, target_start))
        if end > target_end:
            left.append((target_end, end))
    return left


def find_target_in_document(document: str, target: str) -> tuple[int, int] | None:
    """Return where a text first stands in another, exactly as it is."""
    start = document.find(target)
    return None if start == -1 else (start, start + len(target))
