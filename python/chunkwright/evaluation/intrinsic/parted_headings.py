"""Share of headings that are parted from their text: chunks end right behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chunkwright.evaluation.intrinsic.ranges import Spans
from chunkwright.evaluation.intrinsic.share import Share

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkwright.evaluation.intrinsic.ranges import Ranges
    from chunkwright.evaluation.intrinsic.structure import Structure


def parted_headings(structure: Structure, ranges: Ranges) -> Share:
    """Return how many headings are the last line of each chunk that they end in.

    No chunk then has the end of the heading and the first character of what it is about. Headings
    with nothing behind them in the text are not counted. One whose end stands in no chunk, as a
    strategy writes it above its section's chunks instead, is not parted.

    Parameters
    ----------
    structure
        That of the text; without elements there is no heading.
    ranges
        Where the chunks stand in it.
    """
    if structure.headings is None:
        return Share(0, 0)
    is_followed = structure.behind >= 0
    return parted(structure.headings.ends[is_followed], structure.behind[is_followed], ranges)


def parted(ends: NDArray[np.int64], behind: NDArray[np.int64], ranges: Ranges) -> Share:
    """Return how many of what ends there stand in chunks, but in none that has what is behind."""
    is_kept = ranges.hold(Spans(ends - 1, behind + 1))
    is_somewhere = ranges.touch(Spans(ends - 1, ends))
    return Share(int(np.sum(is_somewhere & ~is_kept)), len(ends))
