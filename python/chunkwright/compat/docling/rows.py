"""Chunks of DoclingDocument JSON as plain dicts, made without docling-core."""

from __future__ import annotations

import json
from itertools import chain
from types import SimpleNamespace
from typing import Any, Literal, TypedDict, Unpack, get_args

from chunkwright import _core
from chunkwright.checks import checked_flag, checked_int, checked_name
from chunkwright.chunking.bases.options import DEFAULT_MAX_TOKENS
from chunkwright.errors import ConfigError, nearest
from chunkwright.tokens.tokenizer import TokenizerLike

from .native import DoclingJson, counting_of_source, read_json, text_of, warn

Chunker = Literal["hybrid", "hierarchical", "page", "line"]
Tables = Literal["triplets", "markdown", "compact markdown"]


class RowOptions(TypedDict, total=False):
    """Options of `chunk_json`, by the names that Docling's chunkers have for them."""

    tokenizer: TokenizerLike
    max_tokens: int
    merge_peers: bool
    repeat_table_header: bool
    omit_header_on_overflow: bool
    always_emit_headings: bool
    prefix: str
    omit_prefix_on_overflow: bool
    tables: Tables


class ChunkRow(TypedDict):
    """A chunk: what ``DocChunk.export_json_dict()`` gives, and the text with its headings."""

    text: str
    meta: dict[str, Any]
    contextualized: str


_DEFAULTS: RowOptions = {
    "tokenizer": "cl100k_base",
    "max_tokens": DEFAULT_MAX_TOKENS,
    "merge_peers": True,
    "repeat_table_header": True,
    "omit_header_on_overflow": False,
    "always_emit_headings": False,
    "prefix": "",
    "omit_prefix_on_overflow": False,
    "tables": "triplets",
}
_COUNTED = {"tokenizer", "max_tokens", "tables"}
_HYBRID = {"merge_peers", "repeat_table_header", "omit_header_on_overflow", "always_emit_headings"}
_OPTIONS: dict[str, set[str]] = {
    "hybrid": _COUNTED | _HYBRID,
    "hierarchical": {"tables", "always_emit_headings"},
    "page": {"tables"},
    "line": _COUNTED | {"prefix", "omit_prefix_on_overflow"},
}
CHUNKERS = tuple(_OPTIONS)
"""The names of the chunkers."""


def chunk_json(
    source: DoclingJson, chunker: Chunker = "hybrid", **options: Unpack[RowOptions]
) -> list[ChunkRow]:
    """Cut DoclingDocument JSON into the chunks of a chunker of Docling's, as plain dicts.

    docling-core is not needed. Chunks that have an item in common share its dict.

    Parameters
    ----------
    source
        The document: JSON as text, as bytes in UTF-8, or as a dict.
    chunker
        Whose chunks: those of `HybridChunker`, `HierarchicalChunker`, `PageChunker` or
        `LineBasedTokenChunker`.
    **options
        As the chunker has them; another one's are refused. ``tokenizer`` is what
        :class:`chunkwright.Tokenizer` takes (``"cl100k_base"``) and ``max_tokens`` the limit in
        its tokens (512), both for ``"hybrid"`` and ``"line"``. ``merge_peers`` (true),
        ``repeat_table_header`` (true) and ``omit_header_on_overflow`` (false) are for
        ``"hybrid"``, ``always_emit_headings`` (false) is for ``"hybrid"`` and
        ``"hierarchical"``, ``prefix`` (empty) and ``omit_prefix_on_overflow`` (false) are for
        ``"line"``. ``tables`` says how tables are written, for all: as ``"triplets"``, as
        ``"markdown"`` or as ``"compact markdown"``.

    Returns
    -------
    list[ChunkRow]
        The chunks: ``text`` and ``meta`` as ``DocChunk.export_json_dict()`` has them, and
        ``contextualized``, the text with the headings above it.

    Raises
    ------
    ConfigError
        If a chunker, an option or its value is unknown; names it.
    TokenizerError
        If the tokenizer is none, or cannot be read.
    ReadError
        If the JSON is no DoclingDocument, or a broken one; names the item.

    Examples
    --------
    >>> from chunkwright.compat.docling import chunk_json
    >>> document = {
    ...     "schema_name": "DoclingDocument",
    ...     "version": "1.10.0",
    ...     "name": "rivers",
    ...     "body": {"self_ref": "#/body", "children": [{"$ref": "#/texts/0"}]},
    ...     "texts": [
    ...         {
    ...             "self_ref": "#/texts/0",
    ...             "parent": {"$ref": "#/body"},
    ...             "label": "text",
    ...             "text": "The Elbe is long.",
    ...             "orig": "The Elbe is long.",
    ...         }
    ...     ],
    ... }
    >>> [row["contextualized"] for row in chunk_json(document, max_tokens=64)]
    ['The Elbe is long.']
    """
    checked = checked_options(chunker, options)
    return _Rows(read_json(text_of(source)), chunker, checked).rows()


