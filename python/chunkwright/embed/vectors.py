"""Conversion of an embedder's output to a checked matrix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from chunkwright.errors import ModelError
from chunkwright.messages.terminal_text import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def of_unit_length(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return vectors of unit length, shape ``(n, d)``; zeros stay zeros."""
    import numpy as np

    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    lengths[lengths == 0] = 1
    found: NDArray[np.float32] = rows / lengths
    return found


def matrix_of(given: object, n_texts: int) -> NDArray[np.floating[Any]]:
    """Return what an embedder gave as a matrix that the core can read.

    Parameters
    ----------
    given
        An array, a tensor, lists or an iterator over vectors.
    n_texts
        How many vectors there should be.

    Returns
    -------
    numpy.ndarray
        Of shape ``(n_texts, d)``, rows behind one another: float32 and float64 as they are, other
        numbers as float32. Whether they are finite is seen where they are read.

    Raises
    ------
    ModelError
        If it is no matrix of numbers, has masked entries, or another number of rows.
    """
    import numpy as np

    if (place := masked_place(given)) is not None:
        raise ModelError(f"the embedder gave a masked array, in which {place} is missing")
    matrix = _array(given)
    if matrix.dtype.kind not in "fiu":
        kind = f"{type(given).__name__} of type {matrix.dtype}"
        raise ModelError(f"the embedder gave no numbers, but {kind}")
    if matrix.ndim != 2 or matrix.shape[1] == 0:  # noqa: PLR2004 - rows and columns
        raise ModelError(
            f"the embedder must give an array of shape ({n_texts}, d), got {matrix.shape}"
        )
    if len(matrix) != n_texts:
        raise ModelError(
            f"the embedder gave {counted(len(matrix), 'vector')} for {counted(n_texts, 'text')}"
        )
    # Numbers of higher precision that are too large become infinite, which is seen later.
    with np.errstate(over="ignore"):
        return np.require(matrix, _precision(matrix), ["C", "A"])


def masked_place(given: object) -> str | None:
    """Return where the first masked entry of an array is, such as ``[0, 3]``, if there is one.

    A masked array is read below its mask by whoever takes it for an ordinary one.
    """
    import numpy as np

    if not isinstance(given, np.ma.MaskedArray):
        return None
    masked = np.argwhere(np.ma.getmaskarray(given))
    return str(masked[0].tolist()) if len(masked) else None


def _array(given: object) -> NDArray[Any]:
    import numpy as np

    try:
        rows = list(given) if isinstance(given, Iterator) else given
        return np.asarray(rows)
    except Exception as error:
        reason = _ragged(given) or f"an array cannot be made of {type(given).__name__}: {error}"
        raise ModelError(f"the embedder gave no vectors: {reason}") from error


def _precision(matrix: NDArray[Any]) -> type[np.floating[Any]]:
    import numpy as np

    is_double = matrix.dtype.kind == "f" and matrix.dtype.itemsize >= np.float64().itemsize
    return np.float64 if is_double else np.float32


def _ragged(given: object) -> str | None:
    """Say which row is of another length than the first."""
    if not isinstance(given, Sequence) or not all(isinstance(row, Sequence) for row in given):
        return None
    odd = (i for i, row in enumerate(given) if len(row) != len(given[0]))
    return next(
        (f"row {i} has {len(given[i])} values, row 0 has {len(given[0])}" for i in odd), None
    )
