"""Batches of texts of similar length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Batch:
    """Texts that go through the graph at once.

    Parameters
    ----------
    rows
        Which ones.
    length
        How many tokens the longest of them has.
    """

    rows: list[int]
    length: int


def batches(lengths: Sequence[int], max_tokens: int, max_rows: int | None = None) -> list[Batch]:
    """Return all texts in batches, the longest first.

    The long ones go first so that no thread is left with one when the others are done.

    Parameters
    ----------
    lengths
        The number of tokens of each text.
    max_tokens
        How many tokens a batch has at most, padding included, unless a text alone has more.
    max_rows
        How many texts a batch has at most.
    """
    made: list[Batch] = []
    for row in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
        last = made[-1] if made else None
        n_rows = len(last.rows) + 1 if last else 0
        is_full = max_rows is not None and n_rows > max_rows
        if last and not is_full and n_rows * last.length <= max_tokens:
            last.rows.append(row)
        else:
            made.append(Batch([row], lengths[row]))
    return made


def padded(
    ids: Sequence[Sequence[int]], batch: Batch, pad_id: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the tokens of a batch as a matrix, and where they are no padding."""
    import numpy as np

    matrix = np.full((len(batch.rows), batch.length), pad_id, dtype=np.int64)
    mask = np.zeros_like(matrix)
    for i, row in enumerate(batch.rows):
        n_tokens = len(ids[row])
        matrix[i, :n_tokens] = ids[row]
        mask[i, :n_tokens] = 1
    return matrix, mask
