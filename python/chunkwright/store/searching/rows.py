"""Rows of a store's index: which block of which document each is, read when it is found."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkwright.chunks import Chunks
from chunkwright.context import contextual_text
from chunkwright.errors import StoreError
from chunkwright.store.state import MANUAL, context_text, searched_texts
from chunkwright.store.versions import chunks_at, known_document

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.chunk_view import Chunk
    from chunkwright.store.database.protocol import Database, Session
    from chunkwright.store.searching.segments import Current

# Versions whose chunks are held for the next question.
_HELD = 16


@dataclass(frozen=True)
class ManualBlock:
    """A block that was written by hand, as hits are made of it."""

    text: str
    context: str

    @property
    def contextual_text(self) -> str:
        """The text that is searched."""
        return contextual_text(self.context, self.text)


class BlockRows:
    """Blocks of current versions in the order of an index.

    Parameters
    ----------
    database
        The store's.
    currents
        The versions, in the order of their documents.
    documents, ordinals
        The document and the ordinal of each row.
    """

    def __init__(
        self,
        database: Database,
        currents: Sequence[Current],
        documents: NDArray[np.int64],
        ordinals: NDArray[np.int64],
    ) -> None:
        self._database = database
        self._versions = {each.document: each.version for each in currents}
        self.documents = documents
        self.ordinals = ordinals
        self._held: OrderedDict[int, tuple[Chunks, dict[int, ManualBlock]]] = OrderedDict()

    def __len__(self) -> int:
        return len(self.documents)

    def __getitem__(self, row: int, /) -> Chunk | ManualBlock:
        _, by_hand = self._of(int(self.documents[row]))
        return by_hand.get(int(self.ordinals[row])) or self.chunk(row)

    def version(self, row: int) -> tuple[int, int, int]:
        """Return the document, its version, and the ordinal of a row."""
        document = int(self.documents[row])
        return document, self._versions[document], int(self.ordinals[row])

    def contextual_texts(self) -> list[str]:
        """Return what is searched of all rows."""
        with self._database.reading() as session:
            return [
                text
                for document, version in self._versions.items()
                for _, text in searched_texts(session, document, version)
            ]

    def rows_at(self, places: Sequence[tuple[int, int]]) -> NDArray[np.int64]:
        """Return the rows of blocks by documents and ordinals, ascending; unknown ones are none."""
        import numpy as np

        if not places:
            return np.zeros(0, np.int64)
        given = np.array(places, np.int64)
        firsts = np.searchsorted(self.documents, given[:, 0])
        rows = firsts + given[:, 1]
        inside = rows < len(self)
        rows, given = rows[inside], given[inside]
        is_known = (self.documents[rows] == given[:, 0]) & (self.ordinals[rows] == given[:, 1])
        found: NDArray[np.int64] = np.unique(rows[is_known])
        return found

    def chunk(self, row: int) -> Chunk:
        """Return the chunk that was cut where a row stands."""
        document, ordinal = int(self.documents[row]), int(self.ordinals[row])
        chunks, _ = self._of(document)
        if ordinal >= len(chunks):
            message = f"document {document} has {len(chunks)} blocks, and its index more"
            raise StoreError(f"{self._database.name}: {message}")
        return chunks[ordinal]

    def _of(self, document: int) -> tuple[Chunks, dict[int, ManualBlock]]:
        """Return the chunks of a document, and the blocks that were written by hand."""
        if document in self._held:
            self._held.move_to_end(document)
            return self._held[document]
        version = self._versions[document]
        with self._database.reading() as session:
            chunks = chunks_at(session, known_document(session, document), version)
            found = chunks, _by_hand(session, document, version)
        self._held[document] = found
        if len(self._held) > _HELD:
            self._held.popitem(last=False)
        return found


def _by_hand(session: Session, document: int, version: int) -> dict[int, ManualBlock]:
    rows = session.rows(
        "SELECT p.ordinal, b.text, p.context FROM placements p JOIN blocks b ON b.id = p.block"
        " WHERE p.document = ? AND p.version = ? AND b.origin = ?",
        (document, version, MANUAL),
    )
    return {ordinal: ManualBlock(text, context_text(context)) for ordinal, text, context in rows}
