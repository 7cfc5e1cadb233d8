r"""Unstructured's chunking: the same chunks from the same calls, many times faster.

Change ``from unstructured.chunking.title import chunk_by_title`` and its like to
``from chunkwright.compat.unstructured import chunk_by_title``, or keep the path below the name of
the package: ``chunkwright.compat.unstructured.chunking.title``. Chunks, errors and warnings are
those of unstructured 0.27.35. Of its elements chunks of its classes are made; where it is not
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

from chunkwright.compat.peers import add_paths, with_hints

from .chunkers import (
    add_chunking_strategy,
    chunk,
    chunk_by_title,
    chunk_elements,
    iter_chunk_elements,
    iter_chunks_by_title,
    register_chunking_strategy,
)
from .contextual import contextualize
from .engine import is_installed, peer_module
from .json import chunks_to_dicts, elements_to_dicts, elements_to_json
from .options import CHUNK_MAX_CHARS_DEFAULT, CHUNK_MULTI_PAGE_DEFAULT
from .platform import (
    chunk_by_page,
    chunk_by_similarity,
    iter_chunks_by_page,
    iter_chunks_by_similarity,
)
from .rebuilt_tables import reconstruct_table_from_chunks

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
    return _named(name)


def _class_of_peer(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if is_installed():
        module = "staging.base" if name in _STAGING else "documents.elements"
        return getattr(peer_module(f"unstructured.{module}"), name)
    module = "staging" if name in _STAGING else "metadata" if name in _METADATA else "elements"
    return getattr(import_module(f".{module}", __package__), name)


_PACKING = "steps of chunking are inside; its options are arguments of chunk_by_title"
_BOUNDARIES = "chunks begin at titles with chunk_by_title, and at pages with chunk_by_page"

_PEERS_OWN = "chunking does not need it: import it from unstructured.documents.elements"
_ELEMENTS_AS = (
    "elements_to_dicts and elements_to_json write elements, chunks_to_dicts native chunks"
)
_ELEMENTS_OF = "elements_from_dicts and elements_from_json read elements"
_TABLES_OF = "make a table of elements_to_dicts(...), such as pandas.json_normalize(dicts)"
_TEXTS_OF = "join the elements' texts: '\\n'.join(element.text for element in elements)"
_STAGING_OWN = "chunking does not need it: import it from unstructured.staging.base"

_named = with_hints(
    __name__,
    _class_of_peer,
    {
        **dict.fromkeys(
            ["ChunkingOptions", "PreChunk", "PreChunkBuilder", "PreChunkCombiner", "PreChunker"],
            _PACKING,
        ),
        **dict.fromkeys(["BoundaryPredicate", "is_on_next_page", "is_title"], _BOUNDARIES),
        "Chunker": "register_chunking_strategy takes any callable; annotate with Callable",
        "TextAndHtml": "parts of tables are TableChunk elements; cw.split_table gives them alone",
        "TokenCounter": "cw.Tokenizer(...).count counts tokens",
        "SPLIT_ORIG_ELEMENTS_MAX_CHARS": "it is 1,000,000 here as well, and cannot be set",
        **dict.fromkeys(
            [
                "ConsolidationStrategy",
                "ElementType",
                "FormKeyOrValue",
                "FormKeyValuePair",
                "Link",
                "assign_and_map_hash_ids",
                "process_metadata",
            ],
            _PEERS_OWN,
        ),
        **dict.fromkeys(
            [
                "convert_to_dict",
                "convert_to_isd",
                "elements_to_base64_gzipped_json",
                "elements_to_ndjson",
            ],
            _ELEMENTS_AS,
        ),
        **dict.fromkeys(
            ["dict_to_elements", "elements_from_base64_gzipped_json", "isd_to_elements"],
            _ELEMENTS_OF,
        ),
        **dict.fromkeys(
            [
                "convert_to_csv",
                "convert_to_dataframe",
                "convert_to_isd_csv",
                "get_default_pandas_dtypes",
            ],
            _TABLES_OF,
        ),
        **dict.fromkeys(["convert_to_text", "elements_to_text"], _TEXTS_OF),
        **dict.fromkeys(
            [
                "convert_to_coco",
                "create_file_from_elements",
                "element_to_md",
                "elements_to_md",
                "filter_element_types",
                "flatten_dict",
            ],
            _STAGING_OWN,
        ),
    },
)

# Modules of Unstructured that have no file of their own here.
add_paths(
    __name__,
    {
        "chunking": [
            "CHUNK_MAX_CHARS_DEFAULT",
            "CHUNK_MULTI_PAGE_DEFAULT",
            "add_chunking_strategy",
            "register_chunking_strategy",
        ],
        "chunking.base": ["CHUNK_MAX_CHARS_DEFAULT", "CHUNK_MULTI_PAGE_DEFAULT"],
        "chunking.basic": ["chunk_elements", "iter_chunk_elements"],
        "chunking.dispatch": [
            "add_chunking_strategy",
            "chunk",
            "reconstruct_table_from_chunks",
            "register_chunking_strategy",
        ],
        "chunking.title": ["chunk_by_title", "iter_chunks_by_title"],
        "documents": [],
        "documents.elements": [name for name in __all__ if name[0].isupper() and "_" not in name],
        "staging.base": [
            "elements_from_dicts",
            "elements_from_json",
            "elements_to_dicts",
            "elements_to_json",
        ],
    },
)

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
