"""Sentence strategy: chunks of whole sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from chunkwright.checks import checked_int, checked_language
from chunkwright.chunking.bases.options import OverlapAt
from chunkwright.chunking.bases.strategy import Strategy
from chunkwright.errors import ConfigError


@dataclass(frozen=True, kw_only=True)
class Sentence(Strategy):
    """Cut between sentences.

    A chunk holds as many whole sentences as the limit allows, or exactly ``sentences`` of them. It
    is measured as a whole, without the whitespace at both ends. A sentence over the limit is cut
    behind its last clause within reach, else behind a word, else behind a grapheme; what is left of
    it begins a chunk, to which the sentences behind are added. Headings (see
    :class:`chunkwright.Recursive`) belong to the sentence that follows them, and are not counted.

    Parameters
    ----------
    language
        What the text is in, as :func:`chunkwright.split_sentences` takes it.
    sentences
        Make a chunk of each so many sentences. No limit is needed then; sentences that exceed the
        one given are cut as if they were a text of their own.
    window
        How many neighbouring sentences a chunk shows on each side, as pieces with the role
        ``"overlap"`` (sentence-window retrieval). They count against the limit: where there are too
        many, the outermost are left out, the one before first. A ``soft_max`` leaves room for them.
    overlap_at
        Where an overlap may begin: at a ``"sentence"`` by default.
    max_tokens, max_chars, soft_max, min_size, overlap, tokenizer
        See :class:`chunkwright.chunking.bases.options.Sizes`.

    Raises
    ------
    ConfigError
        If an option makes no sense.

    Examples
    --------
    >>> import chunkwright as cw
    >>> text = "It rained. We stayed in. Then the sun came out, and we left."
    >>> cw.Sentence(max_chars=30)(text).texts()
    ['It rained. We stayed in.', 'Then the sun came out,', 'and we left.']
    >>> chunks = cw.Sentence(sentences=1, window=1)(text)
    >>> chunks[0].text
    'It rained. We stayed in.'
    >>> [text[piece.start : piece.end] for piece in chunks[1].pieces]
    ['It rained. ', 'We stayed in.', ' Then the sun came out, and we left.']
    """

    name = "sentence"

    language: str = "en"
    sentences: int | None = None
    window: int = 0
    overlap_at: OverlapAt = "sentence"

    def _checked(self) -> dict[str, Any]:
        spec = super()._checked()
        if self.sentences is not None:
            spec["sentences"] = checked_int("sentences", self.sentences, least=1)
        window = checked_int("window", self.window, least=0)
        if window and self.overlap:
            both = f"overlap={self.overlap!r} and window={self.window!r}"
            message = f"a window takes the place of an overlap: give one, got {both}"
            raise ConfigError(message, option="window")
        return {**spec, "language": checked_language(self.language), "window": window}

    @property
    def _needs_limit(self) -> bool:
        return self.sentences is None
