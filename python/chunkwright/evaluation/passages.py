"""Passages of hits: whole chunks or trimmed parts, and their places."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chunkwright.evaluation.placing import PlacedChunks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkwright.retrieval import Hits
    from chunkwright.tokenizer import Tokenizer


class Found(NamedTuple):
    """What a search found, as chunks and as passages.

    Attributes
    ----------
    hits
        Numbers of chunks, and which part of them.
    hit_tokens
        Tokens of each hit, as it was trimmed; None if hits are whole chunks.
    numbers, passages
        The same as numbers of passages; see :func:`passages_of`.
    """

    hits: Hits
    hit_tokens: NDArray[np.int64] | None
    numbers: Hits
    passages: PlacedChunks

    @classmethod
    def of(cls, hits: Hits, chunks: PlacedChunks, tokenizer: Tokenizer) -> Found:
        """Count the tokens of hits that were trimmed, and place them."""
        n_tokens = tokens_of(hits, chunks, tokenizer)
        return cls(hits, n_tokens, *passages_of(hits, chunks, n_tokens))


def passages_of(
    hits: Hits, chunks: PlacedChunks, n_tokens: NDArray[np.int64] | None
) -> tuple[Hits, PlacedChunks]:
    """Return hits as numbers of passages, and these with their places.

    The passages are the chunks, or, of hits that were trimmed, one for each hit. Such a one has its
    part of its chunk's place, or all of that if it is not of the length of the chunk's text: so it
    is where a chunk was found but for its whitespace.

    Parameters
    ----------
    hits
        What was found.
    chunks
        All chunks and their places.
    n_tokens
        Tokens of each hit, as it was trimmed; None of whole chunks.
    """
    if hits.starts is None or hits.ends is None or n_tokens is None:
        return hits, chunks
    numbers = hits.indices
    texts = texts_of(hits, chunks)
    begins, ends = chunks.starts[numbers], chunks.ends[numbers]
    is_exact = _are_exact(chunks)[numbers]
    passages = PlacedChunks(
        texts=tuple(texts),
        corpora=chunks.corpora[numbers],
        starts=np.where(is_exact, begins + hits.starts, begins),
        ends=np.where(is_exact, np.minimum(begins + hits.ends, ends), ends),
        n_tokens=n_tokens,
        cut_from=chunks.cut_from[numbers],
    )
    return replace(hits, indices=np.arange(len(numbers), dtype=np.int64)), passages


def within_texts(hits: Hits, chunks: PlacedChunks) -> Hits:
    """Return trimmed hits as parts of the chunks' texts, in place of what was searched.

    A hit of which the context alone is left, or whose chunk's text does not end what was searched,
    is the whole chunk.

    Parameters
    ----------
    hits
        What was found.
    chunks
        All chunks.
    """
    if chunks.indexed is None or hits.starts is None or hits.ends is None:
        return hits
    in_front = np.array(
        [
            len(searched) - len(text) if searched.endswith(text) else -1
            for text, searched in zip(chunks.texts, chunks.indexed, strict=True)
        ],
        dtype=np.int64,
    )[hits.indices]
    lengths = np.array([len(text) for text in chunks.texts], dtype=np.int64)[hits.indices]
    starts = np.maximum(hits.starts - in_front, 0)
    ends = hits.ends - in_front
    is_whole = (in_front < 0) | (ends <= 0)
    return replace(
        hits, starts=np.where(is_whole, 0, starts), ends=np.where(is_whole, lengths, ends)
    )


def texts_of(hits: Hits, chunks: PlacedChunks) -> list[str]:
    """Return the text of each hit, as it was trimmed."""
    rows = [hit for found in hits for hit in found]
    return [chunks.texts[hit.index][hit.start : hit.end] for hit in rows]


def tokens_of(hits: Hits, chunks: PlacedChunks, tokenizer: Tokenizer) -> NDArray[np.int64] | None:
    """Return the tokens of each hit, as it was trimmed; None of whole chunks."""
    if hits.starts is None:
        return None
    # Several questions find the same.
    texts = texts_of(hits, chunks)
    known = dict.fromkeys(texts, 0)
    known.update(zip(known, tokenizer.count_batch(list(known)), strict=True))
    return np.fromiter((known[text] for text in texts), np.int64, len(texts))


def _are_exact(chunks: PlacedChunks) -> NDArray[np.bool_]:
    """Say of each chunk whether its place is of the length of its text."""
    n = len(chunks)
    lengths = np.fromiter(map(len, chunks.texts), np.int64, n)
    has_stop = np.fromiter((text.endswith(".") for text in chunks.texts), np.bool_, n)
    missing = lengths - (chunks.ends - chunks.starts)
    # The report's places leave out a last full stop.
    are_exact: NDArray[np.bool_] = (missing == 0) | has_stop & (missing == 1)
    return are_exact
