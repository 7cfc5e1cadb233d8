"""Endings of chunks in words: why each ends where it does, or at what kind of place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from math import isnan, nan
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from chunkwright.boundaries import Reason
    from chunkwright.chunk_view import Chunk
    from chunkwright.chunks import Chunks

END = "end of the text"
_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’»)\]]*\Z")
# So much of the text is looked at around a place.
_REACH = 400


class Threshold(NamedTuple):
    """What scores are compared with.

    Attributes
    ----------
    value
        The number; NaN if there is none.
    called
        What it is.
    beside
        What stands between a distance and it.
    """

    value: float
    called: str = "threshold"
    beside: str = " over"

    @classmethod
    def of(cls, value: float, strategy: str | None, options: Mapping[str, Any]) -> Threshold:
        """Return that of a strategy of this name with these options."""
        if strategy == "cluster":
            # Whole groups are compared with it, so that single distances may be below.
            return cls(value, "mean distance", ", mean")
        if options.get("threshold") == "gradient":
            return cls(value, "threshold of the gradient", ", gradient over")
        return cls(value)


def ending_words(reason: Reason | None, score: float, n_places: int, threshold: Threshold) -> str:
    """Say why a chunk ends.

    Parameters
    ----------
    reason, score, n_places
        As of :class:`chunkwright.boundaries.Endings`.
    threshold
        What scores are compared with.
    """
    distance = "" if isnan(score) else f", distance {score:.2f}"
    if reason == "score":
        limit = "" if isnan(threshold.value) else f"{threshold.beside} {threshold.value:.2f}"
        return f"cut: distance {score:.2f}{limit}"
    if reason == "limit":
        return f"{_chosen(n_places)}{distance}"
    if reason == "structure":
        return f"structure{distance}"
    return "given" if reason == "given" else END


def _chosen(n_places: int) -> str:
    """Say among how many places the limit chose one; 0 if it cut where no place was."""
    if n_places == 0:
        return "limit: inside a piece"
    return "limit: the only place" if n_places == 1 else f"limit: best of {n_places:,} places"


def ending_rows(
    chunks: Chunks, text: str, strategy: str | None, options: Mapping[str, Any]
) -> Iterator[dict[str, str | None]]:
    """Yield for each chunk ``reason`` and ``words``.

    Of strategies that say why they cut: why. Of others the reason is None, and the words say at
    what kind of place the chunk ends.
    """
    found = chunks.boundaries
    value = nan if found is None else float(next(iter(found.thresholds), nan))
    threshold = Threshold.of(value, strategy, options)
    columns = zip(chunks.reasons, chunks.scores.tolist(), chunks.n_places.tolist(), strict=True)
    for (reason, score, n_places), chunk, behind in zip_longest(columns, chunks, chunks[1:]):
        if reason is None:
            yield {"reason": None, "words": _place(text, chunk, behind)}
        else:
            words = ending_words(reason, score, n_places, threshold)
            yield {"reason": reason, "words": words}


def _place(text: str, chunk: Chunk, behind: Chunk | None) -> str:
    """Say at what kind of place a chunk ends."""
    end = max((piece.end for piece in chunk.pieces if piece.role == "body"), default=chunk.end)
    if behind is None and not text[end:].strip():
        return END
    if behind is not None and behind.elements and behind.elements[0].kind == "heading":
        return "before a heading"
    before, after = text[max(0, end - _REACH) : end], text[end : end + _REACH]
    kept, rest = before.rstrip(), after.lstrip()
    space = before[len(kept) :] + after[: len(after) - len(rest)]
    return _place_between(kept, space, rest)


def _place_between(before: str, space: str, after: str) -> str:
    """Say what kind of place has this before it, this whitespace in it, and this behind it."""
    if "\n" in space:
        return "at an empty line" if space.count("\n") > 1 else "at the end of a line"
    if _SENTENCE_END.search(before):
        return "behind a sentence"
    if space:
        return "between words"
    is_inside = before[-1:].isalnum() and after[:1].isalnum()
    return "inside a word" if is_inside else "between two characters"
