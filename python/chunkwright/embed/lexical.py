"""Vectors of the words in a text: no model is needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from chunkwright import _core
from chunkwright.checks import checked_int
from chunkwright.embed.function import EmbeddingFunction
from chunkwright.embed.texts import checked_texts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_DIMENSIONS = 2**20


@dataclass(frozen=True)
class Lexical(EmbeddingFunction):
    """Texts are alike that share words.

    The core computes these vectors by itself, in all languages, many millions of characters a
    second. They know nothing of meaning: for that, a model is needed.

    Parameters
    ----------
    dimensions
        The length of a vector.

    Raises
    ------
    ConfigError
        If it is no positive int, or too large.
    """

    dimensions: int = 4096

    def __post_init__(self) -> None:
        checked_int("dimensions", self.dimensions, least=1, most=MAX_DIMENSIONS)

    @property
    def fingerprint(self) -> str:
        """Names the way of embedding and its version."""
        return f"lexical:{_core.__version__}:{self.dimensions}"

    @property
    def core(self) -> _core.Embedder:
        """The core's embedder."""
        return _core_embedder(self.dimensions)

    def embed(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return a vector for each text."""
        import numpy as np

        return np.asarray(self.core.embed(checked_texts(texts)))


@lru_cache(maxsize=8)
def _core_embedder(dimensions: int) -> _core.Embedder:
    return _core.Embedder.lexical(dimensions)
