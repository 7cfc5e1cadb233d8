"""Top-k selection over scores, with chunks of equal text taken once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from chunkwright import _core
from chunkwright.checks import checked_int
from chunkwright.embed.texts import checked_texts
from chunkwright.errors import ConfigError
from chunkwright.retrieval.hits import Hits
from chunkwright.retrieval.steps.checks import matrix

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


def top_k(scores: ArrayLike, k: int, *, texts: Sequence[str] | None = None) -> Hits:
    """Return the chunks with the best scores for each question.

    Parameters
    ----------
    scores
        A row for each question, a column for each chunk, shape ``(q, n)``.
    k
        The largest number of chunks.
    texts
        The texts of the chunks: of chunks with equal texts, only the best is a hit.

    Returns
    -------
    Hits
        The hits, best first; of equal scores, the lower number comes first.

    Raises
    ------
    ConfigError
        If ``k`` is not a positive int, or there is not one text for each chunk.
    ModelError
        If a score is not finite.

    Examples
    --------
    >>> top_k([[0.1, 0.9, 0.5, 0.9]], k=3).indices.tolist()
    [1, 3, 2]
    >>> top_k([[0.1, 0.9, 0.5, 0.9]], k=3, texts=["a", "b", "c", "b"]).indices.tolist()
    [1, 2, 0]
    """
    table = matrix("scores", scores)
    n_chunks = table.shape[1]
    given = None if texts is None else checked_texts(texts)
    if given is not None and len(given) != n_chunks:
        raise ConfigError(f"{n_chunks} chunks need as many texts, got {len(given)}")
    numbers = None if given is None else groups_of(given)
    groups = None if numbers is None else _core.Groups(numbers.data)
    return best_of(table, checked_int("k", k, least=1), groups).among(given)


def best_of(scores: NDArray[np.floating], k: int, groups: _core.Groups | None) -> Hits:
    """Return the best scores; of a group only the best."""
    import numpy as np

    if not scores.size:
        return Hits(np.zeros(len(scores) + 1, np.int64), np.zeros(0, np.int64), np.zeros(0))
    return Hits.of(_core.top_k(scores.data, k, groups))


def groups_of(texts: Sequence[str]) -> NDArray[np.int64] | None:
    """Return for each text the number of the first that is equal; None if no two are."""
    import numpy as np

    first: dict[str, int] = {}
    groups = np.array([first.setdefault(text, i) for i, text in enumerate(texts)], np.int64)
    return groups if len(first) < len(groups) else None
