r"""The chunkers of Chroma's chunking report and its evaluation: the same results, faster.

Change ``from chunking_evaluation import ...`` to ``from chunkwright.compat.chroma import ...``;
the paths of its modules, such as ``chunking_evaluation.chunking``, are here too. Chunks, scores and
errors are those of chunking_evaluation 0.1.0; neither it, chromadb nor tiktoken need be installed.

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
from chunkwright.compat.peers import add_paths, with_hints

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "base": ["BaseChunker", "Language", "TextSplitter", "openai_token_count"],
        "embedding": ["RateLimiter"],
        "evaluation": ["BaseEvaluation", "GeneralEvaluation"],
        "llm": ["LLMSemanticChunker"],
        "scores": [
            "difference",
            "find_target_in_document",
            "intersect_two_ranges",
            "sum_of_ranges",
            "union_ranges",
        ],
        "search": ["find_query_despite_whitespace", "rigorous_document_search"],
        "semantic": ["ClusterSemanticChunker", "KamradtModifiedChunker"],
        "synthetic": ["SyntheticEvaluation"],
        "tokens": [
            "FixedTokenChunker",
            "RecursiveTokenChunker",
            "Tokenizer",
            "split_text_on_tokens",
        ],
    },
)

_CHUNKERS = [
    "BaseChunker",
    "ClusterSemanticChunker",
    "FixedTokenChunker",
    "KamradtModifiedChunker",
    "LLMSemanticChunker",
    "RecursiveTokenChunker",
]

# Modules of chunking_evaluation that have no file of their own here.
add_paths(
    __name__,
    {
        "chunking": _CHUNKERS,
        "chunking.base_chunker": ["BaseChunker"],
        "chunking.cluster_semantic_chunker": ["ClusterSemanticChunker"],
        "chunking.fixed_token_chunker": ["FixedTokenChunker", "TextSplitter"],
        "chunking.kamradt_modified_chunker": ["KamradtModifiedChunker"],
        "chunking.llm_semantic_chunker": ["LLMSemanticChunker"],
        "chunking.recursive_token_chunker": ["RecursiveTokenChunker"],
        "evaluation_framework": [],
        "evaluation_framework.base_evaluation": [
            "BaseEvaluation",
            "difference",
            "intersect_two_ranges",
            "sum_of_ranges",
            "union_ranges",
        ],
        "evaluation_framework.general_evaluation": ["GeneralEvaluation"],
        "evaluation_framework.synthetic_evaluation": ["SyntheticEvaluation"],
        "utils": [
            "Language",
            "find_query_despite_whitespace",
            "openai_token_count",
            "rigorous_document_search",
        ],
    },
)

__getattr__ = with_hints(
    __name__,
    __getattr__,
    {
        "get_openai_embedding_function": "use cw.OpenAICompatible",
    },
)
