"""Haystack's splitter over a strategy, document store and retriever over a store.

They need the extra ``haystack``.
"""

from chunkwright._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "document_store": ["ChunkwrightDocumentStore", "ChunkwrightRetriever"],
        "splitter": ["ChunkwrightSplitter"],
    },
)
