"""Questions of a search, with their vectors and the chunks that may answer them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chunkwright.errors import ConfigError
from chunkwright.retrieval.steps.checks import unmasked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, eq=False)
class Questions:
    """Questions that an index is asked together.

    Parameters
    ----------
    texts
        The questions.
    vectors
        Their vectors; None if these do not count.
    rows
        The chunks that may be found, ascending; None: all.
    """

    texts: list[str]
    vectors: NDArray[np.float32] | None
    rows: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.texts)

    def at(self, numbers: NDArray[np.int64]) -> Questions:
        """Return the questions with these numbers."""
        texts = [self.texts[number] for number in numbers.tolist()]
        vectors = None if self.vectors is None else self.vectors[numbers]
        return replace(self, texts=texts, vectors=vectors)

    def parts(self, n: int) -> Iterator[Questions]:
        """Yield the questions, so many at once."""
        for first in range(0, len(self), n):
            part = slice(first, first + n)
            vectors = None if self.vectors is None else self.vectors[part]
            yield replace(self, texts=self.texts[part], vectors=vectors)


def checked_rows(rows: ArrayLike, n: int) -> NDArray[np.int64]:
    """Return numbers of chunks, of which there are ``n``.

    Raises
    ------
    ConfigError
        If they are none, or do not ascend; names the first.
    """
    import numpy as np

    try:
        array = np.asarray(unmasked("rows", rows))
    except ValueError as error:
        raise ConfigError(f"rows must be numbers of chunks: {error}") from None
    if not array.size:
        array = array.astype(np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        got = f"an array of shape {array.shape} of {array.dtype}"
        raise ConfigError(f"rows must be numbers of chunks, got {got}")
    for is_wrong, must in (
        ((array < 0) | (array >= n), f"be from 0 to below {n}"),
        (np.concatenate([[False], array[1:] <= array[:-1]]), "ascend"),
    ):
        if is_wrong.any():
            at = int(np.argmax(is_wrong))
            raise ConfigError(f"rows must {must}, got {array[at]} at place {at}")
    return np.ascontiguousarray(array, np.int64)
