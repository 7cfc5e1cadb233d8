"""Balanced strategy: chunks of even sizes that begin at strong boundaries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from chunkwright.checks import checked_flag, checked_language
from chunkwright.chunking.bases.strategy import Strategy


@dataclass(frozen=True, kw_only=True)
class Balanced(Strategy):
    r"""Choose all cuts of a text together, so that chunks are even and begin at strong boundaries.

    Each way to cut the text has a cost: for each chunk how far its size is from the target, and how
    weak the boundary is that it ends at (heading, paragraph, line, sentence, clause, word,
    grapheme). The cheapest way is found in linear time. No chunk exceeds the limit, no sentence is
    cut that fits into a chunk with the headings above it, no chunk ends with a heading (see
    :class:`chunkwright.Recursive`), and none is left over at the end. An edit changes few chunks.
    ``docs/balanced.md`` has the costs, a picture, and measurements.

    In a document of :func:`chunkwright.read_markdown`, a table stays whole where it fits; over the
    limit, it is cut between its rows as :class:`chunkwright.Recursive` does it.

    The overlap is added to the chunks that were chosen, as far as the limit allows; it moves no
    cut.

    Parameters
    ----------
    language
        What the text is in, as :func:`chunkwright.split_sentences` takes it.
    repeat_headers
        Whether the parts of a table repeat its header.
    soft_max
        The target, overlap included: three quarters of the limit by default (of what the overlap
        leaves of it).
    max_tokens, max_chars, min_size, overlap, overlap_at, tokenizer
        See :class:`chunkwright.chunking.bases.options.Sizes`.

    Raises
    ------
    ConfigError
        If an option makes no sense.

    Examples
    --------
    >>> import chunkwright as cw
    >>> text = "One two three four. Five six seven eight. Nine ten."
    >>> cw.Recursive(max_tokens=10)(text).texts()
    ['One two three four. Five six seven eight.', 'Nine ten.']
    >>> cw.Balanced(max_tokens=10)(text).texts()
    ['One two three four.', 'Five six seven eight. Nine ten.']
    """

    name = "balanced"

    language: str = "en"
    repeat_headers: bool = True

    def _checked(self) -> dict[str, Any]:
        return {
            **super()._checked(),
            "language": checked_language(self.language),
            "repeat_headers": checked_flag("repeat_headers", self.repeat_headers),
        }
