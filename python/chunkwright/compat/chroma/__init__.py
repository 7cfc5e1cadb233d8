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

from chunkwright._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "base": ["BaseChunker", "Language", "TextSplitter", "openai_token_count"],
        "embedding": ["RateLimiter"],
        "evaluation": ["BaseEvaluation", "GeneralEvaluation"],
        "ranges": [
            "difference",
            "find_target_in_document",
            "intersect_two_ranges",
            "sum_of_ranges",
            "union_ranges",
        ],
        "search": ["find_query_despite_whitespace", "rigorous_document_search"],
        "semantic": ["ClusterSemanticChunker", "KamradtModifiedChunker"],
        "tokens": [
            "FixedTokenChunker",
            "RecursiveTokenChunker",
            "Tokenizer",
            "split_text_on_tokens",
        ],
    },
)
