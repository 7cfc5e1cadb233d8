"""Shares of what chunks cut, part, cover and repeat of a text; they can be added up over texts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chunkwright.evaluation.intrinsic.structure import Spans

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkwright.evaluation.intrinsic.structure import Ranges, Structure


class Share(NamedTuple):
    """Share of things that are of some kind.

    Attributes
    ----------
    n
        How many are.
    of
        How many there are at all.
    """

    n: int
    of: int

    @property
    def share(self) -> float | None:
        """The share, from 0 to 1; None where there is nothing."""
        return self.n / self.of if self.of else None

    @classmethod
    def total(cls, shares: Iterable[Share]) -> Share:
        """Return the share of all things together."""
        found = list(shares)
        return cls(sum(each.n for each in found), sum(each.of for each in found))


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
