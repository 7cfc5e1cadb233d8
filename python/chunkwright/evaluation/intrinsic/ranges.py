"""Ranges of chunks in one text: which spans they hold whole, touch, and how often each place."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Spans(NamedTuple):
    """Parts of a text, none of them empty, in code points.

    Attributes
    ----------
    starts, ends
        Where they start, and where they end.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts)


class Ranges:
    """Where chunks stand in a text; they may overlap, and stand in any order.

    Parameters
    ----------
    starts, ends
        In code points. Empty ranges are left out.
    """

    def __init__(self, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> None:
        order = np.argsort(starts, kind="stable")
        order = order[starts[order] < ends[order]]
        self.ends: NDArray[np.int64]
        self.starts: NDArray[np.int64]
        self.starts, self.ends = starts[order], ends[order]
        # How far the ranges reach that start at a place or before; nowhere before the first.
        self._reach = np.concatenate([[-1], np.maximum.accumulate(self.ends)])

    def hold(self, spans: Spans) -> NDArray[np.bool_]:
        """Say of each span whether one range holds all of it."""
        before = np.searchsorted(self.starts, spans.starts, side="right")
        held: NDArray[np.bool_] = self._reach[before] >= spans.ends
        return held

    def touch(self, spans: Spans) -> NDArray[np.bool_]:
        """Say of each span whether some range holds a part of it."""
        before = np.searchsorted(self.starts, spans.ends, side="left")
        touched: NDArray[np.bool_] = self._reach[before] > spans.starts
        return touched

    def depth(self, n: int) -> NDArray[np.int64]:
        """Return how many ranges hold each of the ``n`` code points of the text."""
        steps = np.zeros(n + 1, dtype=np.int64)
        np.add.at(steps, self.starts, 1)
        np.add.at(steps, self.ends, -1)
        return np.cumsum(steps)[:n]
