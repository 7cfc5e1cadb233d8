"""LangChain's text splitter over a strategy, vector store and retriever over a store.

They need the extra ``langchain``.
"""

from chunkwright._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "text_splitter": ["ChunkwrightTextSplitter"],
        "vector_store": ["ChunkwrightRetriever", "ChunkwrightVectorStore"],
    },
)
