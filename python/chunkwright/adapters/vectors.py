"""Embedders of other frameworks: models with a name, and vectors that are given with texts."""

from __future__ import annotations

from contextlib import contextmanager
from threading import local
from typing import TYPE_CHECKING, Any

from chunkwright.embed import as_embedder
from chunkwright.embed.naming import name_of
from chunkwright.errors import ModelError
from chunkwright.retrieval.retriever import Retriever

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from chunkwright.embed import EmbedderLike
    from chunkwright.store.searching.found import Found
    from chunkwright.store.store import Store


class NamedEmbedder:
    """A model with a name, by which a store knows its vectors.

    Parameters
    ----------
    model
        The model.
    name
        Its name; by default see :func:`chunkwright.embed.naming.name_of`.

    Attributes
    ----------
    is_partial
        Whether blocks without its vectors are found by words: what was imported otherwise is.

    Raises
    ------
    ConfigError
        If it is no model.
    ModelError
        If it fails.
    """

    is_partial = True

    def __init__(self, model: EmbedderLike, name: str | None = None) -> None:
        self._model = as_embedder(model)
        self.fingerprint: str = name or name_of(model)

    def embed(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return a vector for each text."""
        return self._model.embed(texts)

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return a vector for each question."""
        of_queries = getattr(self._model, "embed_queries", self._model.embed)
        found: NDArray[np.floating[Any]] = of_queries(texts)
        return found


class GivenVectors:
    """Vectors that a framework has made, in the place of the model that made them.

    Parameters
    ----------
    name
        The name of the model.

    Attributes
    ----------
    is_partial, is_given
        Texts have the vectors that :meth:`Store.add` is given; those without are found by words.
    """

    is_partial = True
    is_given = True

    def __init__(self, name: str) -> None:
        self.fingerprint = name
        self._own = local()

    @contextmanager
    def asked(self, vector: ArrayLike | None) -> Iterator[None]:
        """Give this vector to questions in the block."""
        self._own.vector = vector
        try:
            yield
        finally:
            del self._own.vector

    def search(
        self, store: Store, question: str, vector: ArrayLike | None, k: int, **options: Any
    ) -> list[Found]:
        """Search a store by a question whose vector is given, if vectors count."""
        with self.asked(vector):
            return store.search(question, k, **options)

    def near(
        self, store: Store, vector: ArrayLike, k: int, **options: Any
    ) -> list[tuple[Found, NDArray[np.float32]]]:
        """Return what is nearest to a vector, each with its own; what has none is left out."""
        options["retriever"] = Retriever.dense(self)
        found = self.search(store, "?", vector, k, **options)
        vectors = store.vectors(self.fingerprint, [each.block for each in found])
        return [(each, vectors[each.block]) for each in found if each.block in vectors]

    def embed(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return the vector of the question for each text.

        Raises
        ------
        ModelError
            If no question has one.
        """
        import numpy as np

        vector: ArrayLike | None = getattr(self._own, "vector", None)
        if vector is None:
            raise ModelError(f"{self.fingerprint}: no text has a vector")
        return np.stack([np.asarray(vector, np.float32)] * len(texts))
