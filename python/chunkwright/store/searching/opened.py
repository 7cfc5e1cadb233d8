"""Opened index of a store: what :class:`chunkwright.Retriever` searches, of one state."""

from __future__ import annotations

import threading
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from chunkwright import _core
from chunkwright.errors import ConfigError, ReadError
from chunkwright.retrieval.index import Index
from chunkwright.retrieval.indexed_chunks import IndexedChunks
from chunkwright.retrieval.steps.bm25 import SUBWORDS, Bm25Index
from chunkwright.store.database.damage import decoding
from chunkwright.store.notes import CHANGES_ERASED, erased_count
from chunkwright.store.searching.fields import FIELD_TEXTS, source_documents
from chunkwright.store.searching.furniture import Furniture
from chunkwright.store.searching.opened_vectors import OpenedVectors, opened_vectors
from chunkwright.store.searching.rows import BlockRows, RestoredChunks, rows_before
from chunkwright.store.searching.segment_cache import Segments, currents_of
from chunkwright.store.searching.segments import IndexRows, Segment

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.retrieval.options import Options
    from chunkwright.retrieval.steps.bm25 import Subwords
    from chunkwright.store.database.protocol import Database, Session
    from chunkwright.store.searching.fields import Current

# Retrievers whose indexes are held.
_HELD = 4


class Changes(NamedTuple):
    """What differs in any two states: revisions only grow, and so do numbers of documents."""

    n_documents: int
    last_document: int
    n_revisions: int


@dataclass(frozen=True)
class Opened:
    """An index of one state of a store.

    Attributes
    ----------
    index
        The index.
    rows
        Its blocks.
    changes
        The state.
    currents
        The versions that it is of.
    of_rows
        What it is made of, row by row.
    vectors
        Its vectors; None if these do not count.
    furniture
        Page headers and footers; None if there are none, or words do not count.
    """

    index: Index
    rows: BlockRows
    changes: Changes
    currents: Sequence[Current]
    of_rows: IndexRows
    vectors: OpenedVectors | None
    furniture: Furniture | None

    @property
    def model(self) -> int | None:
        """The number of the model whose vectors the database finds by an index of its own.

        None: all are looked at.
        """
        return None if self.vectors is None else self.vectors.searched_model


