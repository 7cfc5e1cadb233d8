"""Rows of a store's index: which block of which document each is, with its text and its chunk."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from chunkwright.context import contextual_text
from chunkwright.errors import StoreError
from chunkwright.store.model import CUT
from chunkwright.store.reading import (
    known_document,
    metadata_of,
)
from chunkwright.store.searched_texts import SEARCHED, SearchedTexts, context_text, searched_texts
from chunkwright.store.versions import chunks_at

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.chunk_view import Chunk
    from chunkwright.chunks import Chunks
    from chunkwright.rows import Shadows
    from chunkwright.store.database.protocol import Database, Row, Session
    from chunkwright.store.searching.fields import Current
    from chunkwright.store.searching.segments import IndexRows

_N_SEARCHED = SEARCHED.count(",") + 1
_STANDING = (
    f"SELECT {SEARCHED}, d.uri, p.block, p.block_type, p.headings, p.pages, p.boxes,"  # noqa: S608
    " p.char_start, p.char_end, p.line_start, p.line_end, p.speakers, p.time_start, p.time_end"
    " FROM placements p"
    " JOIN documents d ON d.id = p.document JOIN blocks b ON b.id = p.block"
    " WHERE p.document = ? AND p.version = ? AND p.ordinal = ?"
)


Key = tuple[int, int, str]
"""A version by its document and number, with what tells it from another of that number."""

_VERSION = (
    "SELECT p.block, v.content_hash, v.fingerprint, v.created_at FROM placements p JOIN versions v"
    " ON v.document = p.document AND v.version = p.version"
    " WHERE p.document = ? AND p.version = ? AND p.ordinal = ?"
)
# Versions are held until their texts have more code points together; the last one always is.
_HELD_CHARS = 4_000_000


@dataclass(frozen=True)
class StandingBlock:
    """A block where it stands, as hits are made of it.

    Attributes
    ----------
    contextual_text
        The text that is searched.
    context
        What of it is no part of the block's own text; empty without one.
    origin
        ``"cut"`` or ``"manual"``.
    place
        Its address, id, type, headings, pages, boxes, places, lines, speakers and times, as a store
        has them.
    restore
        Restores the chunk that was cut there.
    """

    contextual_text: str
    context: str
    origin: str
    place: Row
    restore: Callable[[], Chunk]

    @property
    def block(self) -> str:
        """The id of the block."""
        return str(self.place[1])

    @property
    def text(self) -> str:
        """The text without its context."""
        n_before = len(contextual_text(self.context, "")) if self.context else 0
        return self.contextual_text[n_before:]

    @property
    def chunk(self) -> Chunk | None:
        """The chunk; None for a block that was written by hand."""
        return self.restore() if self.origin == CUT else None


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


class BlockRows:
    """Blocks of current versions in the order of an index.

    Parameters
    ----------
    database
        The store's.
    chunks
        Its chunks.
    versions
        The current versions by their documents.
    documents, ordinals
        The document and the ordinal of each row.

    Attributes
    ----------
    matched
        Rows for which filters of blocks were true, by these.
    """

    def __init__(
        self,
        database: Database,
        chunks: RestoredChunks,
        versions: Mapping[int, int],
        documents: NDArray[np.int64],
        ordinals: NDArray[np.int64],
    ) -> None:
        self._database, self._chunks = database, chunks
        self.versions: Mapping[int, int] = versions
        self.documents = documents
        self.ordinals = ordinals
        self.matched: dict[tuple[str, tuple[object, ...]], NDArray[np.int64]] = {}

    def __len__(self) -> int:
        return len(self.documents)

    def __getitem__(self, row: int, /) -> StandingBlock:
        with self._database.reading() as session:
            return self.standing(session, row)

    def standing(self, session: Session, row: int) -> StandingBlock:
        """Return the block of a row.

        Raises
        ------
        StoreError
            If its version was pruned since.
        """
        document, version, _ordinal = place = self.version(row)
        found = session.row(_STANDING, place)
        if found is None:
            raise StoreError(f"version {version} of document {document} was pruned meanwhile")
        searched = found[:_N_SEARCHED]
        _, _, context, origin, _ = searched
        return StandingBlock(
            SearchedTexts(session, document, version).of(searched),
            context_text(context),
            origin,
            found[_N_SEARCHED:],
            partial(self._chunks.at, *place, found[_N_SEARCHED + 1]),
        )

    def block(self, session: Session, row: int) -> str:
        """Return the id of the block of a row; empty if its version was pruned since."""
        sql = "SELECT block FROM placements WHERE document = ? AND version = ? AND ordinal = ?"
        found = session.row(sql, self.version(row))
        return "" if found is None else str(found[0])

    def version(self, row: int) -> tuple[int, int, int]:
        """Return the document, its version, and the ordinal of a row."""
        document = int(self.documents[row])
        return document, self.versions[document], int(self.ordinals[row])

    def contextual_texts(self) -> list[str]:
        """Return what is searched of all rows."""
        with self._database.reading() as session:
            return [
                text
                for document, version in self.versions.items()
                for _, text in searched_texts(session, document, version)
            ]

    def shadows(self, rows: Sequence[int]) -> list[Shadows]:
        """Return the shadows of blocks, before and behind each."""
        sql = (
            "SELECT prefix_shadow, suffix_shadow FROM placements"
            " WHERE document = ? AND version = ? AND ordinal = ?"
        )
        with self._database.reading() as session:
            found = (session.row(sql, self.version(row)) for row in rows)
            return [(None, None) if each is None else (each[0], each[1]) for each in found]

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

    def rows_of(self, documents: Sequence[int]) -> NDArray[np.int64]:
        """Return the rows of all blocks of documents, ascending; unknown ones have none."""
        return rows_among(self.documents, documents)


def rows_among(of_rows: NDArray[np.int64], documents: Sequence[int]) -> NDArray[np.int64]:
    """Return the rows of some documents, ascending; those of all rows ascend."""
    import numpy as np

    given = np.array(documents, np.int64)
    steps = np.zeros(len(of_rows) + 1, np.int64)
    np.add.at(steps, np.searchsorted(of_rows, given, "left"), 1)
    np.add.at(steps, np.searchsorted(of_rows, given, "right"), -1)
    found: NDArray[np.int64] = np.flatnonzero(np.cumsum(steps[:-1]))
    return found


def rows_before(
    currents_before: Sequence[Current],
    before: IndexRows,
    currents: Sequence[Current],
    now: IndexRows,
) -> NDArray[np.int64]:
    """Return for each row its number in another state; -1 for all of documents that changed.

    Parameters
    ----------
    currents_before, before
        The documents and rows of the other state.
    currents, now
        Those of this one.
    """
    import numpy as np

    same = [each.document for each in set(currents_before).intersection(currents)]
    old, new = (rows_among(each.documents, same) for each in (before, now))
    found = np.full(len(now.documents), -1, np.int64)
    if len(old) == len(new) and (before.numbers[old] == now.numbers[new]).all():
        found[new] = old
    return found
