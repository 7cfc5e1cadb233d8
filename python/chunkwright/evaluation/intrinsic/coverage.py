"""Coverage of a text by chunks: how much stands in some of them, and how much in several."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chunkwright.evaluation.intrinsic.share import Share

if TYPE_CHECKING:
    from chunkwright.evaluation.intrinsic.ranges import Ranges
    from chunkwright.evaluation.intrinsic.structure import Structure


class Coverage(NamedTuple):
    """Share of a text that chunks have; whitespace is not counted.

    Attributes
    ----------
    covered
        The characters that stand in a chunk.
    repeated
        The characters that stand in more than one.
    """

    covered: Share
    repeated: Share


def coverage(structure: Structure, ranges: Ranges) -> Coverage:
    """Return how much of a text stands in chunks, in code points that are no whitespace.

    Parameters
    ----------
    structure
        That of the text.
    ranges
        Where the chunks stand in it.
    """
    depth = ranges.depth(len(structure.is_filled))[structure.is_filled]
    n = len(depth)
    return Coverage(
        Share(int(np.count_nonzero(depth)), n), Share(int(np.count_nonzero(depth > 1)), n)
    )
