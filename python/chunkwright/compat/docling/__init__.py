r"""Docling's chunkers: the same chunks from the same calls, many times faster.

Change ``from docling_core.transforms.chunker.hybrid_chunker import HybridChunker``, or the import
from ``docling.chunking``, to ``from chunkwright.compat.docling import HybridChunker``, or keep the
path below the name of the package: ``chunkwright.compat.docling.hybrid_chunker``. Chunks, errors
and warnings are those of docling-core 2.104.0, whose classes these are derived from; so they are
taken wherever a chunker of Docling's is. Neither transformers nor torch is loaded, unless an
object of theirs is given.

Examples
--------
>>> from docling_core.types.doc import DoclingDocument, DocItemLabel
>>> from chunkwright.compat.docling import HuggingFaceTokenizer, HybridChunker, OpenAITokenizer
>>> document = DoclingDocument(name="rivers")
>>> heading = document.add_heading("Rivers")
>>> item = document.add_text(DocItemLabel.TEXT, "The Elbe is long.")
>>> import tiktoken
>>> encoding = tiktoken.get_encoding("cl100k_base")
>>> chunker = HybridChunker(tokenizer=OpenAITokenizer(tokenizer=encoding, max_tokens=64))
>>> [chunker.contextualize(chunk) for chunk in chunker.chunk(document)]
['Rivers\nThe Elbe is long.']
"""

from importlib.util import find_spec

from chunkwright._lazy import attach
from chunkwright.compat.peers import add_paths

_get, __dir__, __all__ = attach(
    __name__,
    {
        "chunkers": ["HierarchicalChunker", "LineBasedTokenChunker", "PageChunker"],
        "hybrid": ["HybridChunker"],
        "rows": ["ChunkRow", "chunk_json"],
        "peer": [
            "BaseChunk",
            "BaseChunkExpander",
            "BaseChunker",
            "BaseCodeChunkingStrategy",
            "BaseMeta",
            "BaseTokenizer",
            "ChunkingDocSerializer",
            "ChunkingSerializerProvider",
            "CodeChunk",
            "CodeChunkType",
            "CodeDocMeta",
            "CodeLanguageLabel",
            "DFLT_DELIM",
            "DocChunk",
            "DocMeta",
            "OpenAITokenizer",
            "PageChunkExpander",
            "StandardCodeChunkingStrategy",
            "TreeChunkExpander",
            "TripletTableSerializer",
        ],
        "tokenizers": ["HuggingFaceTokenizer", "get_default_tokenizer"],
    },
)

_NEEDED = (
    "chunkwright.compat.docling needs docling-core for {!r}. Please install it with "
    "`pip install 'docling-core[chunking-openai]'`; chunk_json cuts JSON without it."
)


def __getattr__(name: str) -> object:
    """Find a name; of what is made of docling-core's classes, say that it is missing."""
    try:
        return _get(name)
    except ImportError as error:
        if find_spec("docling_core") is not None:
            raise
        raise ImportError(_NEEDED.format(name), name=error.name) from error


_CHUNKS = ["BaseChunk", "DocChunk", "DocMeta"]
_CODE_CHUNKS = ["CodeChunk", "CodeChunkType", "CodeDocMeta"]

add_paths(
    __name__,
    {
        "base": ["BaseChunk", "BaseChunkExpander", "BaseChunker", "BaseMeta", "DFLT_DELIM"],
        "chunk_expander": [
            *_CHUNKS,
            "BaseChunkExpander",
            "BaseMeta",
            "PageChunkExpander",
            "TreeChunkExpander",
        ],
        "chunking": [*_CHUNKS, "BaseChunker", "BaseMeta", "HierarchicalChunker", "HybridChunker"],
        "code_chunking": [],
        "code_chunking.base_code_chunking_strategy": ["BaseCodeChunkingStrategy", "CodeChunk"],
        "code_chunking.code_chunk": [*_CODE_CHUNKS, "BaseChunk", "DocMeta"],
        "code_chunking.standard_code_chunking_strategy": [
            *_CODE_CHUNKS,
            "BaseCodeChunkingStrategy",
            "CodeLanguageLabel",
            "StandardCodeChunkingStrategy",
        ],
        "doc_chunk": [*_CHUNKS, "BaseMeta"],
        "hierarchical_chunker": [
            *_CHUNKS,
            "BaseChunker",
            "BaseCodeChunkingStrategy",
            "ChunkingDocSerializer",
            "ChunkingSerializerProvider",
            "HierarchicalChunker",
            "TripletTableSerializer",
        ],
        "hybrid_chunker": [
            *_CHUNKS,
            "BaseChunker",
            "BaseTokenizer",
            "ChunkingDocSerializer",
            "ChunkingSerializerProvider",
            "HierarchicalChunker",
            "HybridChunker",
            "LineBasedTokenChunker",
        ],
        "line_chunker": [
            *_CHUNKS,
            "BaseChunker",
            "BaseTokenizer",
            "ChunkingSerializerProvider",
            "LineBasedTokenChunker",
            "get_default_tokenizer",
        ],
        "page_chunker": [
            "BaseChunker",
            "ChunkingSerializerProvider",
            "DocChunk",
            "DocMeta",
            "PageChunker",
        ],
        "tokenizer": [],
        "tokenizer.base": ["BaseTokenizer"],
        "tokenizer.huggingface": ["BaseTokenizer", "HuggingFaceTokenizer", "get_default_tokenizer"],
        "tokenizer.openai": ["BaseTokenizer", "OpenAITokenizer"],
    },
)
