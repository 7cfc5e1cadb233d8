"""Structural context: snippets of titles, headings and neighbours' first words, without a model."""

from __future__ import annotations

from collections.abc import Iterator

from chunkwright.context import Context
from chunkwright.contextual.passages import Passages
from chunkwright.contextual.snippets import cut
from chunkwright.frames import without_surrogates
from chunkwright.tokens.tokenizer import Tokenizer

# Of each neighbour so many words, and so many code points: in some scripts none ends a word.
_WORDS = 8
_CHARS = 80
_MARKS = "#*-+=_|>~:"


def structural_snippets(
    passages: Passages, *, neighbours: int, max_tokens: int, tokenizer: Tokenizer
) -> Iterator[Context]:
    """Yield a snippet for each chunk: its path, then how the chunks around it begin.

    Parameters
    ----------
    passages
        The chunks of a document.
    neighbours
        How many on each side, the nearest first.
    max_tokens
        What is over so many tokens is cut off.
    tokenizer
        Counts them.
    """
    leads = [_lead(text) for text in passages.texts]
    # Each has a token, at least.
    n = min(neighbours, max_tokens, len(leads))
    for i, path in enumerate(passages.paths):
        around = [
            leads[at]
            for distance in range(1, n + 1)
            for at in (i - distance, i + distance)
            if 0 <= at < len(leads)
        ]
        line = " | ".join(filter(None, [path, *around]))
        yield Context(cut(line, tokenizer, max_tokens), "structure")


def _lead(text: str) -> str:
    """Return the first words of a text, without marks of headings, tables and rules."""
    # More would be blanks and marks in front.
    start = without_surrogates(text[: 4 * _CHARS])
    words = [word for word in start.split() if word.strip(_MARKS)]
    line = " ".join(words[:_WORDS])
    if len(line) <= _CHARS:
        return line
    # The last word is whole where there is another.
    return line[:_CHARS].rpartition(" ")[0] or line[:_CHARS]
