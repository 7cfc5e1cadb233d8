"""Docling's chunkers by items, by pages and by lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import Field

from chunkwright import _core
from chunkwright.checks import MAX_SIZE

from . import core_documents, peer
from .chunk_objects import Maker
from .native import DoclingJson, warn
from .peer import BaseChunk, BaseTokenizer, DocChunk, DoclingDocument
from .tokenizers import asking, counting_of, get_default_tokenizer


class HierarchicalChunker(peer.HierarchicalChunker):
    """Docling's `HierarchicalChunker`: its parameters and chunks."""

    def chunk(self, dl_doc: DoclingDocument | DoclingJson, **kwargs: Any) -> Iterator[BaseChunk]:
        """Cut a document.

        Parameters
        ----------
        dl_doc
            The document; or its JSON as text, as bytes in UTF-8, or as a dict.
        **kwargs
            What the serializer takes to leave items out, such as ``pages={1}``.

        Yields
        ------
        BaseChunk
            A `DocChunk`, or what `code_chunking_strategy` makes of code.

        Raises
        ------
        ReadError
            If JSON holds no document, or a broken one; names the item.
        """
        given = core_documents.input_document(dl_doc)
        dl_doc = given.document
        tables = core_documents.Serializing(self.serializer_provider, given).tables
        if tables is None or kwargs or self.code_chunking_strategy is not None:
            yield from super().chunk(dl_doc, **kwargs)
        elif (document := given.read()) is None:
            yield from super().chunk(dl_doc)
        else:
            always = self.always_emit_headings
            chunks = document.hierarchical(tables=tables, always_emit_headings=always)
            yield from Maker(core_documents.LiveItems(dl_doc), dl_doc.origin).all_of(chunks)


class PageChunker(peer.PageChunker):
    """Docling's `PageChunker`: its parameters and chunks."""

    def chunk(self, dl_doc: DoclingDocument | DoclingJson, **kwargs: Any) -> Iterator[DocChunk]:
        """Cut a document.

        Parameters
        ----------
        dl_doc
            The document; or its JSON as text, as bytes in UTF-8, or as a dict.
        **kwargs
            Nothing that is looked at.

        Yields
        ------
        DocChunk
            All that is on a page; all of a document that has none.

        Raises
        ------
        ReadError
            If JSON holds no document, or a broken one; names the item.
        """
        given = core_documents.input_document(dl_doc)
        dl_doc = given.document
        tables = core_documents.Serializing(self.serializer_provider, given).tables
        if tables is None or (document := given.read()) is None:
            yield from super().chunk(dl_doc, **kwargs)
        else:
            chunks = document.pages(tables=tables)
            made = ["of page"] * len(chunks)
            yield from Maker(core_documents.LiveItems(dl_doc), dl_doc.origin).all_of(chunks, made)


# What the core does itself: a class or an object that has its own of these runs the peer's code.
_OWN = (
    "max_tokens",
    "prefix_chunks",
    "prefix_len",
    "split_by_token_limit",
    "_split_by_token_limit",
)


class LineBasedTokenChunker(peer.LineBasedTokenChunker):
    """Docling's `LineBasedTokenChunker`: its parameters, chunks, errors and warnings."""

    tokenizer: BaseTokenizer = Field(default_factory=get_default_tokenizer)

    def chunk(self, dl_doc: DoclingDocument | DoclingJson, **kwargs: Any) -> Iterator[BaseChunk]:
        """Cut the text of a document at its lines.

        Parameters
        ----------
        dl_doc
            The document; or its JSON as text, as bytes in UTF-8, or as a dict.
        **kwargs
            Nothing that is looked at.

        Yields
        ------
        BaseChunk
            A `DocChunk`, which names all items of the document.

        Raises
        ------
        ReadError
            If JSON holds no document, or a broken one; names the item.
        """
        given = core_documents.input_document(dl_doc)
        found = self._of_stock(given, core_documents.Serializing(self.serializer_provider, given))
        yield from super().chunk(given.document, **kwargs) if found is None else found

    def chunk_text(self, lines: list[str]) -> list[str]:
        """Put lines into chunks of at most `max_tokens`; one that is too long alone is cut.

        Parameters
        ----------
        lines
            The lines, with their line ends.

        Returns
        -------
        list[str]
            The chunks.

        Raises
        ------
        ValueError
            If a single character is over the limit.
        """
        if not self._is_plain():
            chunks: list[str] = super().chunk_text(lines)
            return chunks
        counting = counting_of(self.tokenizer)
        if not counting.takes([self.prefix, "".join(lines)]):
            counting = asking(self.tokenizer)
        chunks, warnings = _core.docling_lines(
            counting.unit, lines, self.max_tokens, self.prefix, self.omit_prefix_on_overflow
        )
        self._warn_once(warnings)
        return chunks

    def _of_stock(
        self, given: core_documents.InputDocument, serializing: core_documents.Serializing
    ) -> Iterator[BaseChunk] | None:
        """Return the chunks if the core can do without Python, else None."""
        document = given.document
        tables = serializing.tables
        if tables is None or not self._is_plain():
            return None
        counting = counting_of(self.tokenizer)
        if type(self).chunk_text is not LineBasedTokenChunker.chunk_text or not counting.is_native:
            return None
        if not counting.takes([self.prefix, *core_documents.texts_of(document)]):
            return None
        if (core := given.read()) is None:
            return None
        texts, names, warnings = core.lines(
            counting.unit,
            tables=tables,
            max_tokens=self.max_tokens,
            prefix=self.prefix,
            omit_prefix_on_overflow=self.omit_prefix_on_overflow,
        )
        if not names and texts:
            # The peer has an error for texts that are of no item.
            return None
        self._warn_once(warnings)
        return Maker(core_documents.LiveItems(document), document.origin).of_all_items(texts, names)

    def _is_plain(self) -> bool:
        is_stock = peer.has_methods_of(peer.LineBasedTokenChunker, self, _OWN)
        return is_stock and 0 < self.max_tokens <= MAX_SIZE

    def _warn_once(self, warnings: list[tuple[Any, ...]]) -> None:
        # A prefix that is too long was warned of when the chunker was made.
        omitted = [warning for warning in warnings if warning[0] == "prefix_omitted"]
        if omitted and not self._prefix_omitted_warned:
            warn(omitted)
            self._prefix_omitted_warned = True
