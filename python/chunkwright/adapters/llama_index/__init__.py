"""LlamaIndex's node parser over a strategy, and vector store over a store.

They need the extra ``llama-index``.
"""

from chunkwright._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {"node_parser": ["ChunkwrightNodeParser"], "vector_store": ["ChunkwrightVectorStore"]},
)
