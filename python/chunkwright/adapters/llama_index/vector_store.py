"""LlamaIndex's vector store over a store; needs the extra ``llama-index``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
from chunkwright.adapters.vectors import GivenVectors
from chunkwright.errors import ConfigError, MissingExtraError
from chunkwright.retrieval.retriever import Retriever
from chunkwright.store.searching.filters import Filter
from chunkwright.store.store import Store

try:
    from llama_index.core.bridge.pydantic import Field, PrivateAttr
    from llama_index.core.indices.query.embedding_utils import get_top_k_mmr_embeddings
    from llama_index.core.schema import BaseNode, MetadataMode, TextNode
    from llama_index.core.vector_stores.types import (
        BasePydanticVectorStore,
        MetadataFilters,
        VectorStoreQuery,
        VectorStoreQueryMode,
        VectorStoreQueryResult,
    )
    from llama_index.core.vector_stores.utils import metadata_dict_to_node, node_to_metadata_dict

    from chunkwright.adapters.llama_index.filters import REF_DOC_ID, where_of
except ImportError as _error:
    raise MissingExtraError("chunkwright.adapters.llama_index", "llama-index") from _error

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chunkwright.store.searching.found import Found

NODE = "llama_index.node"
"""The name of the metadata with a node but for its text."""
MODES = {
    VectorStoreQueryMode.DEFAULT: (True, False),
    VectorStoreQueryMode.SPARSE: (False, True),
    VectorStoreQueryMode.TEXT_SEARCH: (False, True),
    VectorStoreQueryMode.HYBRID: (True, True),
    VectorStoreQueryMode.SEMANTIC_HYBRID: (True, True),
    VectorStoreQueryMode.MMR: (True, False),
}
"""Whether each mode searches by vectors, and by words."""


# Nodes among which the different ones are taken: for each that is asked for, and at least.
_MMR_TIMES, _LEAST_MMR = 4, 20


class ChunkwrightVectorStore(BasePydanticVectorStore):
    """A store as LlamaIndex's vector store.

    Nodes are documents of one block, with the vectors that LlamaIndex gives them. What was
    imported otherwise is found by words.

    Attributes
    ----------
    store
        The store.
    embed_model_name
        The name of the model that makes the vectors, by which the store knows them.
    """

    stores_text: bool = True
    store: Store = Field(exclude=True)
    embed_model_name: str = "llama_index"

    _vectors: GivenVectors = PrivateAttr()
    _retrievers: dict[tuple[bool, bool], Retriever] = PrivateAttr()

    def __init__(self, store: Store, embed_model_name: str = "llama_index") -> None:
        super().__init__(store=store, embed_model_name=embed_model_name)  # type: ignore[call-arg]
        self._vectors = made = GivenVectors(embed_model_name)
        self._retrievers = {
            (True, True): Retriever(embedder=made),
            (True, False): Retriever.dense(made),
            (False, True): Retriever(),
        }

    @classmethod
    def class_name(cls) -> str:
        """Return the name of the class."""
        return "ChunkwrightVectorStore"

    @property
    def client(self) -> Store:
        """The store."""
        return self.store

    def add(self, nodes: Sequence[BaseNode], **_: Any) -> list[str]:
        """Write nodes, and return their ids; one with a known id takes the place of that."""
        texts = {}
        for node in nodes:
            text = node.get_content(metadata_mode=MetadataMode.NONE)
            described = node_to_metadata_dict(node, remove_text=True)
            own = {name: described[name] for name in ("_node_content", "_node_type")}
            more = {NODE: own, REF_DOC_ID: node.ref_doc_id or ""}
            # Of equal ids the last one counts.
            texts[node.node_id] = (node.node_id, text, stored({**node.metadata, **more}))
        vectors = {node.node_id: node.embedding for node in nodes}
        has_vectors = any(vector is not None for vector in vectors.values())
        add_texts(self.store, list(texts.values()), self._vectors if has_vectors else None, vectors)
        return [node.node_id for node in nodes]

    def delete(self, ref_doc_id: str, **_: Any) -> None:
        """Remove the nodes of a document."""
        self._remove(Filter(metadata={REF_DOC_ID: ref_doc_id}))

    def delete_nodes(
        self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None, **_: Any
    ) -> None:
        """Remove nodes by their ids and by filters; by neither, none."""
        if node_ids or (filters is not None and filters.filters):
            self._remove(where_of(node_ids, None, filters))

    def clear(self) -> None:
        """Remove all that LlamaIndex has added."""
        self._remove(Filter(none_of=[{"metadata": {REF_DOC_ID: None}}]))

    def get_nodes(
        self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None
    ) -> list[BaseNode]:
        """Return nodes by their ids and by filters."""
        found = self.store.documents(where_of(node_ids, None, filters))
        texts = texts_of(self.store, [document.uri for document in found])
        return [
            _node(document.text, document.metadata)
            for document in texts.values()
            if NODE in given(document.metadata)
        ]

    def query(self, query: VectorStoreQuery, **options: Any) -> VectorStoreQueryResult:
        """Return what answers a question; options are those of :meth:`Store.search`.

        The mode says whether by vectors (the default), by words (``text_search`` and ``sparse``)
        or by both (``hybrid``). ``mmr`` takes, of ``mmr_prefetch_k`` nodes that are nearest (by
        default four times as many as are asked for, and 20), those that are not near to what was
        taken before: ``mmr_threshold`` says how much nearness to the question counts, from 0 to 1.

        Raises
        ------
        ConfigError
            If the mode or a filter is none that stores have, or the question has no vector or no
            words for it.
        """
        by_vectors, by_words = _by(query)
        if query.mode == VectorStoreQueryMode.MMR:
            return self._diverse(query, **options)
        k = query.similarity_top_k
        if by_words:
            k = (query.hybrid_top_k if by_vectors else query.sparse_top_k) or k
        options |= {
            "where": where_of(query.node_ids, query.doc_ids, query.filters),
            "retriever": self._retrievers[by_vectors, by_words],
        }
        # Words do not count where none are needed.
        question = query.query_str or "?"
        vector = query.query_embedding if by_vectors else None
        found = self._vectors.search(self.store, question, vector, k, **options)
        nodes = [self._found(each) for each in found]
        scores = [each.score for each in found]
        return VectorStoreQueryResult(nodes, scores, [node.node_id for node in nodes])

    def _diverse(
        self,
        query: VectorStoreQuery,
        mmr_threshold: float | None = None,
        mmr_prefetch_k: int | None = None,
        **options: Any,
    ) -> VectorStoreQueryResult:
        """Return what is near to a question, and not to what was taken before."""
        options["where"] = where_of(query.node_ids, query.doc_ids, query.filters)
        asked, k = query.query_embedding or [], query.similarity_top_k
        threshold = query.mmr_threshold if mmr_threshold is None else mmr_threshold
        near = self._vectors.near(
            self.store, asked, mmr_prefetch_k or max(_MMR_TIMES * k, _LEAST_MMR), **options
        )
        scores, chosen = get_top_k_mmr_embeddings(
            asked,
            [vector.tolist() for _, vector in near],
            similarity_top_k=k,
            mmr_threshold=threshold,
        )
        nodes = [self._found(near[each][0]) for each in chosen]
        return VectorStoreQueryResult(nodes, scores, [node.node_id for node in nodes])

    def _remove(self, where: Filter) -> None:
        self.store.remove([each.uri for each in self.store.documents(where)])

    def _found(self, found: Found) -> BaseNode:
        if is_text(found) and NODE in given(found.metadata):
            return _node(text_of(self.store, found), found.metadata)
        return TextNode(id_=id_of(found), text=found.text, metadata=place_of(found))


def _by(query: VectorStoreQuery) -> tuple[bool, bool]:
    """Return whether a question is searched by vectors, and by words."""
    if query.mode not in MODES:
        known = ", ".join(MODES)
        raise ConfigError(f"unknown mode {query.mode.value!r}; known are {known}", option="mode")
    by_vectors, by_words = MODES[query.mode]
    needed = {"query_embedding": by_vectors, "query_str": by_words}
    for name, is_needed in needed.items():
        if is_needed and getattr(query, name) is None:
            raise ConfigError(f"mode {query.mode.value!r} needs {name}", option=name)
    return by_vectors, by_words


def _node(text: str, metadata: Mapping[str, Any]) -> BaseNode:
    return metadata_dict_to_node(given(metadata)[NODE], text)
