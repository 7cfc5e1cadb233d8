r"""The chunkers of Chroma's chunking report: the same chunks from the same calls, faster.

Change ``from chunking_evaluation.chunking import ...`` to
``from chunkwright.compat.chroma import ...``. Chunks and errors are those of chunking_evaluation
0.1.0; neither it, chromadb nor tiktoken need be installed. The chunker that asks a language model
is not here.

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

from ._chroma_base import BaseChunker, Language, TextSplitter, openai_token_count
from ._chroma_semantic import ClusterSemanticChunker, KamradtModifiedChunker
from ._chroma_tokens import FixedTokenChunker, RecursiveTokenChunker, split_text_on_tokens
from ._langchain_fallback import Tokenizer

__all__ = [
    "BaseChunker",
    "ClusterSemanticChunker",
    "FixedTokenChunker",
    "KamradtModifiedChunker",
    "Language",
    "RecursiveTokenChunker",
    "TextSplitter",
    "Tokenizer",
    "openai_token_count",
    "split_text_on_tokens",
]
