"""Hierarchical chunker: a chunk for each item or list, with the headings above it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import core_documents, peer
from .chunk_objects import Maker
from .peer import BaseChunk, DoclingDocument
from .source import DoclingJson


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
