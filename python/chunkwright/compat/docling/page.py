"""Page chunker: a chunk for each page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import core_documents, peer
from .chunk_objects import Maker
from .peer import DocChunk, DoclingDocument
from .source import DoclingJson


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
