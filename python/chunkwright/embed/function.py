"""Embedders as functions, for libraries that take one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class EmbeddingFunction(ABC):
    """An embedder that can be called: Chroma and others take functions from texts to vectors."""

    @abstractmethod
    def embed(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return a vector for each text."""

    def __call__(self, input: Sequence[str]) -> NDArray[np.floating[Any]]:  # noqa: A002 - Chroma's
        """Return a vector for each text, as ``embed`` does."""
        return self.embed(input)
