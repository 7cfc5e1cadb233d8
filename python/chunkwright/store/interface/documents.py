"""Documents of a store, their versions, chunks and blocks, and those written by hand."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from chunkwright.checks import checked_text
from chunkwright.errors import StoreError
from chunkwright.store.citing.citations import citations_after
from chunkwright.store.citing.originals import Original, original_of
from chunkwright.store.drafts import input_hash
from chunkwright.store.edits import Edit, edit, edits, searched_of
from chunkwright.store.exporting import rows, write_parquet
from chunkwright.store.identities import out_of_order
from chunkwright.store.importing.embedding import vectors_of
from chunkwright.store.importing.report import DocumentReport
from chunkwright.store.interface.base import StoreBase
from chunkwright.store.notes import note, noted
from chunkwright.store.reading import checked_uri, known_state, placed
from chunkwright.store.searching.filters import Filter
from chunkwright.store.versions import (
    TOKENIZER,
    StoredBlock,
    StoredDocument,
    StoredModel,
    StoredVersion,
    block_of,
    blocks_at,
    chunks_at,
    document_at,
    documents_of,
    models_of,
    versions_of,
)
from chunkwright.telemetry import spanned
from chunkwright.tokens.tokenizer import as_tokenizer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.chunks import Chunks
    from chunkwright.document import Document
    from chunkwright.store.database.protocol import Session

# How names of a caller's notes begin among those of the store's own.
_NOTE = "note "


class Documents(StoreBase):
    """Methods that read documents, and write blocks."""

    def documents(self, where: Filter | Mapping[str, Any] | None = None) -> list[StoredDocument]:
        """Return the documents, in the order in which they were first imported.

        Parameters
        ----------
        where
            A :class:`Filter`, or its options by name. A filter of blocks selects documents that
            have a matching block.

        Raises
        ------
        ConfigError
            If the filter is invalid.
        """
        wanted = Filter.of(where)
        with self._database.reading() as session:
            return documents_of(session, wanted.document_condition)

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

    def original(self, uri: str, version: int | None = None) -> Original | None:
        """Return the file that a version of a document was read from, with the hash of its bytes.

        Parameters
        ----------
        uri
            Its address.
        version
            The number of the version; None: the current one.

        Returns
        -------
        Original
            None if it is not known: for documents that are not whole files, and for versions whose
            content differs from the current one.

        Raises
        ------
        StoreError
            If there is no such document or version.
        """
        with self._database.reading() as session:
            state, number = known_state(session, uri, version)
            document_at(session, state, number)
            return original_of(session, state, number)

    def block(self, block: str) -> StoredBlock:
        """Return a block of any version.

        Parameters
        ----------
        block
            Its id.

        Raises
        ------
        StoreError
            If there is no such block.
        """
        with self._database.reading() as session:
            return block_of(session, block)

    def blocks(self, uri: str, version: int | None = None) -> list[StoredBlock]:
        """Return the blocks of a document, in order, with the ids to cite and edit them.

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

        Edited blocks are returned as they were cut. Chunk ids hold for this version only;
        :meth:`blocks` has the ids of blocks, in the same order.

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
        """Return how blocks and citations changed between two versions of a document.

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
            return _diff(session, uri, before, after)

    def models(self) -> list[StoredModel]:
        """Return the models whose vectors the store has, in the order of their first use."""
        with self._database.reading() as session:
            return models_of(session, self._database.vectors)

    def vectors(self, model: str, blocks: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """Return vectors of blocks of current versions, at unit length.

        Parameters
        ----------
        model
            The fingerprint of their model; see :meth:`models`.
        blocks
            The ids of blocks. Blocks without a vector of this model are left out.

        Raises
        ------
        StoreError
            If the database fails.
        """
        with self._database.reading() as session:
            return vectors_of(session, self._database.vectors, model, blocks)

    def note(self, name: str, value: str | None = None) -> str | None:
        """Return the note with a name, None if there is none; with a value, write the note first.

        The command line keeps its ``"embedder"`` as a note.
        """
        with self._database.reading() as session:
            known = noted(session, _NOTE + name)
        if value is None or value == known:
            return known
        with self._database.writing() as session:
            note(session, _NOTE + name, value)
        return value

    def rows(self, uri: str | None = None, version: int | None = None) -> Iterator[dict[str, Any]]:
        """Yield blocks as rows of chunks, with the columns ``block``, ``version``, ``origin``.

        All rows show one state of the store. An edited block has its edited text.

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
        """Write the rows of all current versions to a Parquet file; return their number.

        Metadata have a column for each name; if its values have several types, it holds texts.

        Raises
        ------
        ConfigError
            If the file cannot be written; names the path.
        MissingExtraError
            If pyarrow is not installed.
        """
        with self._database.reading() as session:
            return write_parquet(session, path)

    @spanned("store.edit")
    def edit(self, block: str, text: str) -> Edit:
        """Replace the text of a block by hand.

        Searches find the new text, and imports keep it while the source of the block is unchanged.
        Once the source has changed, the edit is stale: it is kept, but not found. The original
        block stays as it is; its citations are compared with the edit, and say so.

        Parameters
        ----------
        block
            The id of a block of a current version.
        text
            The new text.

        Raises
        ------
        EditedBlockError
            If the block was edited in the meantime; names the block that replaced it.
        StoreError
            If no current version has the block.
        ConfigError
            If the text is empty.
        ModelError
            If the embedder fails.
        """
        n_tokens = as_tokenizer(TOKENIZER).count(checked_text("text", text))
        vectors = {}
        if self._embedding is not None:
            with self._database.reading() as session:
                searched = searched_of(session, block, text)
            vectors[input_hash(searched)] = self._embedding.vectors([searched])[0]
        with self._database.writing() as session:
            own = edit(session, block, text, n_tokens)
            if self._embedding is not None:
                self._embedding.write(session, self._database.vectors, vectors)
            found = edits(session, own)
            if not found:
                raise StoreError(f"the block that {block!r} was cut as is damaged")
            return found[0]

    def edits(self) -> list[Edit]:
        """Return all edits by hand, stale ones included."""
        with self._database.reading() as session:
            return edits(session)


def _diff(session: Session, uri: str, before: int, after: int | None) -> DocumentReport:
    """Return what became of the blocks and citations of one version in another one."""
    state, number = known_state(session, uri, after)
    document_at(session, state, number)
    document_at(session, state, before)
    stands = placed(session, state.id, number)
    old = [each.base for each in placed(session, state.id, before)]
    new = [each.base for each in stands]
    places = {block: i for i, block in enumerate(old)}
    pairs = {i: places[block] for i, block in enumerate(new) if block in places}
    moved = [new[i] for i in sorted(out_of_order(pairs))]
    present = {each.base for each in stands} | {each.block for each in stands}
    return DocumentReport(
        uri,
        "changed" if old != new else "unchanged",
        number,
        kept=[block for block in new if block in places],
        new=[block for block in new if block not in places],
        gone=[block for block in old if block not in present],
        moved=moved,
        **citations_after(session, state, number),
    )
