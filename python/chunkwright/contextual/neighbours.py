"""Neighbours of chunks: what stands around each of them, within a number of tokens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from chunkwright.tokens.tokenizer import Tokenizer

_BETWEEN = "\n\n"
# A longer word is cut inside.
_WORD_CHARS = 40


class Around(NamedTuple):
    """What stands around a chunk.

    Attributes
    ----------
    before, after
        The texts of its neighbours, with a blank line between them.
    """

    before: str
    after: str


class Neighbourhood:
    """The texts of a document's chunks, each of which is counted once.

    Parameters
    ----------
    texts
        Those of the chunks.
    n
        Neighbours on each side.
    max_tokens
        Tokens of what stands before a chunk and of what stands behind it, together.
    tokenizer
        Counts them.
    """

    def __init__(
        self, texts: Iterable[str], *, n: int, max_tokens: int, tokenizer: Tokenizer
    ) -> None:
        self._n = n
        self._max_tokens = max_tokens
        self._starts: list[int] = []
        self._ends: list[int] = []
        at = -len(_BETWEEN)
        whole = list(texts)
        for text in whole:
            self._starts.append(at := at + len(_BETWEEN))
            self._ends.append(at := at + len(text))
        self._text = _BETWEEN.join(whole)
        self._index = tokenizer.index(self._text)

    def around(self, i: int) -> Around:
        """Return what stands around a chunk.

        If that is more than the limit, what is farthest from the chunk is left out; of two
        neighbours that are equally far, more of the one before it is kept.
        """
        first, last = max(0, i - self._n), min(len(self._starts) - 1, i + self._n)
        # Of the text before, and of the text behind: where they start and end.
        before = (self._starts[first], self._ends[i - 1]) if first < i else (0, 0)
        after = (self._starts[i + 1], self._ends[last]) if i < last else (0, 0)
        if self._count(*before) + self._count(*after) > self._max_tokens:
            before, after = self._cut(i, before, after)
        return Around(self._text[slice(*before)], self._text[slice(*after)])

    def _cut(
        self, i: int, before: tuple[int, int], after: tuple[int, int]
    ) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return spans that fit: neighbours are taken from the nearest on, until one does not."""
        first, end = before
        start, last = after
        taken_from, taken_to = end, start
        for distance in range(1, self._n + 1):
            if taken_from > first:
                wider = self._starts[i - distance]
                room = self._max_tokens - self._count(start, taken_to)
                if self._count(wider, end) > room:
                    return (self._from(wider, taken_from, end, room), end), (start, taken_to)
                taken_from = wider
            if taken_to < last:
                wider = self._ends[i + distance]
                room = self._max_tokens - self._count(taken_from, end)
                if self._count(start, wider) > room:
                    return (taken_from, end), (start, self._to(start, taken_to, wider, room))
                taken_to = wider
        return (taken_from, end), (start, taken_to)

    def _from(self, first: int, last: int, end: int, room: int) -> int:
        """Return where what stands before begins: with a word between two places, or the last."""
        low, high = first, last
        while low < high:
            middle = (low + high) // 2
            if self._count(middle, end) <= room:
                high = middle
            else:
                low = middle + 1
        text = self._text
        for at in range(low, min(last, low + _WORD_CHARS)):
            if text[at - 1].isspace() and not text[at].isspace() and self._count(at, end) <= room:
                return at
        return last if text[low:last].isspace() else low

    def _to(self, start: int, first: int, last: int, room: int) -> int:
        """Return where what stands behind ends: with a word between two places, or the first."""
        high = max(first, min(last, self._index.longest(start, max(0, room))))
        # Counts may fall where a text grows.
        while high > first and self._count(start, high) > room:
            high -= 1
        text = self._text
        for at in range(high, max(first, high - _WORD_CHARS), -1):
            if text[at].isspace() and not text[at - 1].isspace() and self._count(start, at) <= room:
                return at
        return first if text[first:high].isspace() else high

    def _count(self, start: int, end: int) -> int:
        return self._index.count(start, end) if start < end else 0
