"""Trimming of hits to the sentences that speak to the question.

A chunk is whole pieces of text, a sentence or a few each. Where those at its ends say little about
what was asked, the hit is as good without them, and shorter. Where only so much fits, its best run
of sentences is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from chunkwright.retrieval.hits import Hits
from chunkwright.retrieval.steps.cosines import cosine

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.chunks import Chunks
    from chunkwright.retrieval.budget import Size
    from chunkwright.retrieval.indexed_chunks import Range
    from chunkwright.retrieval.steps.bm25 import Bm25Index

    Embed = Callable[[list[str]], NDArray[np.float32]]

# Pieces are whole sentences, as many as fit into so many tokens.
PIECE_TOKENS = 60
# How far words of pieces count for each other, in tokens: as far as those of chunks, pieces of a
# chunk would be so alike that none is dropped; nearer, too many are.
PIECE_REACH = 120.0
# The same of single sentences, of which those are chosen that fill a budget.
SENTENCE_REACH = 60.0
# The best piece is one of so many hits: what is left of a hit is not to depend on how many more
# were asked for.
LEADING_HITS = 5
# Scores are held for so many questions at once that they take no more than this.
SCORES_BYTES = 64 * 2**20
_SCORE_BYTES = 4


class Pieces:
    """The pieces of all chunks, and what says how much they have to do with a question.

    Parameters
    ----------
    texts
        Those of the chunks.
    pieces
        What was cut out of each of them.
    words
        Finds pieces by their words; None if these do not count.
    embed
        Gives pieces their vectors; None if these do not count.
    word_weight
        What words count in their sum with vectors.
    """

    def __init__(
        self,
        texts: list[str],
        pieces: Chunks,
        *,
        words: Bm25Index | None,
        embed: Embed | None,
        word_weight: float,
    ) -> None:
        import numpy as np

        self._word_weight = word_weight
        self._words = words
        # Vectors are made of those that are found, so only then texts are needed.
        self._embed = embed
        self._texts = pieces.texts() if embed is not None else []
        self._starts, self._ends = np.array(pieces.starts), np.array(pieces.ends)
        # Chunk c has the pieces first[c] to first[c + 1].
        self._first = np.searchsorted(pieces.doc_index, np.arange(len(texts) + 1))
        self._lengths = np.fromiter(map(len, texts), np.int64, len(texts))

    def trimmed(
        self,
        hits: Hits,
        questions: list[str],
        vectors: NDArray[np.float32] | None,
        share: float,
    ) -> Hits:
        """Return hits without the pieces at their ends that have too little to do with a question.

        That is less than a share of what the best piece of the leading hits has. What stands
        between two pieces that stay stays as well, and so does the best piece of each hit.

        Parameters
        ----------
        hits
            What was found for each question: the leading hits, and any more.
        questions, vectors
            The questions, and their vectors if these count.
        share
            Pieces stay that have this share of the best piece's score.
        """
        import numpy as np

        rows = _Rows.of(hits, self._first)
        scores = self._scores(rows, questions, vectors)
        is_kept = scores >= _least(rows, scores, hits, share)[rows.hits]
        pieces, of_hit = rows.pieces[is_kept], rows.hits[is_kept]
        # Rows are in the order of hits, and within one in that of the text.
        firsts, lasts = (
            np.searchsorted(of_hit, np.arange(len(hits.indices)), side)
            for side in ("left", "right")
        )
        starts, ends = np.zeros(len(hits.indices), np.int64), self._lengths[hits.indices]
        some = np.flatnonzero(firsts < lasts)  # a chunk of space alone has no piece, and stays
        first, last = pieces[firsts[some]], pieces[lasts[some] - 1]
        chunks = hits.indices[some]
        is_cut = first > self._first[chunks]
        starts[some[is_cut]] = self._starts[first[is_cut]]
        is_cut = last < self._first[chunks + 1] - 1
        ends[some[is_cut]] = self._ends[last[is_cut]]
        return replace(hits, starts=starts, ends=ends)

    def scores_at(
        self,
        hits: Hits,
        questions: list[str],
        vectors: NDArray[np.float32] | None,
        places: list[list[int]],
    ) -> list[NDArray[np.float64]]:
        """Return the scores of the pieces that stand at places of hits' texts.

        Parameters
        ----------
        hits, questions, vectors
            As for :meth:`trimmed`.
        places
            For each hit, of all questions in a row, code points of its chunk's text.
        """
        import numpy as np

        rows = _Rows.of(hits, self._first)
        scores = self._scores(rows, questions, vectors)
        edges = np.searchsorted(rows.hits, np.arange(len(places) + 1)).tolist()
        found = []
        for (first, end), own in zip(pairwise(edges), places, strict=True):
            starts = self._starts[rows.pieces[first:end]]
            at = np.maximum(np.searchsorted(starts, own, "right") - 1, 0)
            found.append(scores[first:end][at] if first < end else np.zeros(len(own)))
        return found

    def _scores(
        self,
        rows: _Rows,
        questions: list[str],
        vectors: NDArray[np.float32] | None,
    ) -> NDArray[np.float64]:
        """Return the score of each row's piece for its question."""
        import numpy as np

        scores = np.zeros(len(rows.pieces))
        if self._words is not None:
            scores += _shares(self._words, rows, questions)
        if vectors is not None and self._embed is not None and len(rows.pieces):
            scores = self._word_weight * scores + self._cosines(rows, vectors, self._embed)
        return scores

    def _cosines(
        self, rows: _Rows, vectors: NDArray[np.float32], embed: Embed
    ) -> NDArray[np.float64]:
        import numpy as np

        numbers: dict[str, int] = {}
        found, place = np.unique(rows.pieces, return_inverse=True)
        texts = [self._texts[piece] for piece in found.tolist()]
        row_of = np.array([numbers.setdefault(text, len(numbers)) for text in texts])[place]
        table = embed(list(numbers))
        edges = np.searchsorted(rows.questions, np.arange(len(vectors) + 1)).tolist()
        parts = [
            cosine(table[row_of[first:end]], vectors[question : question + 1])[0]
            for question, (first, end) in enumerate(pairwise(edges))
        ]
        return np.concatenate(parts).astype(np.float64)


