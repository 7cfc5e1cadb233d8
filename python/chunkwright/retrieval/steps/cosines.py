"""Cosine similarity of chunks and questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright import _core
from chunkwright.errors import ConfigError
from chunkwright.retrieval.steps.checks import matrix

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


def cosine(vectors: ArrayLike, queries: ArrayLike) -> NDArray[np.float32]:
    """Return the cosine of each question's vector with each chunk's.

    Sums are taken in one order on every machine.

    Parameters
    ----------
    vectors
        The vectors of the chunks, shape ``(n, d)``: float32 or float64, of any length. A vector of
        zeros has the cosine 0 with every other.
    queries
        The vectors of the questions, shape ``(q, d)``.

    Returns
    -------
    numpy.ndarray
        Shape ``(q, n)``.

    Raises
    ------
    ConfigError
        If the shapes do not fit.
    ModelError
        If a number is not finite.

    Examples
    --------
    >>> cosine([[1, 0], [3, 4]], [[2, 0]])
    array([[1. , 0.6]], dtype=float32)
    """
    import numpy as np

    rows, questions = matrix("vectors", vectors), matrix("queries", queries)
    shape = len(questions), len(rows)
    if rows.shape[1] != questions.shape[1]:
        raise ConfigError(
            f"queries must have as many dimensions as vectors,"
            f" got {questions.shape[1]} and {rows.shape[1]}"
        )
    if not (rows.size and questions.size):
        return np.zeros(shape, np.float32)
    return np.asarray(_core.cosines(rows.data, questions.data))
