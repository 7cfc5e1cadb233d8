"""Share of lead-ins that are parted: chunks end between them and what they lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright.evaluation.intrinsic.parted_headings import parted
from chunkwright.evaluation.intrinsic.share import Share

if TYPE_CHECKING:
    from chunkwright.evaluation.intrinsic.ranges import Ranges
    from chunkwright.evaluation.intrinsic.structure import Structure


def parted_lead_ins(structure: Structure, ranges: Ranges) -> Share:
    """Return how many lines that end in a colon are the last ones of each chunk that they end in.

    No chunk then has their end and the first character of the list, the code, the table or the
    formula that they lead to. What stands in no chunk is not parted.

    Parameters
    ----------
    structure
        That of the text; without elements there is no lead-in.
    ranges
        Where the chunks stand in it.
    """
    if structure.lead_ins is None:
        return Share(0, 0)
    return parted(structure.lead_ins.ends, structure.led, ranges)
