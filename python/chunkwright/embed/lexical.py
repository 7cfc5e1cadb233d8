"""Vectors of the words in a text: no model is needed."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from chunkwright import _core
from chunkwright.checks import checked_int
from chunkwright.embed.texts import EmbeddingFunction, checked_texts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_DIMENSIONS = 2**20


@dataclass(frozen=True)
class Lexical(EmbeddingFunction):
    """Vectors of words, without a model: texts are similar if they share words.

    The core computes these vectors in all languages, many millions of characters a second. They
    know nothing of meaning: for that, use a model.

    Parameters
    ----------
    dimensions
        The length of a vector.

    Raises
    ------
    ConfigError
        If it is not a positive int, or too large.
    """

    dimensions: int = 4096

    def __post_init__(self) -> None:
        checked_int("dimensions", self.dimensions, least=1, most=MAX_DIMENSIONS)

    @property
    def fingerprint(self) -> str:
        """Names the way of embedding and its version."""
        return f"lexical:{_core.__version__}:{_core.Bm25Segment.TERMS}:{self.dimensions}"

    @property
    def core(self) -> _core.Embedder:
        """The core's embedder."""
        return _core_embedder(self.dimensions)

    def embed(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return a vector for each text."""
        import numpy as np

        return np.asarray(self.core.embed(checked_texts(texts)))

    def fitted(self, texts: Sequence[str]) -> FittedLexical:
        """Return an embedder that weighs words by these texts: a text then has a fixed vector.

        Parameters
        ----------
        texts
            The texts, for example those that are searched.

        Examples
        --------
        >>> from chunkwright.embed import Lexical
        >>> fitted = Lexical().fitted(["Cats sleep.", "Cats purr."])
        >>> alone, beside = fitted.embed(["cats"]), fitted.embed(["cats", "sleep"])[:1]
        >>> (alone == beside).all()
        np.True_
        """
        weights = _core.Embedder.lexical_weights(self.dimensions, checked_texts(texts))
        return FittedLexical(self.dimensions, tuple(weights))


@dataclass(frozen=True)
class FittedLexical(Lexical):
    """Texts are alike that share words, which weigh what they weigh in other texts.

    Parameters
    ----------
    dimensions
        The length of a vector.
    weights
        What a count weighs at each place; see :meth:`Lexical.fitted`.
    """

    weights: tuple[float, ...] = field(default=(), repr=False)

    @property
    def fingerprint(self) -> str:
        """Names the way of embedding, its version and the weights."""
        weights = array("f", self.weights).tobytes()
        return f"{super().fingerprint}:{sha256(weights).hexdigest()[:32]}"

    @property
    def core(self) -> _core.Embedder:
        """The core's embedder."""
        return self._fitted

    @cached_property
    def _fitted(self) -> _core.Embedder:
        return _core.Embedder.lexical(self.dimensions, self.weights)

    def fitted(self, texts: Sequence[str]) -> FittedLexical:  # noqa: ARG002 - it has its weights
        """Return itself: its weights are there already."""
        return self


@lru_cache(maxsize=8)
def _core_embedder(dimensions: int) -> _core.Embedder:
    return _core.Embedder.lexical(dimensions)
