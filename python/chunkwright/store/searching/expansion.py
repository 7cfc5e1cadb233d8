"""Expansion of hits to their neighbours, sections or elements, within one budget of tokens.

Each text is there once: where two hits would have the same, it belongs to the better one.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkwright.errors import ConfigError
from chunkwright.retrieval.expansion import Scope, expand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkwright.chunk_view import Chunk
    from chunkwright.store.searching.found import Found
    from chunkwright.tokens.tokenizer import Tokenizer

Span = tuple[int, int]


@dataclass(frozen=True)
class Expansion:
    """How hits are widened.

    Attributes
    ----------
    to
        How far, as :func:`chunkwright.expand` has it.
    tokenizer
        Counts the tokens of the budget.
    """

    to: Scope
    tokenizer: Tokenizer

    def of(self, hits: Sequence[Found], room: int | None) -> list[Found]:
        """Return the hits with what stands around them.

        Parameters
        ----------
        hits
            The hits of a question, best first.
        room
            Tokens that may be added to all together, at most, the better hit first; None: without
            limit.
        """
        taken: dict[str, list[Span]] = defaultdict(list)
        for hit in hits:
            taken[hit.document].append(_span(hit))
        wide: list[Found] = []
        for left, hit in zip(range(len(hits), 0, -1), hits, strict=True):
            share = None if room is None else room // left
            widened, span = self._widened(hit, taken[hit.document], share)
            taken[hit.document].append(span)
            if room is not None:
                used = self.tokenizer.count(widened.text) - self.tokenizer.count(hit.text)
                room -= max(0, used)
            wide.append(widened)
        return wide

    def _widened(self, hit: Found, taken: Sequence[Span], share: int | None) -> tuple[Found, Span]:
        """Return a hit with what stands around it and nobody has, and the span of both."""
        span = _span(hit)
        chunk = hit.chunk
        if chunk is None or hit.neighbours or (share is not None and share <= 0):
            return hit, span
        source = chunk.document_text
        if source is None:
            return hit, span
        most = None if share is None else self.tokenizer.count(chunk.text) + share
        wide = self._expanded(chunk, most)
        if wide is None:
            return hit, span
        start, end = _free(wide, span, taken)
        before, behind = source[start : span[0]], source[span[1] : end]
        if not (before.strip() or behind.strip()):
            return hit, span
        text = f"{before}{hit.text}{behind}".strip()
        if share is not None:
            n_more = self.tokenizer.count(text) - self.tokenizer.count(hit.text)
            if n_more > share:
                return hit, span
        return hit.with_text(text), (start, end)

    def _expanded(self, chunk: Chunk, most: int | None) -> Span | None:
        """Return how far a chunk reaches when it is expanded; None if it cannot be."""
        if most is not None and most < 1:
            return None
        try:
            wide = expand(chunk, to=self.to, max_tokens=most)
        except ConfigError:
            # A text without elements has no sections: its neighbours are what there is.
            wide = expand(chunk, to="neighbours", max_tokens=most)
        return _hull(wide)


def _hull(chunk: Chunk) -> Span:
    """Return where a chunk starts and ends with what overlaps its neighbours."""
    own = [piece for piece in chunk.pieces if piece.role in {"body", "overlap"}]
    return min(piece.start for piece in own), max(piece.end for piece in own)


def _span(hit: Found) -> Span:
    """Return where a hit starts and ends."""
    return (hit.start, hit.end) if hit.chunk is None else _hull(hit.chunk)


def _free(wide: Span, own: Span, taken: Sequence[Span]) -> Span:
    """Return what of an expanded hit nobody else has: around its own text, without a gap."""
    start, end = min(wide[0], own[0]), max(wide[1], own[1])
    for begin, stop in taken:
        if (begin, stop) == own:
            continue
        if begin < own[0]:
            start = max(start, min(stop, own[0]))
        else:
            end = min(end, max(begin, own[1]))
    return start, end
