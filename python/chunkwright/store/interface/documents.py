"""Documents of a store, their versions and chunks."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from chunkwright.chunks import Chunks
from chunkwright.store.diffing import versions_diff
from chunkwright.store.exporting import rows, write_parquet
from chunkwright.store.importing.report import DocumentReport
from chunkwright.store.interface.base import StoreBase
from chunkwright.store.searching.filters import Filter
from chunkwright.store.state import checked_uri, noted, write_note
from chunkwright.store.versions import (
    StoredBlock,
    StoredDocument,
    StoredModel,
    StoredVersion,
    block_of,
    blocks_at,
    chunks_at,
    document_at,
    documents_of,
    known_state,
    models_of,
    versions_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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
            return versions_of(session, checked_uri(uri))

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

    def blocks(self, uri: str, version: int | None = None) -> list[StoredBlock]:
        """Return the blocks of a document, in order: their ids are what is cited and edited.

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
            return blocks_at(session, *known_state(session, uri, version))

    def chunks(self, uri: str, version: int | None = None) -> Chunks:
        """Return the chunks of a document, with contexts and shadows.

        Blocks that were edited by hand are as they were cut. Ids of chunks are those of this
        version alone; those of blocks, in the same order, are :meth:`blocks`'.

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

    def diff(self, uri: str, before: int, after: int | None = None) -> DocumentReport:
        """Return what became of blocks and citations between two versions of a document.

        Parameters
        ----------
        uri
            Its address.
        before, after
            Numbers of versions; None: the current one.

        Raises
        ------
        StoreError
            If there is no such document or version.
        """
        with self._database.reading() as session:
            return versions_diff(session, uri, before, after)

    def models(self) -> list[StoredModel]:
        """Return the models whose vectors the store has, in the order of their first use."""
        with self._database.reading() as session:
            return models_of(session, self._database.vectors)

    def note(self, name: str, value: str | None = None) -> str | None:
        """Return what is noted under a name, None for nothing; note a value if there is one.

        The command line notes its ``"embedder"`` so.
        """
        with self._database.reading() as session:
            known = noted(session, name)
        if value is None or value == known:
            return known
        with self._database.writing() as session:
            write_note(session, name, value)
        return value

    def rows(self, uri: str | None = None, version: int | None = None) -> Iterator[dict[str, Any]]:
        """Yield blocks as rows of chunks, with the columns ``block``, ``version``, ``origin``.

        All rows are of one state of the store. The text of a block that was edited by hand is what
        was written.

        Parameters
        ----------
        uri
            The address of a document; None: all.
        version
            The number of its version; None: the current one.

        Raises
        ------
        StoreError
            If there is no such document or version.
        """
        with self._database.reading() as session:
            yield from rows(session, uri, version)

    def to_parquet(self, path: str | os.PathLike[str]) -> int:
        """Write the rows of all current versions to a file of Parquet; return how many.

        Metadata have a column for each name: texts, where values are of several types.

        Raises
        ------
        ConfigError
            If nothing can be written there; names the path.
        MissingExtraError
            If pyarrow is not installed.
        """
        with self._database.reading() as session:
            return write_parquet(session, path)
