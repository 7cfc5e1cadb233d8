r"""Unstructured's chunking: the same chunks from the same calls, many times faster.

Change ``from unstructured.chunking.title import chunk_by_title`` and its like to
``from chunkwright.compat.unstructured import chunk_by_title``. Chunks, errors and warnings are
those of unstructured 0.27.32. Of its elements chunks of its classes are made; where it is not
installed, this module has classes like them. `chunk_by_page`, `chunk_by_similarity` and
`contextualize` are what Unstructured's platform has and its package lacks.

Examples
--------
>>> from chunkwright.compat.unstructured import chunk_by_title, elements_from_dicts
>>> elements = elements_from_dicts([
...     {"type": "Title", "text": "Rivers"},
...     {"type": "NarrativeText", "text": "The Elbe is long."},
...     {"type": "Title", "text": "Lakes"},
...     {"type": "NarrativeText", "text": "Lake Constance is deep."},
... ])
>>> chunks = chunk_by_title(elements, combine_text_under_n_chars=0)
>>> [chunk.text for chunk in chunks]
['Rivers\n\nThe Elbe is long.', 'Lakes\n\nLake Constance is deep.']
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .chunkers import (
    chunk_by_title,
    chunk_elements,
    iter_chunk_elements,
    iter_chunks_by_title,
)
from .contextual import contextualize
from .dispatch import add_chunking_strategy, chunk, register_chunking_strategy
from .json import elements_to_dicts, elements_to_json
from .native import chunks_to_dicts
from .options import CHUNK_MAX_CHARS_DEFAULT, CHUNK_MULTI_PAGE_DEFAULT
from .platform import (
    chunk_by_page,
    chunk_by_similarity,
    iter_chunks_by_page,
    iter_chunks_by_similarity,
)
from .run import is_installed, peer_module
from .tables import reconstruct_table_from_chunks

if TYPE_CHECKING:
    from .elements import (
        Address,
        CheckBox,
        CodeSnippet,
        CompositeElement,
        DocumentData,
        Element,
        EmailAddress,
        FigureCaption,
        Footer,
        Form,
        FormKeysValues,
        Formula,
        Header,
        Image,
        ListItem,
        NarrativeText,
        PageBreak,
        PageNumber,
        Table,
        TableChunk,
        Text,
        Title,
    )
    from .metadata import CoordinatesMetadata, DataSourceMetadata, ElementMetadata
    from .staging import elements_from_dicts, elements_from_json

__all__ = [
    "CHUNK_MAX_CHARS_DEFAULT",
    "CHUNK_MULTI_PAGE_DEFAULT",
    "Address",
    "CheckBox",
    "CodeSnippet",
    "CompositeElement",
    "CoordinatesMetadata",
    "DataSourceMetadata",
    "DocumentData",
    "Element",
    "ElementMetadata",
    "EmailAddress",
    "FigureCaption",
    "Footer",
    "Form",
    "FormKeysValues",
    "Formula",
    "Header",
    "Image",
    "ListItem",
    "NarrativeText",
    "PageBreak",
    "PageNumber",
    "Table",
    "TableChunk",
    "Text",
    "Title",
    "add_chunking_strategy",
    "chunk",
    "chunk_by_page",
    "chunk_by_similarity",
    "chunk_by_title",
    "chunk_elements",
    "chunks_to_dicts",
    "contextualize",
    "elements_from_dicts",
    "elements_from_json",
    "elements_to_dicts",
    "elements_to_json",
    "iter_chunk_elements",
    "iter_chunks_by_page",
    "iter_chunks_by_similarity",
    "iter_chunks_by_title",
    "reconstruct_table_from_chunks",
    "register",
    "register_chunking_strategy",
]

_STAGING = ("elements_from_dicts", "elements_from_json")
_METADATA = ("CoordinatesMetadata", "DataSourceMetadata", "ElementMetadata")


def __getattr__(name: str) -> Any:
    """Find classes of elements: Unstructured's where it is installed, else ours.

    They are looked for when they are asked for: Unstructured takes long to import.
    """
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if is_installed():
        module = "staging.base" if name in _STAGING else "documents.elements"
        return getattr(peer_module(f"unstructured.{module}"), name)
    module = "staging" if name in _STAGING else "metadata" if name in _METADATA else "elements"
    return getattr(import_module(f".{module}", __package__), name)


_STRATEGIES: dict[str, Callable[..., list[Any]]] = {
    "basic": chunk_elements,
    "by_title": chunk_by_title,
    "by_page": chunk_by_page,
    "by_similarity": chunk_by_similarity,
}

for _name, _chunker in _STRATEGIES.items():
    register_chunking_strategy(_name, _chunker)


def register() -> None:
    """Register the chunkers with Unstructured, so that its partitioners can use them.

    Their names are ``"chunkwright_basic"``, ``"chunkwright_by_title"``, ``"chunkwright_by_page"``
    and ``"chunkwright_by_similarity"``, as in
    ``partition(..., chunking_strategy="chunkwright_by_page")``.

    Raises
    ------
    ImportError
        If Unstructured is not installed.
    """
    dispatch = peer_module("unstructured.chunking.dispatch")
    for name, chunker in _STRATEGIES.items():
        dispatch.register_chunking_strategy(f"chunkwright_{name}", chunker)
