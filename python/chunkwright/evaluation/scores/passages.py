"""Passages of hits: whole chunks or trimmed parts, and their places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chunkwright.evaluation.chunkers.placing import PlacedChunks
from chunkwright.evaluation.scores.cutoffs import Cutoff, Numbers, Ranked, is_filled, rooms_left

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkwright.retrieval import Hits, Index
    from chunkwright.tokens.tokenizer import Tokenizer


class Parts(NamedTuple):
    """For each question, the part of a hit that fills a budget.

    Attributes
    ----------
    chunks
        The number of the hit's chunk; -1: there is no part.
    starts, ends
        Code points of the chunk's text.
    n_tokens
        Tokens of the part.
    """

    chunks: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    n_tokens: NDArray[np.int64]


class FoundPassages(NamedTuple):
    """Hits of a search, as chunks and as passages.

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
    def of(cls, hits: Hits, chunks: PlacedChunks, tokenizer: Tokenizer) -> FoundPassages:
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


def parts_of(  # noqa: PLR0913, PLR0917 - what was searched and found
    index: Index,
    hits: Hits,
    questions: list[str],
    cutoffs: Iterable[Cutoff],
    chunks: PlacedChunks,
    tokenizer: Tokenizer,
) -> dict[Cutoff, Parts]:
    """Return for each budget that is filled the parts that fill it.

    Parameters
    ----------
    index
        What was searched.
    hits
        What was found for each question, as parts of what was searched.
    questions
        The questions.
    cutoffs
        How many hits count.
    chunks, tokenizer
        All chunks, and what counts their tokens.
    """
    budgets = [cutoff for cutoff in cutoffs if is_filled(cutoff)]
    if not budgets:
        return {}
    retrieved = FoundPassages.of(within_texts(hits, chunks), chunks, tokenizer)
    begins = _lengths_in_front(chunks)
    return {
        cutoff: _filling(
            index,
            hits,
            questions,
            rooms_left(cutoff, retrieved.numbers, retrieved.passages.n_tokens),
            begins,
            tokenizer,
            chunks,
        )
        for cutoff in budgets
    }


def with_parts(
    hits: Hits, passages: PlacedChunks, parts: Mapping[Cutoff, Parts], chunks: PlacedChunks
) -> tuple[Ranked, PlacedChunks]:
    """Return hits as numbers of passages together with the parts that fill budgets.

    Parameters
    ----------
    hits, passages
        What :func:`passages_of` gave.
    parts
        What fills each budget.
    chunks
        All chunks.
    """
    if not parts:
        return hits, passages
    numbers: dict[Cutoff, NDArray[np.int64]] = {}
    for cutoff, own in parts.items():
        has_part = own.chunks >= 0
        places = np.where(has_part, len(passages) + np.cumsum(has_part) - 1, -1)
        numbers[cutoff] = places.astype(np.int64)
        some = Parts(*(column[has_part] for column in own))
        offsets = np.array([0, len(some.chunks)])
        as_hits = replace(
            hits,
            offsets=offsets,
            indices=some.chunks,
            starts=some.starts,
            ends=some.ends,
            scores=np.zeros(len(some.chunks)),
            scores_before=None,
            ranks_before=None,
        )
        _, added = passages_of(as_hits, chunks, some.n_tokens)
        passages = _joined(passages, added)
    return Numbers(hits.offsets, hits.indices, numbers), passages


def _filling(  # noqa: PLR0913, PLR0917 - as above
    index: Index,
    hits: Hits,
    questions: list[str],
    left: tuple[NDArray[np.int64], NDArray[np.int64]],
    begins: NDArray[np.int64] | None,
    tokenizer: Tokenizer,
    chunks: PlacedChunks,
) -> Parts:
    """Return what fits of the first hit of each question that does not."""
    counts, rooms = left
    nexts = hits.where(hits.ranks == np.repeat(counts, np.diff(hits.offsets)))
    own = None if begins is None else np.maximum(begins[nexts.indices], 0)
    parts = index.best_parts(nexts, questions, rooms[nexts.questions].tolist(), tokenizer, own)
    parts = within_texts(parts, chunks)
    columns = [np.full(len(questions), -1, np.int64), *np.zeros((3, len(questions)), np.int64)]
    n_tokens = tokens_of(parts, chunks, tokenizer)
    for column, values in zip(
        columns, (parts.indices, parts.starts, parts.ends, n_tokens), strict=True
    ):
        column[parts.questions] = values
    return Parts(*columns)


def _joined(first: PlacedChunks, second: PlacedChunks) -> PlacedChunks:
    def both(name: str) -> NDArray[np.int64]:
        return np.concatenate([getattr(first, name), getattr(second, name)])

    return PlacedChunks(
        texts=(*first.texts, *second.texts),
        corpora=both("corpora"),
        starts=both("starts"),
        ends=both("ends"),
        n_tokens=both("n_tokens"),
        cut_from=both("cut_from"),
    )


def _lengths_in_front(chunks: PlacedChunks) -> NDArray[np.int64] | None:
    """Return how much of what is searched is before each chunk's text; -1 if that is not its end.

    None if the texts themselves are searched.
    """
    if chunks.indexed is None:
        return None
    lengths = [
        len(searched) - len(text) if searched.endswith(text) else -1
        for text, searched in zip(chunks.texts, chunks.indexed, strict=True)
    ]
    return np.array(lengths, dtype=np.int64)


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
    lengths_in_front = _lengths_in_front(chunks)
    if lengths_in_front is None or hits.starts is None or hits.ends is None:
        return hits
    in_front = lengths_in_front[hits.indices]
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
