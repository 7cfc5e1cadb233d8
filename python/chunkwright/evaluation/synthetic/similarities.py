"""Cosine similarities of questions with their excerpts, and with each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from chunkwright.embed.protocol import Embed, Embedder, EmbedderLike, as_embedder, query_method
from chunkwright.embed.vectors import matrix_of
from chunkwright.errors import ModelError
from chunkwright.evaluation.data.questions import Question

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.floating[Any]]

# Of a question that has no excerpt: less than of any other.
_WITHOUT = -1.0


def worst_similarities(questions: Sequence[Question], embedder: EmbedderLike) -> list[float]:
    """Return for each question the least cosine similarity that it has with one of its excerpts.

    Parameters
    ----------
    questions
        The questions; one without excerpts gets -1.
    embedder
        Gives vectors; see `chunkwright.embed.as_embedder`.

    Raises
    ------
    ModelError
        If it gives no vector of finite numbers for each text.
    """
    model = as_embedder(embedder)
    texts = list(dict.fromkeys(each.text for every in questions for each in every.excerpts))
    if not texts:
        return [_WITHOUT] * len(questions)
    asked = _of_questions(questions, model)
    vectors = _unit(model.embed, texts)
    if asked.shape[1] != vectors.shape[1]:
        sizes = f"{asked.shape[1]} values for questions, {vectors.shape[1]} for excerpts"
        raise ModelError(f"the embedder gave vectors of {sizes}")
    numbers = {text: number for number, text in enumerate(texts)}
    found = []
    for question, vector in zip(questions, asked, strict=True):
        rows = [numbers[each.text] for each in question.excerpts]
        found.append(float((vectors[rows] @ vector).min()) if rows else _WITHOUT)
    return found


def repeated_similarities(
    questions: Sequence[Question], embedder: EmbedderLike, threshold: float
) -> list[float | None]:
    """Return for each question how similar it is to an earlier one; None if it is to none.

    Earlier ones count that are themselves not similar to one before. Takes a time that grows with
    the square of the number of questions, and memory that grows with it.

    Parameters
    ----------
    questions
        The questions, of one corpus.
    embedder
        Gives vectors; see `chunkwright.embed.as_embedder`.
    threshold
        The cosine similarity above which two questions are one; those of equal texts always are.

    Raises
    ------
    ModelError
        If it gives no vector of finite numbers for each text.
    """
    import numpy as np

    found: list[float | None] = [None] * len(questions)
    first: dict[str, int] = {}
    for number, question in enumerate(questions):
        if first.setdefault(question.text, number) != number:
            found[number] = 1.0
    numbers = list(first.values())
    vectors = _of_questions([questions[number] for number in numbers], as_embedder(embedder))
    for row, number in enumerate(numbers):
        if found[number] is None:
            likeness = vectors[row + 1 :] @ vectors[row]
            for later in np.flatnonzero(likeness > threshold).tolist():
                at = numbers[row + 1 + later]
                found[at] = float(likeness[later]) if found[at] is None else found[at]
    return found


def _of_questions(questions: Sequence[Question], embedder: Embedder) -> Matrix:
    return _unit(query_method(embedder) or embedder.embed, [each.text for each in questions])


def _unit(embed: Embed, texts: list[str]) -> Matrix:
    """Return vectors of length 1; one of zeros stays what it is."""
    import numpy as np

    vectors = matrix_of(embed(texts), len(texts)).astype(np.float64)
    if not np.isfinite(vectors).all():
        row = int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[0])
        raise ModelError(f"the embedder gave a number that is not finite, for {texts[row]!r:.80}")
    # Taken by the largest value first, no square overflows.
    vectors /= np.maximum(np.abs(vectors).max(axis=1, keepdims=True), np.finfo(np.float64).tiny)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(lengths == 0, 1, lengths)
