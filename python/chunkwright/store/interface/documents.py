"""Documents of a store, their versions and chunks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chunkwright.chunks import Chunks
from chunkwright.store.interface.base import StoreBase
from chunkwright.store.searching.filters import Filter
from chunkwright.store.versions import (
    StoredBlock,
    StoredDocument,
    StoredVersion,
    block_of,
    chunks_at,
    document_at,
    documents_of,
    known_state,
    versions_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chunkwright.document import Document


class Documents(StoreBase):
    """Methods that read documents."""

    def documents(self, where: Filter | Mapping[str, Any] | None = None) -> list[StoredDocument]:
        """Return the documents, in the order in which they were first imported.

        Parameters
        ----------
        where
            Only those for which it is true: a :class:`Filter`, or its options by name. Of a filter
            of blocks, those that have such a block.

        Raises
        ------
        ConfigError
            If the filter is none.
        """
        wanted = Filter.of(where)
        with self._database.reading() as session:
            return documents_of(session, wanted)

    def versions(self, uri: str) -> list[StoredVersion]:
        """Return the versions of a document, the oldest first; none if there is no document."""
        with self._database.reading() as session:
            return versions_of(session, uri)

    def document(self, uri: str, version: int | None = None) -> Document:
        """Return a document as it was read, with its elements.

        Parameters
        ----------
        uri
            Its address.
        version
            The number of the version; None: the current one.

        Raises
        ------
        StoreError
            If there is no such document or version.
        """
        with self._database.reading() as session:
            return document_at(session, *known_state(session, uri, version))

    def block(self, block: str) -> StoredBlock:
        """Return a block, of whatever version.

        Parameters
        ----------
        block
            Its id.

        Raises
        ------
        StoreError
            If there is none.
        """
        with self._database.reading() as session:
            return block_of(session, block)

    def chunks(self, uri: str, version: int | None = None) -> Chunks:
        """Return the chunks of a document, with contexts and shadows.

        Blocks that were edited by hand are as they were cut.

        Parameters
        ----------
        uri, version
            As for :meth:`document`.

        Raises
        ------
        StoreError
            If there is no such document or version.
        """
        with self._database.reading() as session:
            return chunks_at(session, *known_state(session, uri, version))
