"""Share of sentences that are cut: no chunk has all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright.evaluation.intrinsic.share import Share

if TYPE_CHECKING:
    from chunkwright.evaluation.intrinsic.ranges import Ranges, Spans
    from chunkwright.evaluation.intrinsic.structure import Structure


def cut_sentences(structure: Structure, ranges: Ranges) -> Share:
    """Return how many sentences are cut: a part stands in some chunk, and all in none.

    A sentence that an overlap repeats as a whole is not cut, and one that stands in no chunk at
    all is not either: that is what coverage tells.

    Parameters
    ----------
    structure
        That of the text.
    ranges
        Where the chunks stand in it.
    """
    return cut_spans(structure.sentences, ranges)


def cut_spans(spans: Spans, ranges: Ranges) -> Share:
    """Return how many spans have a part in some range, and are held by none."""
    is_cut = ranges.touch(spans) & ~ranges.hold(spans)
    return Share(int(is_cut.sum()), len(spans))
