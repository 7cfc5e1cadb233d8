"""docling-core's chunkers and their parts, imported without transformers."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import Any

_CHUNKER = "docling_core.transforms.chunker"
_HUGGING_FACE = f"{_CHUNKER}.tokenizer.huggingface"


class _StandIn(ModuleType):
    """The module that imports transformers, until something of it is used."""

    @staticmethod
    def get_default_tokenizer() -> Any:
        """Return the peer's default tokenizer."""
        return _real().get_default_tokenizer()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(_real(), name)


def _real() -> ModuleType:
    if isinstance(sys.modules.get(_HUGGING_FACE), _StandIn):
        del sys.modules[_HUGGING_FACE]
    return import_module(_HUGGING_FACE)


@contextmanager
def _without_transformers() -> Iterator[None]:
    """Import docling-core's chunkers, all of which load transformers for one default value.

    Once they are imported, the module that loads it is imported as ever by those who ask for it.
    """
    if _CHUNKER in sys.modules or _HUGGING_FACE in sys.modules:
        yield
        return
    sys.modules[_HUGGING_FACE] = _StandIn(_HUGGING_FACE)
    try:
        yield
    finally:
        if isinstance(sys.modules.get(_HUGGING_FACE), _StandIn):
            del sys.modules[_HUGGING_FACE]


with _without_transformers():
    from docling_core.transforms.chunker.base import (
        DFLT_DELIM,
        BaseChunk,
        BaseChunker,
        BaseChunkExpander,
        BaseMeta,
    )
    from docling_core.transforms.chunker.chunk_expander import (
        PageChunkExpander,
        TreeChunkExpander,
    )
    from docling_core.transforms.chunker.code_chunking.base_code_chunking_strategy import (
        BaseCodeChunkingStrategy,
    )
    from docling_core.transforms.chunker.code_chunking.code_chunk import (
        CodeChunk,
        CodeChunkType,
        CodeDocMeta,
    )
    from docling_core.transforms.chunker.code_chunking.standard_code_chunking_strategy import (
        StandardCodeChunkingStrategy,
    )
    from docling_core.transforms.chunker.doc_chunk import DocChunk, DocMeta
    from docling_core.transforms.chunker.hierarchical_chunker import (
        ChunkingDocSerializer,
        ChunkingSerializerProvider,
        HierarchicalChunker,
        TripletTableSerializer,
    )
    from docling_core.transforms.chunker.hybrid_chunker import HybridChunker
    from docling_core.transforms.chunker.line_chunker import LineBasedTokenChunker
    from docling_core.transforms.chunker.page_chunker import PageChunker
    from docling_core.transforms.chunker.tokenizer.base import BaseTokenizer
    from docling_core.transforms.chunker.tokenizer.openai import OpenAITokenizer
    from docling_core.transforms.serializer.markdown import MarkdownTableSerializer
    from docling_core.types.doc.document import (  # type: ignore[attr-defined]
        DocItem,
        DoclingDocument,
        DocumentOrigin,
        SectionHeaderItem,
        TableItem,
        TitleItem,
    )
    from docling_core.types.doc.labels import CodeLanguageLabel


def has_methods_of(peer: type, chunker: object, names: Iterable[str]) -> bool:
    """Return whether a chunker's members of these names are the peer's own.

    Parameters
    ----------
    peer
        The peer's class.
    chunker
        A chunker of that class.
    names
        Methods, properties and classes of the peer's; the object holds values of cached ones.
    """
    cls, values = type(chunker), vars(chunker)
    return all(
        getattr(cls, name) is (found := getattr(peer, name))
        and (name not in values or isinstance(found, cached_property))
        for name in names
    )


__all__ = [
    "DFLT_DELIM",
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
    "DocChunk",
    "DocItem",
    "DocMeta",
    "DoclingDocument",
    "DocumentOrigin",
    "HierarchicalChunker",
    "HybridChunker",
    "LineBasedTokenChunker",
    "MarkdownTableSerializer",
    "OpenAITokenizer",
    "PageChunkExpander",
    "PageChunker",
    "SectionHeaderItem",
    "StandardCodeChunkingStrategy",
    "TableItem",
    "TitleItem",
    "TreeChunkExpander",
    "TripletTableSerializer",
    "has_methods_of",
]
