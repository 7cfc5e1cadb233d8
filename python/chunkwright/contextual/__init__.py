"""Contextual chunking: chunks with a snippet in front that says where they stand."""

from chunkwright._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "chunks": ["ContextualChunks", "SituatedChunk"],
        "prefixed": ["ContextualChunk", "contextualize"],
        "writer": ["Contextual"],
    },
)
