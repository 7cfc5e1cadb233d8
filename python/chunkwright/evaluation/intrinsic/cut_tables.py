"""Share of tables that are cut: no chunk has all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright.evaluation.intrinsic.cut_sentences import cut_spans
from chunkwright.evaluation.intrinsic.share import Share

if TYPE_CHECKING:
    from chunkwright.evaluation.intrinsic.ranges import Ranges
    from chunkwright.evaluation.intrinsic.structure import Structure


def cut_tables(structure: Structure, ranges: Ranges) -> Share:
    """Return how many tables are cut, as sentences are; none where no elements are known.

    A table larger than the limit is always cut. That its parts repeat the header changes nothing.

    Parameters
    ----------
    structure
        That of the text.
    ranges
        Where the chunks stand in it.
    """
    return Share(0, 0) if structure.tables is None else cut_spans(structure.tables, ranges)
