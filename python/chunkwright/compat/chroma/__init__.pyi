# The names of the package for type checkers; __init__.py gives them lazily.

from chunkwright.compat.langchain.fallback import Tokenizer as Tokenizer
from chunkwright.compat.chroma.base import (
    BaseChunker as BaseChunker,
    Language as Language,
    TextSplitter as TextSplitter,
    openai_token_count as openai_token_count,
)
from chunkwright.compat.chroma.embedding import RateLimiter as RateLimiter
from chunkwright.compat.chroma.evaluation import (
    BaseEvaluation as BaseEvaluation,
    GeneralEvaluation as GeneralEvaluation,
)
from chunkwright.compat.chroma.llm import LLMSemanticChunker as LLMSemanticChunker
from chunkwright.compat.chroma.scores import (
    difference as difference,
    find_target_in_document as find_target_in_document,
    intersect_two_ranges as intersect_two_ranges,
    sum_of_ranges as sum_of_ranges,
    union_ranges as union_ranges,
)
from chunkwright.compat.chroma.search import (
    find_query_despite_whitespace as find_query_despite_whitespace,
    rigorous_document_search as rigorous_document_search,
)
from chunkwright.compat.chroma.semantic import (
    ClusterSemanticChunker as ClusterSemanticChunker,
    KamradtModifiedChunker as KamradtModifiedChunker,
)
from chunkwright.compat.chroma.synthetic import SyntheticEvaluation as SyntheticEvaluation
from chunkwright.compat.chroma.tokens import (
    FixedTokenChunker as FixedTokenChunker,
    RecursiveTokenChunker as RecursiveTokenChunker,
    split_text_on_tokens as split_text_on_tokens,
)

__all__: list[str]
