"""LangChain's vector store and retriever over a store; needs the extra ``langchain``."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from chunkwright.adapters.langchain.filters import filter_of
from chunkwright.adapters.texts import (
    add_texts,
    given,
    id_of,
    is_text,
    place_of,
    stored,
    text_of,
    texts_of,
)
from chunkwright.adapters.vectors import GivenVectors, NamedEmbedder
from chunkwright.embed import as_embedder, core_embedders
from chunkwright.errors import ConfigError, MissingExtraError
from chunkwright.retrieval.retriever import Retriever
from chunkwright.store.store import Store

try:
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.vectorstores import VectorStore
    from langchain_core.vectorstores.utils import maximal_marginal_relevance
    from pydantic import ConfigDict, Field
except ImportError as _error:
    raise MissingExtraError("chunkwright.adapters.langchain", "langchain") from _error

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Sequence

    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.embeddings import Embeddings

    from chunkwright.embed import Embedder
    from chunkwright.store.searching.found import Found


def document_of(store: Store, hit: Found) -> Document:
    """Return what was found as LangChain's document.

    A text that LangChain added is what it was; a block of another document has the block's id.
    """
    if is_text(hit):
        text, metadata = text_of(store, hit), given(hit.metadata)
        return Document(page_content=text, metadata=metadata, id=hit.document)
    return Document(page_content=hit.text, metadata=place_of(hit), id=id_of(hit))


class ChunkwrightVectorStore(VectorStore):
    """A store as LangChain's vector store.

    Texts that are added are documents of one block. What was imported otherwise, by
    :meth:`Store.add` or the command line, is found as well.

    Parameters
    ----------
    store
        The store.
    embedding
        The model of vectors; None: the store's, if it has one.
    model
        Its name, by which the store knows its vectors; by default that of its class and model.
    retriever
        How blocks are scored; by default by words and vectors, and texts that are equal are found
        each with its metadata.
    """

    def __init__(
        self,
        store: Store,
        embedding: Embeddings | None = None,
        *,
        model: str | None = None,
        retriever: Retriever | None = None,
    ) -> None:
        self.store = store
        self._embedding = embedding
        self._embedder = None if embedding is None else NamedEmbedder(embedding, model)
        self._retriever = retriever or replace(store.retriever, skip_duplicate_text=False)
        if self._embedder is not None:
            self._retriever = replace(self._retriever, embedder=self._embedder)

    @property
    def embeddings(self) -> Embeddings | None:
        """The model of vectors."""
        return self._embedding

    def add_texts(
        self,
        texts: Iterable[str],
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: Sequence[str | None] | None = None,
        **_: Any,
    ) -> list[str]:
        """Add texts, and return their ids; one with a known id takes the place of that."""
        every = list(texts)
        every_metadata = metadatas or [{}] * len(every)
        named = [id_ or uuid.uuid4().hex for id_ in (ids or [None] * len(every))]
        if not len(every) == len(every_metadata) == len(named):
            counts = f"{len(every)} texts, {len(every_metadata)} metadatas, {len(named)} ids"
            raise ConfigError(f"there must be one of each, got {counts}")
        rows = zip(named, every, map(stored, every_metadata), strict=True)
        # Of equal ids the last one counts.
        add_texts(self.store, list({row[0]: row for row in rows}.values()), self._embedder)
        return named

    def delete(self, ids: list[str] | None = None, **_: Any) -> bool:
        """Remove documents by their ids; None: all of the store."""
        self.store.remove([each.uri for each in self.store.documents()] if ids is None else ids)
        return True

    def get_by_ids(self, ids: Sequence[str], /) -> list[Document]:
        """Return the texts with these ids."""
        found = texts_of(self.store, ids).items()
        return [Document(of.text, id=id_, metadata=given(of.metadata)) for id_, of in found]

    def similarity_search(self, query: str, k: int = 4, **options: Any) -> list[Document]:
        """Return what answers a question; see :meth:`similarity_search_with_score`."""
        return [each for each, _ in self.similarity_search_with_score(query, k, **options)]

    def similarity_search_with_score(
        self, query: str, k: int = 4, **options: Any
    ) -> list[tuple[Document, float]]:
        """Return what answers a question, with scores: the greater the better.

        Options are those of :meth:`Store.search`, and ``filter``, see :func:`filter_of`.
        """
        where = filter_of(options.pop("filter", None))
        found = self.store.search(query, k, where=where, retriever=self._retriever, **options)
        return [(document_of(self.store, each), each.score) for each in found]

    def similarity_search_by_vector(
        self, embedding: list[float], k: int = 4, **options: Any
    ) -> list[Document]:
        """Return what is nearest to a vector; see :meth:`similarity_search_with_score`."""
        found = self.similarity_search_with_score_by_vector(embedding, k, **options)
        return [each for each, _ in found]

    def similarity_search_with_score_by_vector(
        self, embedding: list[float], k: int = 4, **options: Any
    ) -> list[tuple[Document, float]]:
        """Return what is nearest to a vector, with cosines.

        Raises
        ------
        ConfigError
            If there is no model of vectors.
        """
        options["where"] = filter_of(options.pop("filter", None))
        given_by = GivenVectors(self._model().fingerprint)
        options["retriever"] = Retriever.dense(given_by)
        found = given_by.search(self.store, "?", embedding, k, **options)
        return [(document_of(self.store, each), each.score) for each in found]

    def max_marginal_relevance_search(
        self, query: str, k: int = 4, fetch_k: int = 20, lambda_mult: float = 0.5, **options: Any
    ) -> list[Document]:
        """Return what is near to a question, and not to what was found before.

        See :meth:`max_marginal_relevance_search_by_vector`.
        """
        _, queries = core_embedders(self._model())
        vector = np.asarray(queries.embed([query]))[0].tolist()
        return self.max_marginal_relevance_search_by_vector(
            vector, k, fetch_k, lambda_mult, **options
        )

    def max_marginal_relevance_search_by_vector(
        self,
        embedding: list[float],
        k: int = 4,
        fetch_k: int = 20,
        lambda_mult: float = 0.5,
        **options: Any,
    ) -> list[Document]:
        """Return what is near to a vector, and not to what was found before.

        Parameters
        ----------
        embedding
            The vector.
        k
            How many, at most.
        fetch_k
            Of how many that are nearest to it.
        lambda_mult
            From 0, as different as they can be, to 1, as near to it as they can be.
        **options
            Of :meth:`Store.search`, and ``filter``.

        Raises
        ------
        ConfigError
            If there is no model of vectors.
        """
        options["where"] = filter_of(options.pop("filter", None))
        near = GivenVectors(self._model().fingerprint).near(
            self.store, embedding, fetch_k, **options
        )
        asked, vectors = np.asarray(embedding, np.float32), [vector.tolist() for _, vector in near]
        chosen = maximal_marginal_relevance(asked, vectors, lambda_mult, k)
        return [document_of(self.store, near[each][0]) for each in chosen]

    def _model(self) -> Embedder:
        """Return the model of vectors: its own, or the store's."""
        embedder = self._retriever.embedder
        if embedder is None:
            message = "a search by vectors needs an embedding, or a store with an embedder"
            raise ConfigError(message, option="embedding")
        return as_embedder(embedder)

    def _select_relevance_score_fn(self) -> Callable[[float], float]:
        of = self._retriever
        # What vectors give is between -1 and 1.
        vectors = float(of.embedder is not None)
        most = of.word_weight * of.words + vectors or 1.0
        return lambda score: min(1.0, max(0.0, (score + vectors) / (most + vectors)))

    @classmethod
    def from_texts(  # type: ignore[override]
        cls,
        texts: list[str],
        embedding: Embeddings | None = None,
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: list[str] | None = None,
        target: str | os.PathLike[str],
        **options: Any,
    ) -> Self:
        """Open the store ``target``, and add texts to it; options are those of the class."""
        made = cls(Store.open(target), embedding, **options)
        made.add_texts(texts, metadatas, ids=ids)
        return made


class ChunkwrightRetriever(BaseRetriever):
    """A store as LangChain's retriever.

    Attributes
    ----------
    store
        The store.
    k
        How many blocks, at most.
    options
        Of :meth:`Store.search`, by name, such as ``{"expand": "section"}``.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(arbitrary_types_allowed=True)

    store: Store
    k: int = 4
    options: dict[str, Any] = Field(default_factory=dict)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, **more: Any
    ) -> list[Document]:
        del run_manager
        options = {"k": self.k, **self.options, **more}
        return [document_of(self.store, each) for each in self.store.search(query, **options)]
