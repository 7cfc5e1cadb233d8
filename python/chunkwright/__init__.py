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
        "chunk_view": ["Chunk", "Piece"],
        "chunking": [*CLASSES.values(), "Separator", "TablePart", "chunk", "split_table"],
        "chunking.registry": ["strategy"],
        "chunks": ["Chunks"],
        "contextual": ["Contextual", "ContextualChunk", "contextualize"],
        "document": ["Document"],
        "elements.box": ["Box"],
        "elements.element": ["Element"],
        "elements.elements": ["Elements"],
        "elements.links": ["Link"],
        "elements.placed": ["elements_at"],
        "elements.table": ["Table", "TableCell"],
        "embed": ["Cached", "Lexical", "Onnx", "OpenAICompatible", "Static"],
        "errors": [
            "ChunkwrightError",
            "ConfigError",
            "EncryptedError",
            "MissingExtraError",
            "ModelError",
            "NeedsOcrError",
            "NoTextError",
            "ReadError",
            "StoreError",
            "TokenizerError",
        ],
        "readers.docling": ["read_docling"],
        "readers.docx": ["read_docx"],
        "readers.ocr.words": ["OcrWord"],
        "readers.pdf.reader": ["read_pdf"],
        "readers.read": ["read"],
        "readers.delimited": ["read_csv"],
        "readers.html": ["read_html"],
        "readers.markdown": ["read_markdown"],
        "readers.rst": ["read_rst"],
        "readers.unstructured": ["read_elements"],
        "retrieval": ["Retriever"],
        "retrieval.expansion": ["expand"],
        "retrieval.shadows": ["shadows"],
        "sentences": ["split_sentences"],
        "store": ["Store"],
        "tokens.index": ["TokenIndex"],
        "tokens.tokenizer": ["Tokenizer", "count_tokens"],
    },
    peers="chunking.peer_terms",
)
