"""Rerankers: models that read a question and a text together and say how well they fit."""

from chunkwright._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "cached": ["CachedReranker"],
        "cross_encoder": ["CrossEncoder"],
        "endpoint": ["RerankEndpoint"],
        "protocol": ["Reranker", "RerankerLike", "as_reranker"],
    },
)
