"""Embedders of other frameworks: models with a name, and vectors that are given with texts."""

from __future__ import annotations

from contextlib import contextmanager
from threading import local
from typing import TYPE_CHECKING, Any

from chunkwright.embed import as_embedder
from chunkwright.errors import ModelError, StoreError
from chunkwright.frames import without_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

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
        Its name; by default that of its class, and what it calls its model. A model that has a
        fingerprint keeps that.

    Raises
    ------
    ConfigError
        If it is no model.
    """

    def __init__(self, model: EmbedderLike, name: str | None = None) -> None:
        self._model = as_embedder(model)
        kind = type(model)
        called = getattr(model, "model", None) or getattr(model, "model_name", None) or ""
        self.fingerprint: str = (
            name or self._model.fingerprint or f"{kind.__module__}.{kind.__qualname__}:{called}"
        )

    def embed(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return a vector for each text."""
        return self._model.embed(texts)

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return a vector for each question."""
        of_queries = getattr(self._model, "embed_queries", self._model.embed)
        found: NDArray[np.floating[Any]] = of_queries(texts)
        return found


class GivenVectors:
    """Vectors that a framework has made of texts, in the place of the model that made them.

    Parameters
    ----------
    name
        The name of the model.
    """

    def __init__(self, name: str) -> None:
        self.fingerprint = name
        self._own = local()

    @contextmanager
    def of(self, vectors: Mapping[str, ArrayLike | None]) -> Iterator[None]:
        """Give these vectors to these texts in the block; zeros to those that have none."""
        self._own.table = {_key(text): vector for text, vector in vectors.items()}
        try:
            yield
        finally:
            del self._own.table

    def search(
        self, store: Store, question: str, vector: ArrayLike | None, k: int, **options: Any
    ) -> list[Found]:
        """Search a store by a question whose vector is given, if vectors count.

        What has no vector, such as documents that were imported otherwise, gets zeros at the first
        search: it is found by its words.
        """
        with self.of({question: vector}):
            try:
                return store.search(question, k, **options)
            except StoreError:
                if vector is None:
                    raise
                store.embed(self)
                return store.search(question, k, **options)

    def embed(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return the vectors of texts.

        Raises
        ------
        ModelError
            If vectors are of several dimensions, or there is none.
        """
        import numpy as np

        table: dict[str, ArrayLike | None] = getattr(self._own, "table", {})
        found = [table.get(_key(text)) for text in texts]
        known = next((vector for vector in (*found, *table.values()) if vector is not None), None)
        if known is None:
            raise ModelError(f"{self.fingerprint}: no text has a vector")
        zeros = np.zeros_like(np.asarray(known, np.float32))
        rows = [zeros if vector is None else np.asarray(vector, np.float32) for vector in found]
        n_dims = {row.shape for row in rows}
        if len(n_dims) > 1:
            raise ModelError(f"{self.fingerprint}: vectors of several dimensions: {n_dims}")
        return np.stack(rows)


def _key(text: str) -> str:
    """Return what stays of a text when it is a block."""
    return without_surrogates(text).replace("\0", "\ufffd").strip()
