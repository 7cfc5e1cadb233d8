"""Order in which shapes of a slide are read: as in the file, but never from below upwards."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import NamedTuple


class Area(NamedTuple):
    """Where a shape stands: its left, top, right and bottom edges."""

    left: float
    top: float
    right: float
    bottom: float


# More shapes than a slide for readers has: a drawing, whose order says nothing.
_MAX_SHAPES = 400


def reading_order(areas: Sequence[Area | None]) -> list[int]:
    """Return the numbers of shapes in the order in which they are read.

    It is the order of the file, but a shape that stands wholly above another one, and over the same
    columns, is read before it. A shape without a place is read where the file has it.

    Examples
    --------
    >>> foot, text, beside = Area(0, 90, 50, 99), Area(0, 10, 50, 80), Area(60, 0, 90, 5)
    >>> reading_order([foot, text, beside])
    [1, 0, 2]
    """
    n = len(areas)
    if n > _MAX_SHAPES:
        return list(range(n))
    behind: list[list[int]] = [[] for _ in areas]
    n_before = [0] * n
    for i, upper in enumerate(areas):
        for j, lower in enumerate(areas):
            if upper and lower and i != j and _is_above(upper, lower):
                behind[i].append(j)
                n_before[j] += 1
    # What waits for a shape that stands above it is read right behind that one.
    order: list[int] = []
    ready = [i for i in range(n) if not n_before[i]]
    heapq.heapify(ready)
    while ready:
        at = heapq.heappop(ready)
        order.append(at)
        for each in behind[at]:
            n_before[each] -= 1
            if not n_before[each]:
                heapq.heappush(ready, each)
    return order


def _is_above(upper: Area, lower: Area) -> bool:
    is_over = min(upper.right, lower.right) > max(upper.left, lower.left)
    return upper.bottom <= lower.top and upper.top < lower.bottom and is_over
