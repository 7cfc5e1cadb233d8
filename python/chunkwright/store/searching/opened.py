"""Opened index of a store: what :class:`chunkwright.Retriever` searches, of one state."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkwright import _core
from chunkwright.embed import as_embedder, core_embedders
from chunkwright.errors import StoreError
from chunkwright.retrieval.index import Index
from chunkwright.retrieval.indexed_chunks import IndexedChunks
from chunkwright.retrieval.steps.bm25 import Bm25Index
from chunkwright.retrieval.steps.neighbours import REACH, neighbours_of
from chunkwright.retrieval.vectors import StoredRows, Vectors
from chunkwright.store.searching.fetched import FetchedRows
from chunkwright.store.searching.rows import BlockRows
from chunkwright.store.searching.segment_cache import Segments, currents_of
from chunkwright.store.searching.segments import HASH_BYTES, Segment

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.retrieval.options import Options
    from chunkwright.store.database.protocol import Database, Session

# Retrievers whose indexes are held.
_HELD = 4
# Of a fingerprint, so much is shown.
_SHOWN = 80


@dataclass(frozen=True)
class Opened:
    """An index of one state of a store.

    Attributes
    ----------
    index
        The index.
    rows
        Its blocks.
    n_changes
        How often documents had changed when it was made.
    model
        The number of the model whose vectors the database finds by an index of its own; None: all
        are looked at.
    """

    index: Index
    rows: BlockRows
    n_changes: int
    model: int | None = None


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
        self._opened: dict[Options, Opened] = {}
        self._lock = threading.Lock()

    def of(self, options: Options) -> Opened:
        """Return the index of the state that is current.

        Raises
        ------
        StoreError
            If blocks have no vectors of the embedder.
        """
        with self._lock, self._database.reading() as session:
            n_changes = _n_changes(session)
            known = self._opened.get(options)
            if known is None or known.n_changes != n_changes:
                segments = self._of_subwords(options).of(session)
                known = self._made(session, options, segments, n_changes)
                self._opened.pop(options, None)
                self._opened[options] = known
                while len(self._opened) > _HELD:
                    del self._opened[next(iter(self._opened))]
            return known

    def forget(self) -> None:
        """Open all indexes anew: blocks have vectors that they did not have."""
        with self._lock:
            self._opened.clear()

    def write(self, options: Options) -> None:
        """Bring what is stored of the index up to date."""
        with self._lock:
            own = self._of_subwords(options)
            with self._database.reading() as session:
                if not own.is_stale(session):
                    return
                own.of(session)
            own.write()

    def _of_subwords(self, options: Options) -> Segments:
        subwords = options.subwords
        return self._segments.setdefault(subwords, Segments(self._database, subwords))

    def _made(
        self,
        session: Session,
        options: Options,
        segments: Sequence[Segment],
        n_changes: int,
    ) -> Opened:
        documents = _joined([each.documents for each in segments])
        n_tokens = _joined([each.n_tokens for each in segments])
        hashes = b"".join(each.hashes for each in segments)
        ordinals = _joined([each.ordinals for each in segments])
        rows = BlockRows(self._database, currents_of(session), documents, ordinals)
        neighbours = None
        if options.neighbour_smoothing:
            neighbours = neighbours_of(documents, len(documents), n_tokens, REACH)
        vectors, model = self._vectors(session, options, hashes, documents, neighbours)
        given = IndexedChunks(rows, documents if neighbours else None, n_tokens)
        index = Index.of_parts(
            options,
            given,
            words=_words(options, segments, neighbours),
            vectors=vectors,
            groups=_groups(hashes) if options.skip_duplicate_text else None,
        )
        return Opened(index, rows, n_changes, model)

    def _vectors(
        self,
        session: Session,
        options: Options,
        hashes: bytes,
        documents: NDArray[np.int64],
        neighbours: _core.Neighbours | None,
    ) -> tuple[Vectors | None, int | None]:
        """Return the vectors, and the model whose vectors the database finds by itself."""
        if options.embedder is None:
            return None, None
        fingerprint = as_embedder(options.embedder).fingerprint
        row = session.row("SELECT id, n_dims FROM models WHERE fingerprint = ?", (fingerprint,))
        if row is None:
            if hashes and not _is_partial(options):
                raise self._unembedded(fingerprint, len(hashes) // HASH_BYTES)
            return (_no_vectors(options, len(hashes) // HASH_BYTES) if hashes else None), None
        model, n_dims = row
        if self._database.vectors.has_index(session, model):
            fetched = FetchedRows(
                self._database,
                (model, n_dims),
                hashes,
                documents,
                neighbours=neighbours,
                neighbour_smoothing=options.neighbour_smoothing,
            )
            return Vectors(options.embedder, fetched), model
        stored = self._stored(session, options, (model, fingerprint), hashes, neighbours)
        return Vectors(options.embedder, stored), None

    def _stored(
        self,
        session: Session,
        options: Options,
        model: tuple[int, str],
        hashes: bytes,
        neighbours: _core.Neighbours | None,
    ) -> StoredRows:
        """Return all vectors of a model."""
        import numpy as np

        found = self._database.vectors.blobs(session, model[0])
        each = [hashes[at : at + HASH_BYTES] for at in range(0, len(hashes), HASH_BYTES)]
        slots = np.fromiter((found.slots.get(key, -1) for key in each), np.int64, len(each))
        n_missing = int((slots < 0).sum())
        if n_missing and not _is_partial(options):
            raise self._unembedded(model[1], n_missing)
        blocks = [_core.HalfBlock(blob, found.n_dims) for blob in found.blobs]
        return StoredRows(
            blocks,
            found.n_dims,
            slots,
            neighbours=neighbours,
            neighbour_smoothing=options.neighbour_smoothing,
        )

    def _unembedded(self, fingerprint: str, n: int) -> StoreError:
        return StoreError(
            f"{self._database.name}: {n} blocks have no vectors of {fingerprint[:_SHOWN]!r}:"
            " embed them by Store.embed, or search by words"
        )


def _is_partial(options: Options) -> bool:
    """Return whether blocks that have no vector of the model are searched by their words."""
    return bool(getattr(options.embedder, "is_partial", False))


def _no_vectors(options: Options, n_blocks: int) -> Vectors:
    """Return the vectors of blocks that have none."""
    import numpy as np

    assert options.embedder is not None  # noqa: S101 - those of a model
    _, queries = core_embedders(options.embedder)
    n_dims = np.asarray(queries.embed(["?"])).shape[1]
    slots = np.full(n_blocks, -1, np.int64)
    return Vectors(options.embedder, StoredRows([], n_dims, slots))


def _n_changes(session: Session) -> int:
    """Return how often documents have changed: no state has the number of another one."""
    row = session.row("SELECT COALESCE(sum(revision), 0) FROM documents")
    return 0 if row is None else int(row[0])


def _words(
    options: Options, segments: Sequence[Segment], neighbours: _core.Neighbours | None
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
    )


def _joined(columns: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    import numpy as np

    return np.concatenate([np.zeros(0, np.int64), *columns])


def _groups(hashes: bytes) -> NDArray[np.int64] | None:
    """Return for each row the number of the first with the same hash; None if no two have."""
    import numpy as np

    if not hashes:
        return None
    # A quarter of a hash tells texts apart, and numbers are sorted ten times as fast as bytes.
    numbers = np.frombuffer(hashes, "<u8")[:: HASH_BYTES // 8]
    _, first, inverse = np.unique(numbers, return_index=True, return_inverse=True)
    return None if len(first) == len(numbers) else first[inverse].astype(np.int64)
