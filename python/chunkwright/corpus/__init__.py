"""Corpora: the same chunks of millions of documents, on one machine, on Ray and on Spark."""

from chunkwright._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "arrow.chunker": ["ArrowChunker"],
        "corpus": ["Corpus"],
        "estimate": ["Estimate"],
        "result": ["Result", "Status", "status"],
        "report": ["Beginning", "Counts", "Failure", "Progress", "Step"],
    },
)
