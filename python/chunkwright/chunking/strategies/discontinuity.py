"""Discontinuity strategy: cuts where the text before and the text behind differ most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from chunkwright.checks import checked_int
from chunkwright.chunking.bases.over_pieces import MAX_WINDOW, Semantic


@dataclass(frozen=True, kw_only=True)
class Discontinuity(Semantic):
    """Cut between sentences where what stands before and behind is least alike.

    For each boundary between two sentences the cosine distance is taken of the sentences before it
    and those behind it. A chunk ends at the highest peak of that curve which leaves it a size
    between ``soft_max`` and the limit.

    Parameters
    ----------
    window
        How many sentences on each side of a boundary are compared.
    embedder, language
        See :class:`chunkwright.chunking.bases.over_pieces.Semantic`.
    soft_max
        The size from which on a chunk may end; half of the limit by default.
    max_tokens, max_chars, min_size, overlap, overlap_at, tokenizer
        See :class:`chunkwright.chunking.bases.options.Sizes`.

    Raises
    ------
    ConfigError
        If an option makes no sense.

    Notes
    -----
    The curve is that of Marti Hearst's TextTiling (1997), over vectors in place of counted words.

    Examples
    --------
    >>> import chunkwright as cw
    >>> text = (
    ...     "The cat naps on the sofa. The cat purrs on the sofa. The cat leaves the sofa. "
    ...     "Rust is a language. The language has types. Types are checked."
    ... )
    >>> for chunk in cw.Discontinuity(max_chars=110, window=2)(text):
    ...     print(chunk.text)
    The cat naps on the sofa. The cat purrs on the sofa. The cat leaves the sofa.
    Rust is a language. The language has types. Types are checked.
    """

    name = "discontinuity"

    window: int = 3

    def _checked(self) -> dict[str, Any]:
        window = checked_int("window", self.window, least=1, most=MAX_WINDOW)
        return {**super()._checked(), "window": window}
