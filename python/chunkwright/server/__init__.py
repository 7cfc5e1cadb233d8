"""Service over HTTP: chunks, counts, readers and a store, in our own routes and in two dialects."""

from chunkwright._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "app": ["create_app"],
        "run": ["serve"],
        "settings": ["Settings"],
    },
)
