"""Scores of questions: what words and vectors give to each chunk of one document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chunkwright.chunks import Chunks
    from chunkwright.embed import EmbedderLike
    from chunkwright.retrieval.index import Index

# Of so many chunks it is said what a search adds to them.
_MOST_EXPANDED = 12
_MOST_TOKENS = 1024


def question_scores(
    chunks: Chunks, questions: Sequence[str], embedder: EmbedderLike | None
) -> list[dict[str, Any]]:
    """Return for each question its text, and for each chunk the parts of its score.

    Parameters
    ----------
    chunks
        The chunks.
    questions
        The questions.
    embedder
        Gives vectors; None: words alone count.

    Raises
    ------
    ConfigError
        If a question is empty.
    ModelError
        If the embedder fails.
    """
    if not questions or not chunks:
        return [{"question": question, "scores": []} for question in questions]
    from chunkwright.retrieval.retriever import Retriever

    retriever = Retriever(embedder=embedder)
    index = retriever.index(chunks)
    weight = None if embedder is None else retriever.word_weight
    return [
        {"question": question, "scores": _scores(chunks, index, question, weight)}
        for question in questions
    ]


def _scores(
    chunks: Chunks, index: Index, question: str, word_weight: float | None
) -> list[dict[str, Any]]:
    """Return the scores of all chunks; without a weight of words there are no vectors."""
    found = index.explain(question, range(len(chunks)))
    rows: list[dict[str, Any]] = [
        {"words": words, "vectors": None, "total": words}
        if word_weight is None
        else {"words": words, "vectors": vectors, "total": word_weight * words + vectors}
        for words, vectors in zip(found.words.tolist(), found.vectors.tolist(), strict=True)
    ]
    ranked = sorted(range(len(rows)), key=lambda i: -float(rows[i]["total"]))
    for i in ranked[:_MOST_EXPANDED]:
        rows[i]["expanded"] = _expanded(chunks, i)
    return rows


def _expanded(chunks: Chunks, number: int) -> list[tuple[int, int]]:
    """Return what a search adds to a chunk: the rest of its section, or its neighbours."""
    from chunkwright.retrieval.expansion import expand

    chunk = chunks[number]
    wide = expand(chunk, to="section" if chunk.headings else "neighbours", max_tokens=_MOST_TOKENS)
    own = {(piece.start, piece.end) for piece in chunk.pieces if piece.role == "body"}
    return [
        (piece.start, piece.end) for piece in wide.pieces if (piece.start, piece.end) not in own
    ]
