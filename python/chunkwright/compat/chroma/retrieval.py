"""Exact nearest-neighbour search for Chroma's evaluation, in place of its database."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from chunkwright.embed import EmbedderLike
from chunkwright.errors import MissingExtraError, ModelError

from .embedding import Around, RateLimiter, cached_vectors, vectors_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.floating[Any]]

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
    found: list[list[int]] = []
    for start in range(0, len(asked), size):
        block = asked[start : start + size].astype(np.float64)
        # The question's own length changes no order.
        distances = (norms - 2 * (block @ distinct.T))[:, which]
        found += (_least(row, k).tolist() for row in distances)
    return found


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
