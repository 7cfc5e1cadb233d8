"""Cuts documents into chunks for retrieval, exactly and fast.

Examples
--------
>>> import chunkwright as cw
>>> chunks = cw.chunk("One sentence. And one more.", max_tokens=4)
>>> chunks[0].text, chunks[0].n_tokens
('One sentence. And', 4)
"""

from chunkwright._core import __version__
from chunkwright.chunking import Balanced, Recursive, Sentence, Separator, Window, chunk
from chunkwright.chunks import Chunk, Chunks, Piece
from chunkwright.document import Document
from chunkwright.errors import (
    ChunkwrightError,
    ConfigError,
    MissingExtraError,
    ModelError,
    ReadError,
    TokenizerError,
)
from chunkwright.sentences import split_sentences
from chunkwright.token_index import TokenIndex
from chunkwright.tokenizer import Tokenizer, count_tokens

__all__ = [
    "Balanced",
    "Chunk",
    "Chunks",
    "ChunkwrightError",
    "ConfigError",
    "Document",
    "MissingExtraError",
    "ModelError",
    "Piece",
    "ReadError",
    "Recursive",
    "Sentence",
    "Separator",
    "TokenIndex",
    "Tokenizer",
    "TokenizerError",
    "Window",
    "__version__",
    "chunk",
    "count_tokens",
    "split_sentences",
]
