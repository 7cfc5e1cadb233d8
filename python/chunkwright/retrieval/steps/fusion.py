"""Fusion of vector scores and word scores into one ranking, by sum or by rank."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from chunkwright import _core
from chunkwright.checks import checked_name, checked_number
from chunkwright.errors import ConfigError
from chunkwright.retrieval.steps.checks import column, matrix

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

Fusion = Literal["sum", "rank"]
"""Ways to make two scores one: by their sum, or by the chunks' ranks."""

# What scores of words count, those of vectors counting 1.
WORD_WEIGHT = 1.5
# What ranks are added to before they are inverted; the constant of those who proposed it.
RANK_CONSTANT = 60.0


def standardise(cosines: ArrayLike, background: ArrayLike | None = None) -> NDArray[np.float32]:
    """Make cosines of different models comparable, so that they can be added to other scores.

    Cosines of unrelated texts are about 0.1 with one model and 0.8 with another. The result is
    ``x / sqrt(1 + x**2)``, where ``x`` is 0.15 for each standard deviation above the mean: 0 for an
    average chunk, 0.6 for one five deviations above. The order stays the same.

    Parameters
    ----------
    cosines
        Shape ``(q, n)``.
    background
        Cosines of the same questions with chunks of all kinds, from which mean and deviation are
        computed; None: ``cosines`` themselves. Two cosines of mean 0 and deviation 0.15 are added
        to them, so that with few chunks cosines hardly change.

    Returns
    -------
    numpy.ndarray
        Shape ``(q, n)``, from -1 to 1.

    Raises
    ------
    ConfigError
        If the numbers of rows differ.
    ModelError
        If a cosine is not finite.

    Examples
    --------
    >>> import numpy as np
    >>> others = np.linspace(0.75, 0.85, 1000)[None]
    >>> standardise([[0.8, 0.9]], others).tolist()[0][1] > 0.4
    True
    """
    import numpy as np

    rows = matrix("cosines", cosines)
    others = rows if background is None else matrix("background", background)
    if len(rows) != len(others):
        raise ConfigError(f"background must have {len(rows)} rows, got {len(others)}")
    if not (rows.size and others.size):
        return rows.astype(np.float32)
    return np.asarray(_core.standardised(rows.data, others.data))


def fuse(
    dense: ArrayLike,
    words: ArrayLike,
    *,
    fusion: Fusion = "sum",
    word_weight: float = WORD_WEIGHT,
    scale: ArrayLike | None = None,
) -> NDArray[np.float32]:
    """Combine the scores of vectors and of words.

    Parameters
    ----------
    dense
        Cosines, or what :func:`standardise` makes of them, shape ``(q, n)``.
    words
        Scores without an upper limit, such as BM25's, shape ``(q, n)``.
    fusion
        - ``"sum"``: ``dense + word_weight * words / scale``
        - ``"rank"``: reciprocal rank fusion, the sum of both ``1 / (60 + rank)``. Equal scores have
          equal ranks.
    word_weight
        The weight of words in a sum.
    scale
        The divisor of ``words`` in a sum for each question, such as :meth:`Bm25Index.bounds`; None:
        their maximum over all chunks. A divisor of 0 is ignored.

    Returns
    -------
    numpy.ndarray
        Shape ``(q, n)``.

    Raises
    ------
    ConfigError
        If an option is out of range, or the shapes differ.
    ModelError
        If a score is not finite.

    Examples
    --------
    >>> fuse([[0.5, 0.25]], [[2.0, 8.0]]).tolist()
    [[0.875, 1.75]]
    """
    import numpy as np

    checked_name("fusion", fusion, get_args(Fusion))
    word_weight = checked_number("word_weight", word_weight, least=0)
    left, right = matrix("dense", dense), matrix("words", words)
    if left.shape != right.shape:
        raise ConfigError(f"scores must be of one shape, got {left.shape} and {right.shape}")
    scales = None if scale is None else column("scale", scale, len(left)).data
    if not left.size:
        return left.astype(np.float32)
    if fusion == "rank":
        return np.asarray(_core.fuse_ranks([left.data, right.data], RANK_CONSTANT))
    return np.asarray(_core.fuse_scores(left.data, right.data, word_weight, scales))
