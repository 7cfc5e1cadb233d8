"""Vectors of texts, as whatever embeds them gives them, checked and made unit length."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from chunkwright.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Embedder = Callable[[list[str]], Any]
"""Gives a vector for each text: an array, a tensor or lists, of shape ``(len(texts), d)``."""

# Vectors are made unit length in double precision, so many values at a time.
BLOCK_VALUES = 2**20


def embedded(embedder: Embedder, texts: list[str]) -> NDArray[np.float32]:
    """Return the vectors of ``texts``, of unit length; a vector of zeros stays one.

    Parameters
    ----------
    embedder
        Is called once, with all texts; not at all if there are none.
    texts
        The texts.

    Returns
    -------
    numpy.ndarray
        Shape ``(len(texts), d)``, float32, rows behind one another.

    Raises
    ------
    ModelError
        If the embedder fails, or gives no vector of finite numbers for a text: names the row.
    """
    import numpy as np

    if not texts:
        return np.zeros((0, 1), dtype=np.float32)
    try:
        given = embedder(texts)
    except Exception as error:
        raise ModelError(f"the embedder failed on {len(texts)} texts: {error!r}") from error
    return _unit(_matrix(given, len(texts)))


def _matrix(given: object, n_texts: int) -> NDArray[Any]:
    import numpy as np

    try:
        matrix = np.asarray(given)
    except Exception as error:
        reason = _ragged(given) or f"an array cannot be made of {type(given).__name__}: {error}"
        raise ModelError(f"the embedder gave no vectors: {reason}") from error
    if matrix.dtype.kind not in "fiu":
        kind = f"{type(given).__name__} of type {matrix.dtype}"
        raise ModelError(f"the embedder gave no numbers, but {kind}")
    if matrix.ndim != 2 or matrix.shape[1] == 0:  # noqa: PLR2004 - rows and columns
        raise ModelError(
            f"the embedder must give an array of shape ({n_texts}, d), got {matrix.shape}"
        )
    if len(matrix) != n_texts:
        raise ModelError(f"the embedder gave {len(matrix)} vectors for {n_texts} texts")
    return matrix


def _ragged(given: object) -> str | None:
    """Say which row is of another length than the first."""
    if not isinstance(given, Sequence) or not all(isinstance(row, Sequence) for row in given):
        return None
    odd = (i for i, row in enumerate(given) if len(row) != len(given[0]))
    return next(
        (f"row {i} has {len(given[i])} values, row 0 has {len(given[0])}" for i in odd), None
    )


def _unit(matrix: NDArray[Any]) -> NDArray[np.float32]:
    import numpy as np

    unit = np.empty(matrix.shape, dtype=np.float32)
    n_rows = max(1, BLOCK_VALUES // matrix.shape[1])
    for start in range(0, len(matrix), n_rows):
        rows = matrix[start : start + n_rows].astype(np.float64)
        _check_finite(rows, start)
        # The largest value becomes 1 first, so that no square is too large or too small.
        _divide(rows, np.abs(rows).max(axis=1))
        _divide(rows, np.sqrt(np.square(rows).sum(axis=1)))
        unit[start : start + n_rows] = rows
    return unit


def _divide(rows: NDArray[np.float64], by: NDArray[np.float64]) -> None:
    """Divide each row by its own number, in place; by none that is zero."""
    by[by == 0] = 1
    rows /= by[:, None]


def _check_finite(rows: NDArray[np.float64], start: int) -> None:
    import numpy as np

    wrong = np.argwhere(~np.isfinite(rows))
    if len(wrong):
        row, column = wrong[0].tolist()
        raise ModelError(
            f"the embedder gave {rows[row, column]} as value {column} of row {start + row}"
        )
