"""Haystack's document store and retriever over a store; needs the extra ``haystack``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chunkwright.adapters.texts import (
    add_texts,
    given,
    id_of,
    inner,
    is_text,
    place_of,
    stored,
    text_of,
    texts_of,
    with_ids,
)
from chunkwright.adapters.vectors import GivenVectors
from chunkwright.errors import ConfigError, MissingExtraError
from chunkwright.retrieval.retriever import Retriever
from chunkwright.store.store import Store

try:
    from haystack import Document, component, default_from_dict, default_to_dict
    from haystack.dataclasses import ByteStream
    from haystack.document_stores.errors import DuplicateDocumentError
    from haystack.document_stores.types import DuplicatePolicy

    from chunkwright.adapters.haystack.filters import where_of
except ImportError as _error:
    raise MissingExtraError("chunkwright.adapters.haystack", "haystack") from _error

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chunkwright.store.searching.found import Found

OWN = "haystack"
"""The name of the metadata with what a document has beside its text and ``meta``."""


class ChunkwrightDocumentStore:
    """A store as Haystack's document store.

    Documents that are written are documents of one block, with the vectors that Haystack gives
    them; they come back without these. What was imported otherwise is found by words.

    Parameters
    ----------
    target
        The path of a store, or the address of its database. Pipelines write it into their files:
        leave a password to the environment.
    model
        The name of the model that makes the vectors, by which the store knows them.
    """

    def __init__(self, target: str, model: str = "haystack") -> None:
        self.model: str
        self.target: str
        self.target, self.model = target, model
        self.store: Store = Store.open(target)
        self._vectors = GivenVectors(model)
        self._by_words, self._by_vectors = Retriever(), Retriever.dense(self._vectors)
        self._by_both = Retriever(embedder=self._vectors)

    def to_dict(self) -> dict[str, Any]:
        """Return what :meth:`from_dict` makes it of."""
        return default_to_dict(self, target=self.target, model=self.model)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> ChunkwrightDocumentStore:
        """Make it of what :meth:`to_dict` returned."""
        made: ChunkwrightDocumentStore = default_from_dict(cls, data)
        return made

    def count_documents(self) -> int:
        """Return how many documents there are."""
        return len(self.store.documents())

    def filter_documents(self, filters: dict[str, Any] | None = None) -> list[Document]:
        """Return the documents for which filters are true; None for all."""
        found = [each.uri for each in self.store.documents(where_of(filters))]
        return [
            _document(id_, of.text, of.metadata) for id_, of in texts_of(self.store, found).items()
        ]

    def write_documents(
        self, documents: list[Document], policy: DuplicatePolicy = DuplicatePolicy.NONE
    ) -> int:
        """Write documents, and return how many.

        Of those whose ids are known, or were before in the list, ``SKIP`` leaves the old ones,
        ``OVERWRITE`` the new ones, and the others raise.

        Raises
        ------
        ValueError
            If they are no list of documents.
        DuplicateDocumentError
            If an id is known, or given twice; then none is written.
        """
        if not isinstance(documents, list) or not all(isinstance(d, Document) for d in documents):
            raise ValueError(f"documents must be a list of Documents, got {documents!r:.80}")
        new = {}
        for doc in documents:
            if doc.id not in new or policy == DuplicatePolicy.OVERWRITE:
                new[doc.id] = doc
            elif policy != DuplicatePolicy.SKIP:
                raise DuplicateDocumentError(f"ID {doc.id!r} is given twice")
        if policy != DuplicatePolicy.OVERWRITE:
            known = [doc.uri for doc in self.store.documents(with_ids(new))]
            if known and policy != DuplicatePolicy.SKIP:
                raise DuplicateDocumentError(f"ID {known[0]!r} is there already")
            new = {id_: doc for id_, doc in new.items() if id_ not in set(known)}
        texts = [(doc.id, doc.content or "", _metadata(doc)) for doc in new.values()]
        vectors = {doc.id: doc.embedding for doc in new.values()}
        has_vectors = any(vector is not None for vector in vectors.values())
        add_texts(self.store, texts, self._vectors if has_vectors else None, vectors)
        return len(texts)

    def delete_documents(self, document_ids: list[str]) -> None:
        """Remove documents by their ids; what there is not is no error."""
        self.store.remove(document_ids)

    def search(
        self,
        query: str | None,
        query_embedding: list[float] | None = None,
        filters: dict[str, Any] | None = None,
        top_k: int = 10,
    ) -> list[Document]:
        """Return what answers a question, best first: by its words, its vector, or by both."""
        if query is None and query_embedding is None:
            raise ConfigError("a search needs query or query_embedding", option="query")
        retriever = self._by_words if query_embedding is None else self._by_both
        if query is None:
            retriever = self._by_vectors
        # Words do not count where there are none.
        question = query or "?"
        options: dict[str, Any] = {"where": where_of(filters), "retriever": retriever}
        found = self._vectors.search(self.store, question, query_embedding, top_k, **options)
        return [self._found(each) for each in found]

    def _found(self, hit: Found) -> Document:
        if is_text(hit) and OWN in given(hit.metadata):
            text = text_of(self.store, hit)
            return _document(hit.document, text, hit.metadata, hit.score)
        meta = place_of(hit)
        return Document(id=id_of(hit), content=hit.text, meta=meta, score=hit.score)


def _metadata(of: Document) -> dict[str, Any]:
    """Return the metadata of a document, with what it has beside text, vectors and ``meta``."""
    own = {"has_content": of.content is not None, "blob": of.blob and of.blob.to_dict()}
    return {**inner(of.meta), **stored({**of.meta, OWN: own})}


def _document(
    id_: str, text: str, metadata: Mapping[str, Any], score: float | None = None
) -> Document:
    meta = given(metadata)
    own = meta.pop(OWN, {"has_content": True, "blob": None})
    content = text if own["has_content"] else None
    blob = own["blob"] and ByteStream.from_dict(own["blob"])
    return Document(id=id_, content=content, blob=blob, meta=meta, score=score)


@component
class ChunkwrightRetriever:
    """Component of Haystack that searches a :class:`ChunkwrightDocumentStore`.

    Parameters
    ----------
    document_store
        The document store.
    filters, top_k
        Of searches that say nothing else.
    """

    def __init__(
        self,
        document_store: ChunkwrightDocumentStore,
        filters: dict[str, Any] | None = None,
        top_k: int = 10,
    ) -> None:
        self.document_store: ChunkwrightDocumentStore
        self.filters: dict[str, Any] | None
        self.top_k: int
        self.document_store, self.filters, self.top_k = document_store, filters, top_k

    @component.output_types(documents=list[Document])
    def run(
        self,
        query: str | None = None,
        query_embedding: list[float] | None = None,
        filters: dict[str, Any] | None = None,
        top_k: int | None = None,
    ) -> dict[str, list[Document]]:
        """Search by the words of a question, by its vector, or by both."""
        found = self.document_store.search(
            query, query_embedding, filters or self.filters, top_k or self.top_k
        )
        return {"documents": found}
