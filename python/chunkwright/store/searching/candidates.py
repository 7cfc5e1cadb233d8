"""Candidates of a search: hits with their reasons, and shadows of those that are borderline.

A block that fits well is a hit by itself. Of one between the floor and the gate, the ends of its
neighbours are searched: where one of them speaks to the question, block and neighbour are a hit
together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chunkwright.store.searching.found import Side, Why

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkwright.retrieval.hits import Hits
    from chunkwright.retrieval.index import Index
    from chunkwright.retrieval.options import Options, Questions
    from chunkwright.store.searching.rows import BlockRows

# A shadow speaks to a question that has this share of what the question's words can give.
SHADOW_SHARE = 0.35
_SIDES: tuple[Side, Side] = ("prefix", "suffix")
# Shadows of the first so many candidates are searched, however many hits are asked for.
MOST_SHADOWED = 160


@dataclass(frozen=True)
class Thresholds:
    """Scores between which shadows are searched.

    Attributes
    ----------
    floor
        What is below is no hit.
    gate
        What is not below is a hit by itself.
    shadow
        The share of the question's words that makes a shadow speak to it.
    """

    floor: float | None = None
    gate: float | None = None
    shadow: float = SHADOW_SHARE


@dataclass(frozen=True)
class Candidate:
    """A block that may be a hit.

    Attributes
    ----------
    row
        Its row in the index.
    score
        How well it fits.
    why
        Why.
    start, end
        The part of its text that was kept; None as the end: all from the start.
    beside
        The row of the neighbour that belongs to it; None without.
    """

    row: int
    score: float
    why: Why
    start: int = 0
    end: int | None = None
    beside: int | None = None


def candidates_of(
    index: Index, options: Options, question: Questions, hits: Hits
) -> list[Candidate]:
    """Return the hits of a question with their reasons, best first.

    Parameters
    ----------
    index, options
        The index, and the options of its retriever.
    question
        The question.
    hits
        What was found. Its chunks are not read.
    """
    if not len(hits.indices):
        return []
    reasons = index.scoring.parts(question, hits)
    by_words, by_vectors = options.words, options.embedder is not None
    starts = [0] * len(hits.indices) if hits.starts is None else hits.starts.tolist()
    ends = [None] * len(hits.indices) if hits.ends is None else hits.ends.tolist()
    found = []
    for row, score, start, end in zip(
        hits.indices.tolist(), hits.scores.tolist(), starts, ends, strict=True
    ):
        words, vectors, cosine = reasons[row]
        why = Why(
            words=words if by_words else None,
            vectors=vectors if by_vectors else None,
            cosine=cosine if by_vectors else None,
        )
        # Scores of words alone are made comparable over questions.
        found.append(Candidate(row, score if by_vectors else words, why, start, end))
    return found


def with_shadows(
    found: Sequence[Candidate],
    index: Index,
    rows: BlockRows,
    question: str,
    thresholds: Thresholds,
) -> list[Candidate]:
    """Return the candidates over the floor, those below the gate with what their shadows say.

    Scores are those that hits are given: a reranker's, where there is one.

    Parameters
    ----------
    found
        The candidates, best first.
    index, rows
        The index and its blocks.
    question
        The question.
    thresholds
        The scores between which shadows are searched.
    """
    floor, gate = thresholds.floor, thresholds.gate
    over = [each for each in found if floor is None or each.score >= floor]
    if gate is None:
        return over
    borderline = [each for each in over[:MOST_SHADOWED] if each.score < gate]
    shadows = [
        (each, side, text)
        for each, pair in zip(borderline, rows.shadows([of.row for of in borderline]), strict=True)
        for side, text in zip(_SIDES, pair, strict=True)
        if text
    ]
    if not shadows:
        return over
    shares = index.word_shares(question, [text for _, _, text in shadows]).tolist()
    best: dict[int, tuple[float, Side]] = {}
    for (each, side, _), share in zip(shadows, shares, strict=True):
        if share >= max(thresholds.shadow, best.get(each.row, (0.0, side))[0]):
            best[each.row] = share, side
    widened = [_widened(each, best.get(each.row), gate) for each in over]
    widened.sort(key=lambda each: -each.score)
    beside = {each.beside for each in widened}
    return [each for each in widened if each.beside is not None or each.row not in beside]


def _widened(of: Candidate, match: tuple[float, Side] | None, gate: float) -> Candidate:
    """Return a candidate with its neighbour: its score rises towards the gate, and not over it."""
    if match is None:
        return of
    share, side = match
    why = replace(of.why, shadow=side, shadow_score=share)
    beside = of.row - 1 if side == "prefix" else of.row + 1
    score = of.score + (gate - of.score) * min(1.0, share)
    return replace(of, why=why, beside=beside, score=score)
