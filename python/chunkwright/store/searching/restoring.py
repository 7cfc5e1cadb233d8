"""Chunks of versions, restored from a store when they are asked for."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from chunkwright.store.state import metadata_of
from chunkwright.store.versions import chunks_at, known_document

if TYPE_CHECKING:
    from chunkwright.chunk_view import Chunk
    from chunkwright.chunks import Chunks
    from chunkwright.store.database.protocol import Database

Key = tuple[int, int, str]
"""A version by its document and number, with the metadata of the document."""

# Versions are held until their texts have more code points together; the last one always is.
_HELD_CHARS = 4_000_000


class RestoredChunks:
    """Chunks of versions; those of the last few are held. Threads may share it.

    Parameters
    ----------
    database
        The store's.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._held: OrderedDict[Key, Chunks] = OrderedDict()

    def at(self, document: int, version: int, ordinal: int) -> Chunk:
        """Return the chunk that was cut at a place of a version.

        Raises
        ------
        StoreError
            If the version was pruned meanwhile, or the store is closed.
        """
        with self._database.reading() as session:
            # Metadata change without a new version.
            key = document, version, repr(metadata_of(session, document))
            with self._lock:
                chunks = self._held.get(key)
                if chunks is not None:
                    self._held.move_to_end(key)
            if chunks is None:
                chunks = chunks_at(session, known_document(session, document), version)
                self._hold(key, chunks)
        return chunks[ordinal]

    def _hold(self, key: Key, chunks: Chunks) -> None:
        with self._lock:
            self._held[key] = chunks
            n_chars = sum(map(_n_chars, self._held.values()))
            while n_chars > _HELD_CHARS and len(self._held) > 1:
                n_chars -= _n_chars(self._held.popitem(last=False)[1])


def _n_chars(chunks: Chunks) -> int:
    return sum(map(len, chunks.sources))
