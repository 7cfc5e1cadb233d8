"""Cuts documents into chunks for retrieval, exactly and fast.

Examples
--------
>>> import chunkwright as cw
>>> chunks = cw.chunk("One sentence. And one more.", max_tokens=4)
>>> chunks[0].text, chunks[0].n_tokens
('One sentence. And', 4)
"""

from chunkwright._lazy import attach
from chunkwright._strategies import CLASSES

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "_core": ["__version__"],
        "chunking": [*CLASSES.values(), "Separator", "TablePart", "chunk", "split_table"],
        "chunking.registry": ["strategy"],
        "chunk_view": ["Chunk", "Piece"],
        "chunks": ["Chunks"],
        "contextual": ["Contextual", "ContextualChunk", "contextualize"],
        "document": ["Document"],
        "elements": ["Box", "Element", "Elements", "Table", "TableCell"],
        "embed": ["Cached", "Lexical", "Onnx", "OpenAICompatible", "Static"],
        "expansion": ["expand"],
        "errors": [
            "ChunkwrightError",
            "ConfigError",
            "MissingExtraError",
            "ModelError",
            "ReadError",
            "TokenizerError",
        ],
        "links": ["Link"],
        "readers.html": ["read_html"],
        "placed_elements": ["elements_at"],
        "readers.docling": ["read_docling"],
        "readers.markdown": ["read_markdown"],
        "readers.read": ["read"],
        "readers.table": ["read_csv"],
        "readers.unstructured": ["read_elements"],
        "retrieval": ["Retriever"],
        "sentences": ["split_sentences"],
        "token_index": ["TokenIndex"],
        "tokenizer": ["Tokenizer", "count_tokens"],
    },
)
