"""Contextual chunking: chunks with a context that says where they stand."""

from chunkwright._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "prefixed": ["ContextualChunk", "contextualize"],
        "chunker": ["Contextual"],
    },
)
