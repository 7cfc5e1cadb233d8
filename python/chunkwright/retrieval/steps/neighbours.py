"""Weights of neighbouring chunks in the same document, by their distance in tokens.

A chunk of a few sentences often does not name what it is about: its neighbours do. So they count a
little for how it is found, the less the more tokens are between, and for large chunks not at all.
The text of a chunk stays what it is, and no model is called.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING

from chunkwright import _core
from chunkwright.checks import checked_number
from chunkwright.errors import ConfigError
from chunkwright.retrieval.steps.checks import column

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

# At so many tokens between the middles of two chunks, one counts 1/e for the other.
REACH = 200.0
# No chunk is larger, and floats hold whole numbers up to it.
MAX_TOKENS = 2**53
# The size of chunks whose sizes are not known, in tokens.
USUAL_TOKENS = 100
# A word of a neighbour, or its vector, counts so much at no distance.
NEIGHBOUR_SMOOTHING = 0.5


def neighbours_of(
    doc_ids: Iterable[Hashable], n: int, n_tokens: ArrayLike | None, reach: float
) -> _core.Neighbours:
    """Return what ``n`` chunks count for each other.

    Parameters
    ----------
    doc_ids
        The document of each chunk; those of one lie behind one another.
    n
        How many there are.
    n_tokens
        Their sizes; None: all have the usual one.
    reach
        How far they count, in tokens.

    Raises
    ------
    ConfigError
        If an option is out of range, or there is not one of each for every chunk.
    """
    import numpy as np

    sizes = np.full(n, USUAL_TOKENS) if n_tokens is None else sizes_of(n_tokens, n)
    checked_number("reach", reach, least=0)
    documents = numbers_of(doc_ids, n)
    return _core.Neighbours(documents.data, sizes.astype(np.int64).data, float(reach))


def sizes_of(n_tokens: ArrayLike, n: int) -> NDArray[np.int64]:
    """Return the sizes of ``n`` chunks.

    Raises
    ------
    ConfigError
        If there is not one for every chunk, or one is no size; names the first.
    """
    import numpy as np

    sizes = column("n_tokens", n_tokens, n)
    is_size = (sizes >= 0) & (sizes <= MAX_TOKENS) & (sizes == np.floor(sizes))
    if not is_size.all():
        i = int(np.argmin(is_size))
        raise ConfigError(
            f"n_tokens must be whole numbers from 0 to 2^53, got {sizes[i]:g} for chunk {i}"
        )
    return sizes.astype(np.int64)


def known_ids(doc_ids: Iterable[Hashable]) -> list[Hashable]:
    """Return the documents of chunks as a list, which can be read more than once.

    Raises
    ------
    ConfigError
        If they are no several.
    """
    import numpy as np

    if isinstance(doc_ids, str | bytes):
        raise ConfigError(f"doc_ids must be one for each chunk, got {doc_ids!r}")
    try:
        return list(doc_ids.tolist() if isinstance(doc_ids, np.ndarray) else doc_ids)
    except TypeError:
        raise ConfigError(f"doc_ids must be one for each chunk, got {doc_ids!r}") from None


def numbers_of(doc_ids: Iterable[Hashable], n: int) -> NDArray[np.int64]:
    """Return a number for each of ``n`` chunks; equal for those of one document.

    Raises
    ------
    ConfigError
        If there is not one for every chunk, or chunks of one document have others between them.
    """
    import numpy as np

    given = known_ids(doc_ids)
    if len(given) != n:
        raise ConfigError(f"{n} chunks need as many doc_ids, got {len(given)}")
    numbers: dict[Hashable, int] = {}
    try:
        found = np.array([numbers.setdefault(doc, len(numbers)) for doc in given], np.int64)
    except TypeError as error:
        raise ConfigError(f"doc_ids must be hashable: {error}") from None
    # Documents are numbered as they come: a smaller number is one that was there before.
    if (again := np.flatnonzero(np.diff(found) < 0)).size:
        i = int(again[0]) + 1
        raise ConfigError(
            f"the chunks of a document must lie behind one another: chunk {i} is of "
            f"{given[i]!r} again, chunk {i - 1} of {given[i - 1]!r}"
        )
    return found