def checked_options(chunker: str, options: RowOptions) -> RowOptions:
    """Return the options of `chunk_json` with the defaults of those that are not given.

    Raises
    ------
    ConfigError
        If a chunker, an option or its value is unknown; names it.
    """
    checked_name("chunker", chunker, CHUNKERS)
    for name, value in options.items():
        if name not in _DEFAULTS:
            raise ConfigError(f"unknown option {name!r}; {nearest(name, list(_DEFAULTS))}")
        if name not in _OPTIONS[chunker]:
            raise ConfigError(f"{name} is no option of the chunker {chunker!r}")
        if name == "max_tokens":
            checked_int(name, value, least=1)
        elif name == "prefix":
            if not isinstance(value, str):
                raise ConfigError(f"prefix must be a str, got {value!r}")
        elif name == "tables":
            checked_name(name, value, get_args(Tables))
        elif name != "tokenizer":
            checked_flag(name, value)
    return _DEFAULTS | options


class _Rows:
    """The chunks of a document as dicts."""

    def __init__(self, document: _core.DoclingDocument, chunker: str, options: RowOptions) -> None:
        self._document = document
        self._chunker = chunker
        self._options = options
        said = document.origin_json()
        self._origin = None if said is None else json.loads(said)

    def rows(self) -> list[ChunkRow]:
        tables = self._options["tables"]
        if self._chunker == "line":
            return self._lines()
        if self._chunker == "hybrid":
            return self._of(self._hybrid())
        if self._chunker == "page":
            return self._of(self._document.pages(tables=tables))
        always = self._options["always_emit_headings"]
        return self._of(self._document.hierarchical(tables=tables, always_emit_headings=always))

    def _hybrid(self) -> _core.DoclingChunks:
        options = self._options
        counting = counting_of_source(options["tokenizer"])
        chunks, warnings = self._document.hybrid(
            counting.unit,
            tables=options["tables"],
            always_emit_headings=options["always_emit_headings"],
            max_tokens=options["max_tokens"],
            repeat_table_header=options["repeat_table_header"],
            merge_peers=options["merge_peers"],
            omit_header_on_overflow=options["omit_header_on_overflow"],
            max_token_chars=counting.max_token_chars,
        )
        warn(warnings, _named)
        return chunks

    def _lines(self) -> list[ChunkRow]:
        options = self._options
        texts, references, warnings = self._document.lines(
            counting_of_source(options["tokenizer"]).unit,
            tables=options["tables"],
            max_tokens=options["max_tokens"],
            prefix=options["prefix"],
            omit_prefix_on_overflow=options["omit_prefix_on_overflow"],
        )
        warn(warnings, _named)
        shared = self._dumped(references)
        return [self._row(text, shared, None, has_origin=True) for text in texts]

    def _of(self, chunks: _core.DoclingChunks) -> list[ChunkRow]:
        references = chunks.references()
        names = list(dict.fromkeys(chain.from_iterable(references)))
        items = dict(zip(names, self._dumped(names), strict=True))
        columns = (chunks.texts(), references, chunks.headings(), chunks.with_origin())
        return [
            self._row(text, [items[name] for name in names], headings, has_origin=has_origin)
            for text, names, headings, has_origin in zip(*columns, strict=True)
        ]

    def _dumped(self, references: list[str]) -> list[Any]:
        dumped: list[Any] = json.loads(self._document.items_json(references))
        return dumped

    def _row(
        self, text: str, items: list[Any], headings: list[str] | None, *, has_origin: bool
    ) -> ChunkRow:
        meta: dict[str, Any] = {
            "schema_name": "docling_core.transforms.chunker.DocMeta",
            "version": "1.0.0",
            "doc_items": items,
        }
        if headings is not None:
            meta["headings"] = headings
        if has_origin and self._origin is not None:
            meta["origin"] = self._origin
        whole = "\n".join([*headings, text]) if headings else text
        return {"text": text, "meta": meta, "contextualized": whole}


def _named(chunk: tuple[Any, ...]) -> SimpleNamespace:
    """Return a chunk that a warning is about, its items by their references."""
    text, references, _, headings, *_ = chunk
    return SimpleNamespace(text=text, meta={"doc_items": references, "headings": headings})
