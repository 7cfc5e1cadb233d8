"""Chunks of versions, restored from a store when they are asked for."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from chunkwright.errors import StoreError
from chunkwright.store.state import metadata_of
from chunkwright.store.versions import chunks_at, known_document

if TYPE_CHECKING:
    from chunkwright.chunk_view import Chunk
    from chunkwright.chunks import Chunks
    from chunkwright.store.database.protocol import Database

Key = tuple[int, int, str]
"""A version by its document and number, with what tells it from another of that number."""

_VERSION = (
    "SELECT p.block, v.content_hash, v.fingerprint, v.created_at FROM placements p JOIN versions v"
    " ON v.document = p.document AND v.version = p.version"
    " WHERE p.document = ? AND p.version = ? AND p.ordinal = ?"
)
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

    def at(self, document: int, version: int, ordinal: int, block: str) -> Chunk:
        """Return the chunk of a block that was cut at a place of a version.

        Raises
        ------
        StoreError
            If the version was pruned meanwhile, or the store is closed.
        """
        place = document, version, ordinal
        with self._database.reading() as session:
            row = session.row(_VERSION, place)
            # A document that was removed and pruned begins to count its versions again.
            if row is None or row[0] != block:
                raise StoreError(f"version {version} of document {document} was pruned meanwhile")
            # Metadata change without a new version.
            key = document, version, repr((row[1:], metadata_of(session, document)))
            with self._lock:
                chunks = self._held.get(key)
                if chunks is not None:
                    self._held.move_to_end(key)
            if chunks is None:
                chunks = chunks_at(session, known_document(session, document), version)
                self._hold(key, chunks)
        if ordinal >= len(chunks):
            message = f"document {document} has {len(chunks)} blocks, and its index more"
            raise StoreError(message, store=self._database.name)
        return chunks[ordinal]

    def _hold(self, key: Key, chunks: Chunks) -> None:
        with self._lock:
            self._held[key] = chunks
            n_chars = sum(map(_n_chars, self._held.values()))
            while n_chars > _HELD_CHARS and len(self._held) > 1:
                n_chars -= _n_chars(self._held.popitem(last=False)[1])


def _n_chars(chunks: Chunks) -> int:
    return sum(map(len, chunks.sources))
