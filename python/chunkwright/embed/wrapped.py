"""Embedders of other libraries, and callables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chunkwright.embed.vectors import matrix_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# A model of sentence-transformers is a callable too, but embeds by its method.
METHODS = ("embed", "encode", "embed_documents", "get_text_embedding_batch")


@dataclass(frozen=True)
class Wrapped:
    """An object that gives vectors in a way of its own.

    Parameters
    ----------
    source
        The object.
    method
        The name of the method that takes a list of texts; None: the object itself is called.
    """

    source: Any
    method: str | None = None

    @property
    def fingerprint(self) -> str:
        """Empty: what it depends on is not known."""
        return ""

    def embed(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return a vector for each text.

        Raises
        ------
        ModelError
            If what is given is no vector for each text.
        """
        call = self.source if self.method is None else getattr(self.source, self.method)
        return matrix_of(call(list(texts)), len(texts))
