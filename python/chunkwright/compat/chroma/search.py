"""Searches of Chroma's evaluation: a text in a document, and the chunks nearest to a question."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from chunkwright.embed import EmbedderLike
from chunkwright.errors import MissingExtraError, ModelError
from chunkwright.evaluation.locating import Searched, Sentences, sorted_words

from .embedding import Around, RateLimiter, cached_vectors, vectors_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.floating[Any]]


_NO_WORD = re.compile(r"\W")
# The core reads a lone surrogate as what stands for it: for these an expression has to look.
_STAND_IN = re.compile("[\ud800-\udfff\ufffd]")
# What the peer leaves out of words for being no ASCII; letters beyond it stay.
_LATIN_1 = dict.fromkeys(range(0x80, 0x100))

Found = tuple[str, int, int]


def find_query_despite_whitespace(document: str, query: str) -> Found | None:
    r"""Find a text whose words may be further apart, or nearer, and in other letter case.

    Returns
    -------
    tuple or None
        What stands in the document, and from where to where.

    Examples
    --------
    >>> from chunkwright.compat.chroma import find_query_despite_whitespace
    >>> find_query_despite_whitespace("It\nrained for  days.", "rained FOR days")
    ('rained for  days', 3, 19)
    """
    words = query.split()
    if not words:
        return "", 0, 0
    if _STAND_IN.search(query):
        match = re.search(r"\s*".join(map(re.escape, words)), document, re.IGNORECASE)
        return None if match is None else (match[0], *match.span())
    found = _searched(document).spaced(query)
    return None if found is None else (document[slice(*found)], *found)


def rigorous_document_search(document: str, target: str) -> Found | None:
    """Find a text in a document, without its last full stop.

    It is looked for as it is; then with other whitespace and letter case; then as the words of one
    sentence, in any order, where 98 % have to be the same.

    Returns
    -------
    tuple or None
        What stands in the document, and from where to where.

    Raises
    ------
    MissingExtraError
        If it comes to single sentences, and rapidfuzz is not installed.

    Examples
    --------
    >>> from chunkwright.compat.chroma import rigorous_document_search
    >>> rigorous_document_search("The cat sat. It rained.", "Sat the cat.")
    ('The cat sat', 0, 11)
    """
    target = target.removesuffix(".")
    start = document.find(target)
    if start != -1:
        return target, start, start + len(target)
    return find_query_despite_whitespace(document, target) or _find_sentence(document, target)


def _find_sentence(document: str, target: str) -> Found | None:
    # Nothing is like nothing: a target without words is the first sentence without any.
    cleaned = _NO_WORD.sub(" ", target).lower()
    place = _sentences(document).find(_words(cleaned), blank=True)
    return None if place is None else (document[slice(*place)], *place)


@lru_cache(maxsize=1)
def _searched(document: str) -> Searched:
    return Searched(document)


@lru_cache(maxsize=1)
def _sentences(document: str) -> Sentences:
    return Sentences(document, words=_words)


def _words(text: str) -> str:
    return sorted_words(text.translate(_LATIN_1))


# Distances that are computed at once.
BLOCK = 1 << 21


def nearest_chunks(  # noqa: PLR0913 - options of one run
    chunks: list[str],
    questions: list[str],
    function: EmbedderLike,
    k: int,
    *,
    folder: str | os.PathLike[str] | None = None,
    limiter: RateLimiter | None = None,
    shown: bool = False,
) -> list[list[int]]:
    """Return for each question the numbers of the `k` chunks that are nearest, the nearest first.

    Parameters
    ----------
    chunks, questions
        The texts.
    function
        Gives them vectors.
    k
        How many chunks, or as many as there are.
    folder
        Where the chunks' vectors are kept.
    limiter
        Waits before each call of the function.
    shown
        Whether to show how far it is.

    Raises
    ------
    ModelError
        If a text gets no vector of finite numbers.
    """
    if not chunks or k < 1:
        return [[] for _ in questions]
    with _progress_of(len(chunks), "chunks", shown=shown) as tell:
        around = _around(limiter, tell)
        if folder is None:
            vectors = vectors_of(function, chunks, around)
        else:
            vectors = cached_vectors(function, chunks, folder, around)
    with _progress_of(len(questions), "questions", shown=shown) as tell:
        asked = vectors_of(function, questions, _around(limiter, tell))
    return nearest(_checked(vectors, "chunk"), _checked(asked, "question"), k)


def nearest(vectors: Matrix, asked: Matrix, k: int) -> list[list[int]]:
    """Return for each row of one matrix the `k` nearest rows of the other.

    Near is what has a small Euclidean distance, Chroma's default; of rows that are as near the
    first comes first. Time grows with the product of both numbers of rows, memory with their sum.

    Raises
    ------
    ModelError
        If the rows are of different lengths.
    """
    import numpy as np

    if vectors.shape[1] != asked.shape[1]:
        raise ModelError(
            f"the embedder gave vectors of {vectors.shape[1]} values for the chunks, "
            f"{asked.shape[1]} for the questions"
        )
    distinct, which = _distinct(vectors.astype(np.float64))
    norms = np.einsum("ij,ij->i", distinct, distinct)
    size = max(1, BLOCK // len(vectors))
    rows_of_numbers: list[list[int]] = []
    for start in range(0, len(asked), size):
        block = asked[start : start + size].astype(np.float64)
        # The question's own length changes no order.
        distances = (norms - 2 * (block @ distinct.T))[:, which]
        rows_of_numbers += (_least(row, k).tolist() for row in distances)
    return rows_of_numbers


def _distinct(vectors: Matrix) -> tuple[Matrix, NDArray[np.int64]]:
    """Return the rows that differ, and which of them each row is.

    The same row twice in one product of matrices may give two numbers that differ in rounding,
    and whoever is nearer would be by chance.
    """
    import numpy as np

    numbers: dict[bytes, int] = {}
    which = np.array([numbers.setdefault(row.tobytes(), len(numbers)) for row in vectors])
    _, first = np.unique(which, return_index=True)
    return vectors[first], which


def _least(row: NDArray[np.float64], k: int) -> NDArray[np.int64]:
    """Return where the `k` least numbers are, the least first, of equal ones the first first."""
    import numpy as np

    if k >= len(row):
        return np.argsort(row, kind="stable")
    candidates = np.flatnonzero(row <= np.partition(row, k - 1)[k - 1])
    return candidates[np.argsort(row[candidates], kind="stable")][:k]


def _checked(vectors: Matrix, kind: str) -> Matrix:
    import numpy as np

    odd = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if len(odd):
        value = next(value for value in vectors[odd[0]] if not np.isfinite(value))
        raise ModelError(f"the embedder gave {value} in the vector of {kind} {odd[0]}")
    return vectors


def _around(limiter: RateLimiter | None, tell: Any) -> Around:
    def around(batches: list[list[str]]) -> Iterator[list[str]]:
        for batch in batches:
            for part in (batch,) if limiter is None else _allowed(batch, limiter):
                yield part
                tell(len(part))

    return around


def _allowed(batch: list[str], limiter: RateLimiter) -> Iterator[list[str]]:
    """Yield a batch in parts that a minute allows, each when it does."""
    part: list[str] = []
    total = 0
    most = limiter.max_tokens_per_minute or float("inf")
    for text in batch:
        n_tokens = limiter.count_tokens([text])
        if part and total + n_tokens > most:
            limiter.wait_for_available_quota(total, 1)
            yield part
            part, total = [], 0
        part.append(text)
        total += n_tokens
    limiter.wait_for_available_quota(total, 1)
    yield part


@contextmanager
def _progress_of(total: int, what: str, *, shown: bool) -> Iterator[Any]:
    """Give a function that is told how many texts more are embedded, and may show it."""
    if not shown:
        yield lambda _: None
        return
    try:
        from rich.console import Console
        from rich.progress import MofNCompleteColumn, Progress
    except ImportError as error:
        raise MissingExtraError("a progress bar", "cli") from error

    columns = (*Progress.get_default_columns(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(f"embedding {what}", total=total)
        yield lambda n: progress.advance(task, n)