@dataclass(frozen=True)
class _Rows:
    """The pieces of hits, a row for each: in the order of hits, and of the text within one."""

    questions: NDArray[np.int64]
    hits: NDArray[np.int64]
    pieces: NDArray[np.int64]

    @classmethod
    def of(cls, hits: Hits, first: NDArray[np.int64]) -> _Rows:
        """Return the rows of hits; chunk c has the pieces ``first[c]`` to ``first[c + 1]``."""
        import numpy as np

        begins = first[hits.indices]
        counts = first[hits.indices + 1] - begins
        of_hit = np.repeat(np.arange(len(counts)), counts)
        before = np.cumsum(counts) - counts
        pieces = np.arange(len(of_hit)) - before[of_hit] + begins[of_hit]
        return cls(hits.questions[of_hit], of_hit, pieces)


def _least(
    rows: _Rows, scores: NDArray[np.float64], hits: Hits, share: float
) -> NDArray[np.float64]:
    """Return for each hit the score that a piece must have to stay."""
    import numpy as np

    best_of_hit = np.full(len(hits.indices), -np.inf)
    np.maximum.at(best_of_hit, rows.hits, scores)
    best = np.full(len(hits), -np.inf)
    question, is_leading = hits.questions, hits.ranks < LEADING_HITS
    np.maximum.at(best, question[is_leading], best_of_hit[is_leading])
    # Where nothing has to do with the question, nothing says what to cut.
    wanted = np.where(best > 0, share * best, -np.inf)
    least: NDArray[np.float64] = np.minimum(wanted[question], best_of_hit)
    return least


def best_run(units: list[Range], scores: list[float], size: Size, room: int) -> Range:
    """Return the run of units that fits and has most to do with the question; empty if none fits.

    That is the one with the greatest sum of scores, each times its length; of equal ones the
    longer, then the first. Takes linear time, and as many sizes.

    Parameters
    ----------
    units
        Where they stand in the text, in order.
    scores
        How much each has to do with the question.
    size
        Gives the size of a part of the text.
    room
        The greatest size that fits.
    """
    weights = [
        max(score, 0.0) * (end - start) for score, (start, end) in zip(scores, units, strict=True)
    ]
    sums = [0.0, *accumulate(weights)]
    best, kept, last = (0.0, 0), (0, 0), 0
    for first, (start, _) in enumerate(units):
        last = max(last, first)
        while last < len(units) and size(start, units[last][1]) <= room:
            last += 1
        if first < last:
            end = units[last - 1][1]
            found = sums[last] - sums[first], end - start
            if found > best:
                best, kept = found, (start, end)
    return kept


def pieces_of(texts: list[str]) -> Chunks:
    """Return the pieces of chunks: whole sentences, as many as fit."""
    from chunkwright.chunking import Sentence

    return Sentence(max_tokens=PIECE_TOKENS).batch(texts)


def sentences_of(texts: list[str]) -> Chunks:
    """Return the sentences of chunks, each by itself."""
    from chunkwright.chunking import Sentence

    return Sentence(sentences=1).batch(texts)


def _shares(words: Bm25Index, rows: _Rows, questions: list[str]) -> NDArray[np.float64]:
    """Return the score by words of each row's piece, as a share of what no piece can exceed."""
    import numpy as np

    bounds = words.bounds(questions)
    scores = np.zeros(len(rows.pieces))
    n_questions = max(1, SCORES_BYTES // (_SCORE_BYTES * max(1, len(words))))
    for first in range(0, len(questions), n_questions):
        table = words.scores(questions[first : first + n_questions])
        part = slice(*np.searchsorted(rows.questions, [first, first + n_questions]).tolist())
        scores[part] = table[rows.questions[part] - first, rows.pieces[part]]
    bound = bounds[rows.questions]
    return scores / np.where(bound > 0, bound, 1.0)
