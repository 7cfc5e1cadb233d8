"""Retrieval: search over chunks by words, by vectors or by both, and its single steps.

Examples
--------
>>> from chunkwright.retrieval import Retriever
>>> texts = ["Cats sleep all day.", "Engines hum.", "Dogs bark at engines."]
>>> index = Retriever(neighbour_smoothing=False).index(texts)
>>> [hit.index for hit in index.search("Which engines hum?", k=2)[0]]
[1, 2]
"""

from chunkwright.retrieval.hits import Hit, Hits
from chunkwright.retrieval.index import Index
from chunkwright.retrieval.retriever import Retriever
from chunkwright.retrieval.steps.bm25 import Bm25Index, bm25
from chunkwright.retrieval.steps.cosines import cosine
from chunkwright.retrieval.steps.fusion import fuse, standardise
from chunkwright.retrieval.steps.smoothing import smooth, smooth_scores
from chunkwright.retrieval.steps.top_k import top_k
from chunkwright.retrieval.stop_words import ENGLISH as ENGLISH_STOP_WORDS

__all__ = [
    "ENGLISH_STOP_WORDS",
    "Bm25Index",
    "Hit",
    "Hits",
    "Index",
    "Retriever",
    "bm25",
    "cosine",
    "fuse",
    "smooth",
    "smooth_scores",
    "standardise",
    "top_k",
]
