"""Cuts documents into chunks for retrieval, exactly and fast.

Examples
--------
>>> import chunkwright as cw
>>> chunks = cw.chunk("One sentence. And one more.", max_tokens=4)
>>> chunks[0].text, chunks[0].n_tokens
('One sentence. And', 4)
"""

from chunkwright._core import __version__
from chunkwright.chunking import (
    Balanced,
    Basic,
    ByPage,
    BySimilarity,
    ByTitle,
    Recursive,
    Sentence,
    Separator,
    TablePart,
    Window,
    chunk,
    split_table,
)
from chunkwright.chunks import Chunk, Chunks, Piece
from chunkwright.contextual import ContextualChunk, contextualize
from chunkwright.document import Document
from chunkwright.element_chunks import ElementChunk, ElementChunks
from chunkwright.elements import Box, Element, ElementDocument, Elements
from chunkwright.errors import (
    ChunkwrightError,
    ConfigError,
    MissingExtraError,
    ModelError,
    ReadError,
    TokenizerError,
)
from chunkwright.read.unstructured import read_elements
from chunkwright.sentences import split_sentences
from chunkwright.token_index import TokenIndex
from chunkwright.tokenizer import Tokenizer, count_tokens

__all__ = [
    "Balanced",
    "Basic",
    "Box",
    "ByPage",
    "BySimilarity",
    "ByTitle",
    "Chunk",
    "Chunks",
    "ChunkwrightError",
    "ConfigError",
    "ContextualChunk",
    "Document",
    "Element",
    "ElementChunk",
    "ElementChunks",
    "ElementDocument",
    "Elements",
    "MissingExtraError",
    "ModelError",
    "Piece",
    "ReadError",
    "Recursive",
    "Sentence",
    "Separator",
    "TablePart",
    "TokenIndex",
    "Tokenizer",
    "TokenizerError",
    "Window",
    "__version__",
    "chunk",
    "contextualize",
    "count_tokens",
    "read_elements",
    "split_sentences",
    "split_table",
]
