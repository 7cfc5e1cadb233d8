"""Stores that documents are imported into again and again: ours, and the peers' indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol
from zlib import crc32

import numpy as np

import chunkwright as cw

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DIMS = 384
LANGCHAIN, LLAMA_INDEX = "langchain-core", "llama-index-core"


class Counting:
    """Embedder that counts texts; vectors are drawn by the text's hash."""

    fingerprint = "counting 1"

    def __init__(self) -> None:
        """Start at none."""
        self.n = 0

    def embed(self, texts: Sequence[str]) -> np.ndarray[Any, Any]:
        """Return a vector for each text."""
        self.n += len(texts)
        seeds = np.array([crc32(text.encode()) for text in texts], np.float32)
        return np.cos(seeds[:, None] + np.arange(DIMS, dtype=np.float32))


class Importer(Protocol):
    """What documents are imported into."""

    counting: Counting

    def run(self, documents: Mapping[str, str]) -> None:
        """Import documents by their names, in the place of what was imported under them."""

    def ids(self) -> set[str]:
        """Return the ids of all chunks that can be found now."""


class OurStore:
    """A store of chunkwright.

    Parameters
    ----------
    path
        Its file.
    strategy
        What cuts documents.
    """

    def __init__(self, path: str, strategy: Any) -> None:
        """Open it."""
        self.counting = Counting()
        self.store = cw.Store.open(path, embedder=self.counting)
        self._strategy = strategy

    def run(self, documents: Mapping[str, str]) -> None:
        """Import documents."""
        read = [cw.read(text.encode(), name=name) for name, text in documents.items()]
        # Texts such as reStructuredText have no elements.
        self.store.add(read, strategy=self._strategy, for_texts="auto")

    def ids(self) -> set[str]:
        """Return the ids of the blocks of current versions."""
        store = self.store
        return {block.id for document in store.documents() for block in store.blocks(document.uri)}


class LangChainIndex:
    """LangChain's `index()` with its records and vectors in memory.

    Parameters
    ----------
    chunk_size, chunk_overlap
        Characters of a chunk, and of what two share.
    """

    def __init__(self, chunk_size: int = 1000, chunk_overlap: int = 100) -> None:
        """Make it."""
        from langchain_core.embeddings import Embeddings
        from langchain_core.indexing import InMemoryRecordManager
        from langchain_core.vectorstores import InMemoryVectorStore
        from langchain_text_splitters import RecursiveCharacterTextSplitter

        counting = self.counting = Counting()

        class Model(Embeddings):
            def embed_documents(self, texts: list[str]) -> list[list[float]]:
                counting.n += len(texts)
                return [self.embed_query(text) for text in texts]

            def embed_query(self, text: str) -> list[float]:
                return [float(len(text))]

        self._splitter = RecursiveCharacterTextSplitter(
            chunk_size=chunk_size, chunk_overlap=chunk_overlap
        )
        self._records, self._vectors = InMemoryRecordManager("bench"), InMemoryVectorStore(Model())
        self._records.create_schema()

    def run(self, documents: Mapping[str, str]) -> None:
        """Import documents."""
        from langchain_core.documents import Document
        from langchain_core.indexing import index

        whole = [Document(text, metadata={"source": name}) for name, text in documents.items()]
        index(
            self._splitter.split_documents(whole),
            self._records,
            self._vectors,
            cleanup="incremental",
            source_id_key="source",
            key_encoder="sha256",
        )

    def ids(self) -> set[str]:
        """Return the ids of the chunks."""
        return set(self._vectors.store)


class LlamaIndexPipeline:
    """LlamaIndex's ingestion pipeline over a document store, which replaces what has changed."""

    def __init__(self) -> None:
        """Make it."""
        from llama_index.core.embeddings import BaseEmbedding
        from llama_index.core.ingestion import DocstoreStrategy, IngestionPipeline
        from llama_index.core.node_parser import SentenceSplitter
        from llama_index.core.storage.docstore import SimpleDocumentStore
        from llama_index.core.vector_stores import SimpleVectorStore

        counting = self.counting = Counting()

        class Model(BaseEmbedding):
            def _get_text_embedding(self, text: str) -> list[float]:
                counting.n += 1
                return [float(len(text))]

            def _get_query_embedding(self, query: str) -> list[float]:
                return [float(len(query))]

            async def _aget_query_embedding(self, query: str) -> list[float]:
                return [float(len(query))]

        self._vectors = SimpleVectorStore()
        self._pipeline = IngestionPipeline(
            transformations=[SentenceSplitter(chunk_size=256, chunk_overlap=20), Model()],
            docstore=SimpleDocumentStore(),
            docstore_strategy=DocstoreStrategy.UPSERTS,
            vector_store=self._vectors,
            disable_cache=True,
        )

    def run(self, documents: Mapping[str, str]) -> None:
        """Import documents."""
        from llama_index.core import Document

        given = [Document(text=text, id_=name) for name, text in documents.items()]
        self._pipeline.run(documents=given)

    def ids(self) -> set[str]:
        """Return the ids of the nodes."""
        return set(self._vectors.data.embedding_dict)
