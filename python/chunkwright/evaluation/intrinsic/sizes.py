"""Sizes of chunks, and how many of them keep a limit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from chunkwright.chunking.bases.options import Limited
from chunkwright.evaluation.intrinsic.shares import Share
from chunkwright.tokens.tokenizer import Tokenizer, as_tokenizer

if TYPE_CHECKING:
    from numpy.typing import NDArray


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


def limit_of(chunker: object) -> SizeLimit | None:
    """Return the limit that a strategy of chunkwright was given; None of anything else.

    Examples
    --------
    >>> import chunkwright as cw
    >>> from chunkwright.evaluation.intrinsic import limit_of
    >>> limit_of(cw.Recursive(max_chars=900)).most, limit_of(cw.Sentence(sentences=2))
    (900, None)
    """
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
