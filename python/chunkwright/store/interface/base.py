"""Base of the methods of a store: what they share, which the store itself makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chunkwright.embed.protocol import Embedder
    from chunkwright.store.database.protocol import Database
    from chunkwright.store.importing.embedding import Embedding
    from chunkwright.store.searching.opened import OpenedIndexes


class StoreBase:
    """A store's database, its embedder if it has one, and what is derived from both."""

    _database: Database
    _embedder: Embedder | None
    _embedding: Embedding | None
    _indexes: OpenedIndexes

    @property
    def name(self) -> str:
        """The path of the store's file, or the address of its database without the password."""
        return self._database.name
