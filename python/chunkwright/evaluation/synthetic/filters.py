"""Filters of questions: those whose excerpts do not fit, and those that say the same again."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chunkwright.checks import checked_number
from chunkwright.embed.protocol import Embed, Embedder, EmbedderLike, as_embedder, query_method
from chunkwright.embed.vectors import matrix_of
from chunkwright.errors import ModelError
from chunkwright.evaluation.data.questions import Question
from chunkwright.evaluation.synthetic.table import make_writable, read_files

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.floating[Any]]


# Similarity of a question without excerpts: lower than that of any other.
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
    texts = list(dict.fromkeys(excerpt.text for every in questions for excerpt in every.excerpts))
    if not texts:
        return [_WITHOUT] * len(questions)
    asked = _of_questions(questions, model)
    vectors = _unit(model.embed, texts)
    if asked.shape[1] != vectors.shape[1]:
        sizes = f"{asked.shape[1]} values for questions, {vectors.shape[1]} for excerpts"
        raise ModelError(f"the embedder gave vectors of {sizes}")
    numbers = {text: number for number, text in enumerate(texts)}
    worst = []
    for question, vector in zip(questions, asked, strict=True):
        rows = [numbers[excerpt.text] for excerpt in question.excerpts]
        worst.append(float((vectors[rows] @ vector).min()) if rows else _WITHOUT)
    return worst


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

    highest: list[float | None] = [None] * len(questions)
    first: dict[str, int] = {}
    for number, question in enumerate(questions):
        if first.setdefault(question.text, number) != number:
            highest[number] = 1.0
    numbers = list(first.values())
    vectors = _of_questions([questions[number] for number in numbers], as_embedder(embedder))
    for row, number in enumerate(numbers):
        if highest[number] is None:
            likeness = vectors[row + 1 :] @ vectors[row]
            for later in np.flatnonzero(likeness > threshold).tolist():
                at = numbers[row + 1 + later]
                highest[at] = float(likeness[later]) if highest[at] is None else highest[at]
    return highest


def _of_questions(questions: Sequence[Question], embedder: Embedder) -> Matrix:
    return _unit(query_method(embedder) or embedder.embed, [each.text for each in questions])


def _unit(embed: Embed, texts: list[str]) -> Matrix:
    """Return vectors of length 1; one of zeros stays what it is."""
    import numpy as np

    vectors = matrix_of(embed(texts), len(texts)).astype(np.float64)
    if not np.isfinite(vectors).all():
        row = int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[0])
        raise ModelError(f"the embedder gave a number that is not finite, for {texts[row]!r:.80}")
    # Divide by the largest value first, so that no square overflows.
    vectors /= np.maximum(np.abs(vectors).max(axis=1, keepdims=True), np.finfo(np.float64).tiny)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(lengths == 0, 1, lengths)


EXCERPT_THRESHOLD = 0.36
DUPLICATE_THRESHOLD = 0.78

# For each question its similarity if it is left out, else None.
_Judge = Callable[[Sequence[Question], Embedder], list["float | None"]]


@dataclass(frozen=True, slots=True)
class Dropped:
    """A question that was left out.

    Parameters
    ----------
    question
        The question.
    similarity
        The cosine similarity that was too small, or too large.
    """

    question: Question
    similarity: float


@dataclass(frozen=True, slots=True)
class Filtered:
    """Questions that a filter left, and those that it left out.

    Parameters
    ----------
    kept
        The questions that are left, in their order.
    dropped
        The others.
    """

    kept: tuple[Question, ...]
    dropped: tuple[Dropped, ...]


def filter_excerpts(
    questions: str | os.PathLike[str] | Sequence[Question],
    embedder: EmbedderLike,
    *,
    threshold: float = EXCERPT_THRESHOLD,
) -> Filtered:
    """Leave out questions of which an excerpt has too little to do with the question.

    Parameters
    ----------
    questions
        A file of a generator, or of Chroma's report, which is then written anew; or questions.
    embedder
        Gives vectors of questions and excerpts; see `chunkwright.embed.as_embedder`.
    threshold
        A question is left out if the cosine similarity with its worst excerpt is below it. 0.36 is
        what Chroma's package has for OpenAI's text-embedding-3-large: other models need another
        one. Look at what is `dropped`.

    Raises
    ------
    ConfigError
        If it is no embedder, or the file cannot be written.
    ReadError
        If the file cannot be read, or a row is not what it should be.
    ModelError
        If the embedder gives no vector of finite numbers for each text.

    Examples
    --------
    >>> from chunkwright.evaluation import Excerpt, Question
    >>> from chunkwright.evaluation.synthetic import filter_excerpts
    >>> built = Question("When was the mill built?", "mill", (Excerpt("mill was built", 4, 18),))
    >>> cats = Question("What do cats hunt?", "mill", (Excerpt("It burnt down.", 27, 41),))
    >>> filtered = filter_excerpts([built, cats], "lexical", threshold=0.2)
    >>> filtered.kept == (built,), filtered.dropped[0].question == cats
    (True, True)
    """

    def judge(some: Sequence[Question], model: Embedder) -> list[float | None]:
        worst = worst_similarities(some, model)
        return [similarity if similarity < threshold else None for similarity in worst]

    return _filtered("excerpts", questions, embedder, threshold, judge)


def filter_duplicates(
    questions: str | os.PathLike[str] | Sequence[Question],
    embedder: EmbedderLike,
    *,
    threshold: float = DUPLICATE_THRESHOLD,
) -> Filtered:
    """Leave out questions that say almost the same as an earlier one about their corpus.

    Parameters
    ----------
    questions
        A file of a generator, or of Chroma's report, which is then written anew; or questions.
    embedder
        Gives vectors of questions; see `chunkwright.embed.as_embedder`.
    threshold
        A question is left out if its cosine similarity with an earlier one that is kept is above
        it. 0.78 is what Chroma's package has for OpenAI's text-embedding-3-large: other models
        need another one. Look at what is `dropped`.

    Raises
    ------
    ConfigError
        If it is no embedder, or the file cannot be written.
    ReadError
        If the file cannot be read, or a row is not what it should be.
    ModelError
        If the embedder gives no vector of finite numbers for each text.

    Examples
    --------
    >>> from chunkwright.evaluation import Excerpt, Question
    >>> from chunkwright.evaluation.synthetic import filter_duplicates
    >>> excerpts = (Excerpt("built in 1743", 13, 26),)
    >>> texts = ["When was the mill built?", "When was the old mill built?", "Who owns it?"]
    >>> questions = [Question(text, "mill", excerpts) for text in texts]
    >>> [each.text for each in filter_duplicates(questions, "lexical").kept]
    ['When was the mill built?', 'Who owns it?']
    """

    def judge(some: Sequence[Question], model: Embedder) -> list[float | None]:
        return repeated_similarities(some, model, threshold)

    return _filtered("duplicates", questions, embedder, threshold, judge)


def _filtered(
    by: str,
    questions: str | os.PathLike[str] | Sequence[Question],
    embedder: EmbedderLike,
    threshold: float,
    judge: _Judge,
) -> Filtered:
    checked_number("threshold", threshold, least=-1, most=1)
    model = as_embedder(embedder)
    if not isinstance(questions, str | os.PathLike):
        return _split(questions, _judged(questions, model, judge))
    table, journal = read_files(questions)
    make_writable(table, journal)
    rows = table.questions()
    judged = _judged(rows, model, judge)
    filtered = _split(rows, judged)
    # Before the table, so that what is left out is never taken for what a crash left out.
    described = {"by": by, "threshold": threshold, "embedder": model.fingerprint}
    journal.note("filter", {**described, "n_dropped": len(filtered.dropped)})
    if filtered.dropped:
        table.replace(row for row, found in zip(table.rows, judged, strict=True) if found is None)
    return filtered


def _judged(questions: Sequence[Question], model: Embedder, judge: _Judge) -> list[float | None]:
    """Return what is said of each question among those of its corpus."""
    by_corpus: dict[str, list[int]] = {}
    for number, question in enumerate(questions):
        by_corpus.setdefault(question.corpus, []).append(number)
    judged: list[float | None] = [None] * len(questions)
    for numbers in by_corpus.values():
        similarities = judge([questions[number] for number in numbers], model)
        for number, similarity in zip(numbers, similarities, strict=True):
            judged[number] = similarity
    return judged


def _split(questions: Sequence[Question], judged: Sequence[float | None]) -> Filtered:
    pairs = list(zip(questions, judged, strict=True))
    return Filtered(
        tuple(question for question, found in pairs if found is None),
        tuple(Dropped(question, found) for question, found in pairs if found is not None),
    )
