"""Cuts documents into chunks for retrieval, exactly and fast.

Examples
--------
>>> import chunkwright as cw
>>> chunks = cw.chunk("One sentence. And one more.", max_tokens=4)
>>> chunks[0].text, chunks[0].n_tokens
('One sentence. And', 4)
"""

from typing import TYPE_CHECKING

from chunkwright._core import __version__
from chunkwright.chunking import (
    Balanced,
    Basic,
    ByPage,
    BySimilarity,
    ByTitle,
    Cluster,
    Discontinuity,
    Kamradt,
    KamradtModified,
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
from chunkwright.elements import Box, Element, Elements, elements_at
from chunkwright.embed import Lexical
from chunkwright.errors import (
    ChunkwrightError,
    ConfigError,
    MissingExtraError,
    ModelError,
    ReadError,
    TokenizerError,
)
from chunkwright.readers.unstructured import read_elements
from chunkwright.sentences import split_sentences
from chunkwright.token_index import TokenIndex
from chunkwright.tokenizer import Tokenizer, count_tokens

if TYPE_CHECKING:
    from chunkwright.embed import Cached, Onnx, OpenAICompatible, Static
    from chunkwright.retrieval import Retriever
else:
    # What not everybody needs is imported when it is asked for.
    _PACKAGES = {
        "Cached": "embed",
        "Onnx": "embed",
        "OpenAICompatible": "embed",
        "Retriever": "retrieval",
        "Static": "embed",
    }

    def __getattr__(name: str) -> object:
        if name not in _PACKAGES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_PACKAGES[name]}"), name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})


__all__ = [
    "Balanced",
    "Basic",
    "Box",
    "ByPage",
    "BySimilarity",
    "ByTitle",
    "Cached",
    "Chunk",
    "Chunks",
    "ChunkwrightError",
    "Cluster",
    "ConfigError",
    "ContextualChunk",
    "Discontinuity",
    "Document",
    "Element",
    "Elements",
    "Kamradt",
    "KamradtModified",
    "Lexical",
    "MissingExtraError",
    "ModelError",
    "Onnx",
    "OpenAICompatible",
    "Piece",
    "ReadError",
    "Recursive",
    "Retriever",
    "Sentence",
    "Separator",
    "Static",
    "TablePart",
    "TokenIndex",
    "Tokenizer",
    "TokenizerError",
    "Window",
    "__version__",
    "chunk",
    "contextualize",
    "count_tokens",
    "elements_at",
    "read_elements",
    "split_sentences",
    "split_table",
]
