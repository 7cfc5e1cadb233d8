"""Smoothing of vectors and scores over neighbouring chunks."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

from chunkwright import _core
from chunkwright.checks import checked_number
from chunkwright.retrieval.steps.checks import matrix
from chunkwright.retrieval.steps.neighbours import NEIGHBOUR_SMOOTHING, REACH, neighbours_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


def smooth(
    vectors: ArrayLike,
    doc_ids: Iterable[Hashable],
    *,
    n_tokens: ArrayLike | None = None,
    neighbour_smoothing: float = NEIGHBOUR_SMOOTHING,
    reach: float = REACH,
) -> NDArray[np.float32]:
    """Move the vector of each chunk towards those of its neighbours in the same document.

    The result is the direction of the chunk's own vector plus ``neighbour_smoothing`` times the sum
    of all its neighbours' vectors, each scaled to the length ``exp(-distance / reach)``; the
    distance is the number of tokens between the middles of the two chunks. A vector of zeros stays
    zero, and adds nothing. Takes linear time.

    Parameters
    ----------
    vectors
        The vectors of the chunks, in the order of their documents, shape ``(n, d)``.
    doc_ids
        The document of each chunk: a name, a number, or any other hashable value. Chunks of other
        documents are not neighbours.
    n_tokens
        The sizes of the chunks; None: 100 each. Neighbours count fully for a chunk of up to 150
        tokens, not at all for one of 300 or more, and in proportion in between.
    neighbour_smoothing
        The weight of a neighbour at distance 0; that of the chunk itself is 1.
    reach
        How far neighbours count, in tokens.

    Returns
    -------
    numpy.ndarray
        Vectors of unit length, shape ``(n, d)``.

    Raises
    ------
    ConfigError
        If an option is out of range, or there is not one of each for every chunk.
    ModelError
        If a number is not finite.

    Examples
    --------
    >>> smooth([[1, 0], [0, 1], [0, 1]], ["a", "a", "b"]).round(2)
    array([[0.96, 0.29],
           [0.29, 0.96],
           [0.  , 1.  ]], dtype=float32)
    """
    rows = matrix("vectors", vectors)
    neighbours = neighbours_of(doc_ids, len(rows), n_tokens, reach)
    smoothing = checked_number("neighbour_smoothing", neighbour_smoothing, least=0)
    return smoothed_vectors(rows, neighbours, smoothing)


def smooth_scores(
    scores: ArrayLike,
    doc_ids: Iterable[Hashable],
    *,
    n_tokens: ArrayLike | None = None,
    neighbour_smoothing: float = NEIGHBOUR_SMOOTHING,
    reach: float = REACH,
) -> NDArray[np.float32]:
    """Add to each score the scores of its neighbours in the same document.

    They are summed with the weights of :func:`smooth`, times ``neighbour_smoothing``. For BM25,
    sharing counts of words finds more than sharing scores: pass ``doc_ids`` to :func:`bm25`. This
    is for scores from other sources.

    Parameters
    ----------
    scores
        A row for each question, a column for each chunk, shape ``(q, n)``.
    doc_ids, n_tokens, neighbour_smoothing, reach
        As for :func:`smooth`.

    Returns
    -------
    numpy.ndarray
        Shape ``(q, n)``.

    Raises
    ------
    ConfigError
        If an option is out of range, or there is not one of each for every chunk.
    ModelError
        If a score is not finite.

    Examples
    --------
    >>> smooth_scores([[1, 0, 0]], ["a", "a", "b"], neighbour_smoothing=1).round(2)
    array([[1.  , 0.61, 0.  ]], dtype=float32)
    """
    table = matrix("scores", scores)
    neighbours = neighbours_of(doc_ids, table.shape[1], n_tokens, reach)
    smoothing = checked_number("neighbour_smoothing", neighbour_smoothing, least=0)
    return smoothed_scores(table, neighbours, smoothing)


def smoothed_vectors(
    vectors: NDArray[np.floating[Any]], neighbours: _core.Neighbours, neighbour_smoothing: float
) -> NDArray[np.float32]:
    """Return vectors with what neighbours give."""
    import numpy as np

    if vectors.size == 0:
        return vectors.astype(np.float32)
    return np.asarray(_core.smooth_vectors(vectors.data, neighbours, neighbour_smoothing))


def smoothed_scores(
    scores: NDArray[np.floating[Any]], neighbours: _core.Neighbours, neighbour_smoothing: float
) -> NDArray[np.float32]:
    """Return scores with what neighbours give."""
    import numpy as np

    if scores.size == 0:
        return scores.astype(np.float32)
    return np.asarray(_core.smooth_scores(scores.data, neighbours, neighbour_smoothing))
