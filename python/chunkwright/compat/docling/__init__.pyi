# The names of the package for type checkers; __init__.py gives them lazily.

from chunkwright.compat.docling.hierarchical import HierarchicalChunker as HierarchicalChunker
from chunkwright.compat.docling.hybrid import HybridChunker as HybridChunker
from chunkwright.compat.docling.line import LineBasedTokenChunker as LineBasedTokenChunker
from chunkwright.compat.docling.page import PageChunker as PageChunker
from chunkwright.compat.docling.peer import (
    BaseChunk as BaseChunk,
    BaseChunkExpander as BaseChunkExpander,
    BaseChunker as BaseChunker,
    BaseMeta as BaseMeta,
    BaseTokenizer as BaseTokenizer,
    ChunkingDocSerializer as ChunkingDocSerializer,
    ChunkingSerializerProvider as ChunkingSerializerProvider,
    DocChunk as DocChunk,
    DocMeta as DocMeta,
    OpenAITokenizer as OpenAITokenizer,
    PageChunkExpander as PageChunkExpander,
    TreeChunkExpander as TreeChunkExpander,
)
from chunkwright.compat.docling.tokenizers import (
    HuggingFaceTokenizer as HuggingFaceTokenizer,
    get_default_tokenizer as get_default_tokenizer,
)

__all__: list[str]
