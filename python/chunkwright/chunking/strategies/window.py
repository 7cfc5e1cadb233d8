"""Window strategy: windows as long as the limit allows."""

from __future__ import annotations

from dataclasses import dataclass

from chunkwright.chunking.bases.strategy import Strategy


@dataclass(frozen=True, kw_only=True)
class Window(Strategy):
    """Cut into windows as long as the limit allows, whatever the text says.

    The windows tile the text; those of whitespace only are left out. None ends inside a grapheme.
    With ``soft_max``, a window ends before the last word that begins between it and the limit.

    Parameters
    ----------
    max_tokens, max_chars, soft_max, min_size, overlap, overlap_at, tokenizer
        See :class:`chunkwright.chunking.bases.options.Sizes`.

    Raises
    ------
    ConfigError
        If an option makes no sense.

    Examples
    --------
    >>> import chunkwright as cw
    >>> cw.Window(max_chars=10)("The quick brown fox.").texts()
    ['The quick ', 'brown fox.']
    >>> cw.Window(max_tokens=4, overlap=2)("The quick brown fox jumps over.").texts()
    ['The quick brown fox', 'brown fox jumps over', 'over.']
    """

    name = "window"
