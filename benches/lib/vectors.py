"""Random vectors of unit length, in place of embeddings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lib.corpus import SEED

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLOCK = 65_536  # vectors that are made at a time


def unit_vectors(n: int, d: int) -> NDArray[np.float32]:
    """Return random vectors of unit length."""
    random = np.random.default_rng(SEED)
    vectors = np.empty((n, d), dtype=np.float32)
    for start in range(0, n, BLOCK):
        block = random.standard_normal((min(BLOCK, n - start), d), dtype=np.float32)
        vectors[start : start + BLOCK] = block / np.linalg.norm(block, axis=1, keepdims=True)
    return vectors
