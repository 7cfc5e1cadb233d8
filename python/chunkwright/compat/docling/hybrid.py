"""Hybrid chunker: sections of a document split and merged by tokens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import Field, model_validator

from chunkwright import _core
from chunkwright.checks import MAX_SIZE

from . import core_documents, peer
from .chunk_objects import Maker
from .chunkers import HierarchicalChunker
from .native import Counting, DoclingJson, warn
from .peer import BaseChunk, BaseTokenizer, DocItem, DoclingDocument
from .tokenizers import HuggingFaceTokenizer, asking, counting_of, get_default_tokenizer

# What the core does itself: a class or an object that has its own of these runs the peer's code.
_OWN = (
    "contextualize",
    "max_tokens",
    "segment",
    "_ChunkLengthInfo",
    "_count_chunk_tokens",
    "_count_text_tokens",
    "_doc_chunk_length",
    "_estimate_delimiter_tokens",
    "_estimate_meta_tokens",
    "_merge_chunks_with_matching_metadata",
    "_split_by_doc_items",
    "_split_table_by_columns",
    "_split_using_plain_text",
)


class HybridChunker(peer.HybridChunker):
    """Docling's `HybridChunker`: its parameters, chunks, errors and warnings."""

    tokenizer: BaseTokenizer = Field(default_factory=get_default_tokenizer)

    @model_validator(mode="before")
    @classmethod
    def _patch(cls, data: Any) -> Any:
        if isinstance(data, dict) and _is_named(data):
            _warn_of_names()
            model, most = data.get("tokenizer"), data.get("max_tokens")
            if model is None:
                default = get_default_tokenizer()
                data["tokenizer"] = default if most is None else _limited(default, most)
            else:
                data["tokenizer"] = HuggingFaceTokenizer.from_pretrained(model, max_tokens=most)
            return data
        patch: Any = super()._patch
        return patch(data)

    def chunk(self, dl_doc: DoclingDocument | DoclingJson, **kwargs: Any) -> Iterator[BaseChunk]:
        """Cut a document.

        Parameters
        ----------
        dl_doc
            The document; or its JSON as text, as bytes in UTF-8, or as a dict.
        **kwargs
            What the serializer takes to leave items out, such as ``pages={1}``.

        Returns
        -------
        Iterator[BaseChunk]
            Of `DocChunk`, made as they are asked for.

        Raises
        ------
        ReadError
            If JSON holds no document, or a broken one; names the item.
        """
        given = core_documents.input_document(dl_doc)
        dl_doc = given.document
        if not self._is_plain():
            return super().chunk(dl_doc, **kwargs)
        serializing = core_documents.Serializing(self.serializer_provider, given)
        if not kwargs and (found := self._of_stock(given, serializing)) is not None:
            return found
        sections: list[Any] = list(self._inner_chunker.chunk(dl_doc=dl_doc, **kwargs))
        items = [item for section in sections for item in section.meta.doc_items]
        counting = counting_of(self.tokenizer)
        if not counting.takes(text for section in sections for text in _texts(section)):
            counting = asking(self.tokenizer)
        maker = Maker(items, dl_doc.origin)
        rendered = _Rendered(serializing.serializer, items, self.tokenizer)
        chunks, warnings = self._cut(rendered, sections, counting)
        warn(warnings, maker.made)
        return map(maker.made, chunks)

    def _is_plain(self) -> bool:
        inner = self._inner_chunker
        return (
            self.delim == "\n"
            and peer.has_methods_of(peer.HybridChunker, self, _OWN)
            and 0 < self.max_tokens <= MAX_SIZE
            and type(inner) in {peer.HierarchicalChunker, HierarchicalChunker}
            and inner.code_chunking_strategy is None
        )

    def _of_stock(
        self, given: core_documents.InputDocument, serializing: core_documents.Serializing
    ) -> Iterator[BaseChunk] | None:
        """Return the chunks if the core can do without Python, else None."""
        dl_doc = given.document
        counting = counting_of(self.tokenizer)
        tables = serializing.tables
        if tables is None or not counting.is_native:
            return None
        inner = self._inner_chunker
        if inner.serializer_provider is not self.serializer_provider:
            sections = core_documents.Serializing(inner.serializer_provider, given)
            if sections.tables != tables:
                return None
        if (
            not counting.takes(core_documents.texts_of(dl_doc))
            or (document := given.read()) is None
        ):
            return None
        chunks, warnings = document.hybrid(
            counting.unit,
            tables=tables,
            always_emit_headings=inner.always_emit_headings,
            max_tokens=self.max_tokens,
            repeat_table_header=self.repeat_table_header,
            merge_peers=self.merge_peers,
            omit_header_on_overflow=self.omit_header_on_overflow,
            max_token_chars=counting.max_token_chars,
        )
        maker = Maker(core_documents.LiveItems(dl_doc), dl_doc.origin)
        warn(warnings, maker.made)
        return maker.all_of(chunks)

    def _cut(self, rendered: _Rendered, sections: list[Any], counting: Counting) -> tuple[Any, Any]:
        numbered = []
        start = 0
        for section in sections:
            end = start + len(section.meta.doc_items)
            numbers = list(range(start, end))
            has_origin = section.meta.origin is not None
            numbered.append((section.text, numbers, section.meta.headings, has_origin))
            start = end
        return _core.docling_hybrid(
            counting.unit,
            rendered,
            numbered,
            self.max_tokens,
            self.repeat_table_header,
            self.merge_peers,
            self.omit_header_on_overflow,
            counting.max_token_chars,
        )


class _Rendered:
    """Items as a serializer renders them, for the core to ask."""

    def __init__(self, serializer: Any, items: list[DocItem], tokenizer: BaseTokenizer) -> None:
        self._serializer = serializer
        self._items = items
        self._tokenizer = tokenizer

    def text(self, number: int) -> str:
        item = self._items[number]
        text: str = self._serializer.serialize(item=item).text
        return "" if isinstance(item, peer.TitleItem | peer.SectionHeaderItem) else text

    def is_table(self, number: int) -> bool:
        return isinstance(self._items[number], peer.TableItem) and isinstance(
            self._serializer, peer.ChunkingDocSerializer
        )

    def table_lines(self, text: str) -> tuple[list[str], list[str]]:
        lines: tuple[list[str], list[str]] = (
            self._serializer.table_serializer.get_header_and_body_lines(table_text=text)
        )
        return lines

    def semantic(self, text: str, most: int) -> list[str]:
        from semchunk.semchunk import chunkerify

        chunker = chunkerify(self._tokenizer.get_tokenizer(), chunk_size=most)
        parts: Any = chunker(text)
        return list(parts)


def _texts(section: Any) -> list[str]:
    return [section.text, *(section.meta.headings or ())]


def _is_named(data: dict[str, Any]) -> bool:
    """Return whether a tokenizer is given by its name, or only a limit for the default one."""
    tokenizer = data.get("tokenizer")
    return isinstance(tokenizer, str) or (tokenizer is None and data.get("max_tokens") is not None)


def _limited(tokenizer: HuggingFaceTokenizer, most: int) -> HuggingFaceTokenizer:
    return HuggingFaceTokenizer(tokenizer=tokenizer.tokenizer, max_tokens=most)


def _warn_of_names() -> None:
    import warnings

    warnings.warn(
        "Deprecated initialization parameter types for HybridChunker. "
        "For updated usage check out "
        "https://docling-project.github.io/docling/examples/hybrid_chunking/",
        DeprecationWarning,
        stacklevel=4,
    )