class OpenedIndexes:
    """Indexes of a store by the options of their retrievers, renewed where documents changed.

    Parameters
    ----------
    database
        The store's.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._segments: dict[str | None, Segments] = {}
        self._opened: dict[Hashable, Opened] = {}
        self._lock = threading.Lock()

    @cached_property
    def _chunks(self) -> RestoredChunks:
        """Chunks of all indexes, held over their renewals."""
        return RestoredChunks(self._database)

    def of(self, options: Options) -> Opened:
        """Return the index of the state that is current.

        Raises
        ------
        StoreError
            If blocks have no vectors of the embedder.
        """
        with self._lock, self._database.reading() as session:
            changes = _changes(session)
            key = _key(options)
            known = self._opened.get(key)
            if known is None or known.changes != changes:
                known = self._made(session, options, changes, known)
                self._opened.pop(key, None)
                self._opened[key] = known
                while len(self._opened) > _HELD:
                    del self._opened[next(iter(self._opened))]
            return known

    def forget(self) -> None:
        """Open all indexes anew: blocks have vectors that they did not have."""
        with self._lock:
            self._opened.clear()

    def write(self) -> None:
        """Bring up to date what is stored of the index of a retriever by default."""
        with self._lock:
            own = self._of_subwords(SUBWORDS)
            with self._database.reading() as session:
                if not own.is_stale(session):
                    return
                own.of(session)
            own.write()

    def _of_subwords(self, subwords: Subwords | None) -> Segments:
        return self._segments.setdefault(subwords, Segments(self._database, subwords))

    def _made(
        self, session: Session, options: Options, changes: Changes, before: Opened | None
    ) -> Opened:
        """Return the index of a state; what has not changed since another one is taken from it."""
        segments = self._of_subwords(options.subwords).of(session)
        of_rows, currents = IndexRows.of(segments), currents_of(session)
        versions = {each.document: each.version for each in currents}
        rows = BlockRows(
            self._database, self._chunks, versions, of_rows.documents, of_rows.ordinals
        )
        neighbours = None
        if options.neighbour_smoothing:
            documents, sizes = of_rows.documents, of_rows.n_tokens
            with decoding(self._database.name, ConfigError):
                neighbours = _core.Neighbours(documents.data, sizes.data, options.neighbour_reach)
        known = None
        if before is not None and before.vectors is not None:
            numbers = rows_before(before.currents, before.of_rows, currents, of_rows)
            known = before.vectors, before.of_rows, numbers
        vectors = opened_vectors(
            self._database, session, options, of_rows, neighbours=neighbours, before=known
        )
        sources = source_documents(session, of_rows.documents) if options.words else None
        given = IndexedChunks(rows, of_rows.documents if neighbours else None, of_rows.n_tokens)
        with decoding(self._database.name, ConfigError, ReadError):
            index = Index.of_parts(
                options,
                given,
                words=_words(options, segments, neighbours, sources),
                vectors=None if vectors is None else vectors.vectors,
                groups=groups_of(of_rows.numbers) if options.skip_duplicate_text else None,
            )
            furniture = _furniture(options, segments, before)
        return Opened(index, rows, changes, currents, of_rows, vectors, furniture)


def _changes(session: Session) -> Changes:
    row = session.row(
        "SELECT count(*), COALESCE(max(id), 0), COALESCE(sum(revision), 0) FROM documents"
    )
    n_documents, last, revisions = (0, 0, 0) if row is None else map(int, row)
    # Revisions that went with erased documents count on: no state has the number of another one.
    return Changes(n_documents, last, revisions + erased_count(session, CHANGES_ERASED))


@dataclass(frozen=True, eq=False)
class _Itself:
    """A model that has no hash, such as one of pydantic: it equals nothing but itself."""

    model: object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Itself) and other.model is self.model

    def __hash__(self) -> int:
        return id(self.model)


def _key(options: Options) -> Hashable:
    return type(options), *(_hashable(getattr(options, each.name)) for each in fields(options))


def _hashable(value: Any) -> Hashable:
    try:
        hash(value)
    except TypeError:
        return _Itself(value)
    return cast("Hashable", value)


def _words(
    options: Options,
    segments: Sequence[Segment],
    neighbours: _core.Neighbours | None,
    sources: NDArray[np.int64] | None,
) -> Bm25Index | None:
    if not options.words:
        return None
    return Bm25Index.of_segments(
        [each.words for each in segments],
        k1=options.k1,
        b=options.b,
        subwords=options.subwords,
        neighbours=neighbours,
        neighbour_smoothing=options.neighbour_smoothing,
        fields={name: [each.fields[name] for each in segments] for name in FIELD_TEXTS},
        documents=sources,
        field_weights=options.field_weights,
    )


def _furniture(
    options: Options, segments: Sequence[Segment], before: Opened | None
) -> Furniture | None:
    if not options.words or not any(each.lines for each in segments):
        return None
    return Furniture(
        [each.words for each in segments],
        [each.lines for each in segments],
        options.subwords,
        None if before is None else before.furniture,
    )


def groups_of(numbers: NDArray[np.uint64]) -> NDArray[np.int64] | None:
    """Return for each row that of the first with the same number; None if no two have."""
    import numpy as np

    ascending = np.sort(numbers)
    repeated = np.unique(ascending[1:][ascending[1:] == ascending[:-1]])
    if not len(repeated):
        return None
    # Mostly few are, and only these are put in order with their rows.
    nearest = repeated[np.searchsorted(repeated, numbers, "right") - 1]
    rows = np.flatnonzero(nearest == numbers)
    _, first, inverse = np.unique(numbers[rows], return_index=True, return_inverse=True)
    groups = np.arange(len(numbers))
    groups[rows] = rows[first[inverse]]
    return groups
