r"""The chunkers of Chroma's chunking report and its evaluation: the same results, faster.

Change ``from chunking_evaluation import ...``, or from its ``chunking``, ``utils`` and
``evaluation_framework``, to ``from chunkwright.compat.chroma import ...``. Chunks, scores and
errors are those of chunking_evaluation 0.1.0; neither it, chromadb nor tiktoken need be installed.
What asks a language model is not here.

Examples
--------
>>> from chunkwright.compat.chroma import RecursiveTokenChunker, openai_token_count
>>> chunker = RecursiveTokenChunker(
...     chunk_size=6, chunk_overlap=0, length_function=openai_token_count
... )
>>> chunker.split_text("One sentence. And a second one.")
['One sentence', '. And a second one.']
"""

from __future__ import annotations

from chunkwright.compat.langchain.fallback import Tokenizer

from .base import BaseChunker, Language, TextSplitter, openai_token_count
from .embedding import RateLimiter
from .evaluation import BaseEvaluation, GeneralEvaluation
from .ranges import (
    difference,
    find_target_in_document,
    intersect_two_ranges,
    sum_of_ranges,
    union_ranges,
)
from .search import find_query_despite_whitespace, rigorous_document_search
from .semantic import ClusterSemanticChunker, KamradtModifiedChunker
from .tokens import FixedTokenChunker, RecursiveTokenChunker, split_text_on_tokens

__all__ = [
    "BaseChunker",
    "BaseEvaluation",
    "ClusterSemanticChunker",
    "FixedTokenChunker",
    "GeneralEvaluation",
    "KamradtModifiedChunker",
    "Language",
    "RateLimiter",
    "RecursiveTokenChunker",
    "TextSplitter",
    "Tokenizer",
    "difference",
    "find_query_despite_whitespace",
    "find_target_in_document",
    "intersect_two_ranges",
    "openai_token_count",
    "rigorous_document_search",
    "split_text_on_tokens",
    "sum_of_ranges",
    "union_ranges",
]
