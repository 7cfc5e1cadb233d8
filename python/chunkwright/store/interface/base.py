"""Base of the methods of a store: its database, its embedder, and its indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright.embed import as_embedder
from chunkwright.errors import ConfigError
from chunkwright.retrieval.options import Options
from chunkwright.retrieval.retriever import Retriever
from chunkwright.store.citing.quote_filters import QuoteFilters
from chunkwright.store.citing.quoted_texts import QuotedTexts
from chunkwright.store.importing.embedding import Embedding
from chunkwright.store.searching.opened import OpenedIndexes

if TYPE_CHECKING:
    from chunkwright.embed import EmbedderLike
    from chunkwright.store.database.protocol import Database


class StoreBase:
    """A store's database and models.

    Parameters
    ----------
    database
        The database.
    embedder
        The model of its vectors.
    """

    def __init__(self, database: Database, embedder: EmbedderLike | None = None) -> None:
        self._database = database
        try:
            # Made once: indexes are held for this very object.
            self._embedder = None if embedder is None else as_embedder(embedder)
            self._embedding = None if self._embedder is None else Embedding(self._embedder)
        except Exception:
            database.close()
            raise
        self._indexes = OpenedIndexes(database)
        self._quoted, self._filters = QuotedTexts(), QuoteFilters()

    def _retriever(self, retriever: Options | None) -> Options:
        """Return a retriever: by default that of the store's embedder."""
        if retriever is None:
            return Retriever(embedder=self._embedder)
        if not isinstance(retriever, Options):
            kind = type(retriever).__name__
            message = f"retriever must be a Retriever, got {kind}"
            raise ConfigError(message, option="retriever")
        return retriever

    def _write_derived(self) -> None:
        """Bring up to date what is derived from documents, and written beside them."""
        self._indexes.write(self._retriever(None))
