"""Shares of what chunks cut, part, cover and repeat of a text, and how many keep a limit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from chunkwright.checks import checked_int
from chunkwright.chunking.bases.options import Limited
from chunkwright.evaluation.intrinsic.structure import Spans
from chunkwright.evaluation.run.plan import TOKENIZER
from chunkwright.tokens.tokenizer import Tokenizer, TokenizerLike, as_tokenizer

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


class SizeLimit(NamedTuple):
    """Limit of a chunk's size.

    Attributes
    ----------
    most
        The limit.
    tokenizer
        What counts its tokens; None: it is in code points.
    """

    most: int
    tokenizer: Tokenizer | None

    @property
    def unit(self) -> Literal["tokens", "characters"]:
        """The unit that it is counted in."""
        return "characters" if self.tokenizer is None else "tokens"

    def sizes(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """Return the size of each text."""
        count = len if self.tokenizer is None else self.tokenizer.count
        return np.fromiter(map(count, texts), dtype=np.int64, count=len(texts))


class Sizes(NamedTuple):
    """Sizes of chunks.

    Attributes
    ----------
    least, median, mean, most
        Tokens of a chunk; 0 without chunks.
    within_limit
        The chunks that are not larger than the limit; None without a limit.
    below_half
        Those that have less than half of it.
    """

    least: int
    median: float
    mean: float
    most: int
    within_limit: Share | None
    below_half: Share | None


def limit_of(
    chunker: object, size_limit: int | None = None, tokenizer: TokenizerLike = TOKENIZER
) -> SizeLimit | None:
    """Return the limit of the sizes of chunks.

    Parameters
    ----------
    chunker
        What cuts.
    size_limit
        The limit in tokens; None: that which a strategy of chunkwright was given, and none of
        anything else.
    tokenizer
        What counts these tokens.

    Raises
    ------
    ConfigError
        If the limit makes no sense.

    Examples
    --------
    >>> import chunkwright as cw
    >>> from chunkwright.evaluation.intrinsic import limit_of
    >>> limit_of(cw.Recursive(max_chars=900)).most, limit_of(cw.Sentence(sentences=2))
    (900, None)
    """
    if size_limit is not None:
        return SizeLimit(checked_int("size_limit", size_limit, least=1), as_tokenizer(tokenizer))
    if not isinstance(chunker, Limited):
        return None
    if chunker.max_chars is not None:
        return SizeLimit(chunker.max_chars, None)
    if chunker.max_tokens is None:
        return None
    return SizeLimit(chunker.max_tokens, as_tokenizer(chunker.tokenizer))


def sizes_of(texts: Sequence[str], n_tokens: NDArray[np.int64], limit: SizeLimit | None) -> Sizes:
    """Return how large chunks are, and how many keep a limit.

    Parameters
    ----------
    texts
        What chunks say, with all that they repeat.
    n_tokens
        Their tokens.
    limit
        The limit, in a unit of its own; None: there is none.
    """
    if not len(n_tokens):
        return Sizes(0, 0.0, 0.0, 0, limit and Share(0, 0), limit and Share(0, 0))
    within = below = None
    if limit is not None:
        sizes = limit.sizes(texts)
        within = Share(int(np.sum(sizes <= limit.most)), len(sizes))
        below = Share(int(np.sum(2 * sizes < limit.most)), len(sizes))
    least, most = int(n_tokens.min()), int(n_tokens.max())
    return Sizes(least, float(np.median(n_tokens)), float(n_tokens.mean()), most, within, below)
