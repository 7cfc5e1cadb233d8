"""Page chunker: a chunk for each page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import peer, stock
from .making import Maker
from .peer import DocChunk, DoclingDocument


class PageChunker(peer.PageChunker):
    """Docling's `PageChunker`: its parameters and chunks."""

    def chunk(self, dl_doc: DoclingDocument, **kwargs: Any) -> Iterator[DocChunk]:
        """Cut a document.

        Parameters
        ----------
        dl_doc
            The document.
        **kwargs
            Nothing that is looked at.

        Yields
        ------
        DocChunk
            All that is on a page; all of a document that has none.
        """
        serializer: Any = self.serializer_provider.get_serializer(doc=dl_doc)
        tables = stock.tables_of(serializer)
        document = None
        if tables is not None and serializer.doc is dl_doc:
            document = stock.read(dl_doc)
        if tables is None or document is None:
            yield from super().chunk(dl_doc, **kwargs)
        else:
            yield from Maker(stock.LiveItems(dl_doc), dl_doc.origin).whole(
                document.pages(tables=tables)
            )
