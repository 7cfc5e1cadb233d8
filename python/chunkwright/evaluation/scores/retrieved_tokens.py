"""Tokens retrieved for each question: what a reader of the hits has to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chunkwright.evaluation.scores.cutoffs import Cutoff, Ranked, hits_within

if TYPE_CHECKING:
    from numpy.typing import NDArray


def retrieved_tokens(
    cutoff: Cutoff, hits: Ranked, n_tokens: NDArray[np.int64], holding: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return how many tokens the hits of each question have that a cutoff takes.

    Each hit is counted, also where hits overlap or say the same.

    Parameters
    ----------
    cutoff
        How many hits count.
    hits
        What was found.
    n_tokens
        Tokens of what hits are numbers of.
    holding
        For each question, how many chunks hold one of its excerpts.
    """
    offsets, taken = hits_within(cutoff, hits, n_tokens, holding)
    sums = np.zeros(len(taken) + 1, dtype=np.int64)
    np.cumsum(n_tokens[taken], out=sums[1:])
    return np.diff(sums[offsets])
