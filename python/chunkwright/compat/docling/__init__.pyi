# The names of the package for type checkers; __init__.py gives them lazily.

from chunkwright.compat.docling.chunkers import HierarchicalChunker as HierarchicalChunker
from chunkwright.compat.docling.hybrid import HybridChunker as HybridChunker
from chunkwright.compat.docling.chunkers import LineBasedTokenChunker as LineBasedTokenChunker
from chunkwright.compat.docling.chunkers import PageChunker as PageChunker
from chunkwright.compat.docling.peer import (
    BaseChunk as BaseChunk,
    BaseChunkExpander as BaseChunkExpander,
    BaseChunker as BaseChunker,
    BaseCodeChunkingStrategy as BaseCodeChunkingStrategy,
    BaseMeta as BaseMeta,
    BaseTokenizer as BaseTokenizer,
    ChunkingDocSerializer as ChunkingDocSerializer,
    ChunkingSerializerProvider as ChunkingSerializerProvider,
    CodeChunk as CodeChunk,
    CodeChunkType as CodeChunkType,
    CodeDocMeta as CodeDocMeta,
    CodeLanguageLabel as CodeLanguageLabel,
    DFLT_DELIM as DFLT_DELIM,
    DocChunk as DocChunk,
    DocMeta as DocMeta,
    OpenAITokenizer as OpenAITokenizer,
    PageChunkExpander as PageChunkExpander,
    StandardCodeChunkingStrategy as StandardCodeChunkingStrategy,
    TreeChunkExpander as TreeChunkExpander,
    TripletTableSerializer as TripletTableSerializer,
)
from chunkwright.compat.docling.rows import ChunkRow as ChunkRow, chunk_json as chunk_json
from chunkwright.compat.docling.tokenizers import (
    HuggingFaceTokenizer as HuggingFaceTokenizer,
    get_default_tokenizer as get_default_tokenizer,
)

__all__: list[str]
