"""Vectors of an opened index: all of a model in memory, or those that a database finds by itself.

Vectors that were read stay: of another state, only those of documents that changed are asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkwright import _core
from chunkwright.embed import core_embedders
from chunkwright.embed.naming import name_of
from chunkwright.errors import ConfigError, ReadError, StoreError
from chunkwright.retrieval.vectors import StoredRows, Vectors
from chunkwright.store.database.damage import decoding
from chunkwright.store.searching.fetched import FetchedRows

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.embed import EmbedderLike
    from chunkwright.retrieval.options import Options
    from chunkwright.store.database.protocol import Database, Session
    from chunkwright.store.searching.segments import IndexRows

    Before = tuple["OpenedVectors", IndexRows, NDArray[np.int64]]

# Of a fingerprint, so much is shown.
_SHOWN = 80
# Vectors of a block of those that were read one by one.
_BLOCK_ROWS = 1024
# All are read anew once so many times as many are held as there are rows.
_MOST_HELD = 2


@dataclass(frozen=True)
class HeldVectors:
    """Vectors in memory.

    Attributes
    ----------
    blobs
        The vectors as bytes, whole rows each.
    blocks
        The same for the core.
    slots
        The number of the vector of each row.
    rows
        The rows.
    """

    blobs: list[bytes]
    blocks: list[_core.HalfBlock]
    slots: NDArray[np.int64]
    rows: StoredRows


@dataclass(frozen=True)
class OpenedVectors:
    """Vectors of an index.

    Attributes
    ----------
    model
        The number of their model; None: there are no blocks.
    vectors
        What an index asks.
    held
        Those in memory; None if the database finds them by an index of its own.
    """

    model: int | None
    vectors: Vectors | None
    held: HeldVectors | None = None

    @property
    def searched_model(self) -> int | None:
        """The number of the model, if the database finds its vectors by an index of its own."""
        return None if self.held is not None else self.model


def opened_vectors(  # noqa: PLR0913 - what an index is made of
    database: Database,
    session: Session,
    options: Options,
    rows: IndexRows,
    *,
    neighbours: _core.Neighbours | None,
    before: Before | None,
) -> OpenedVectors | None:
    """Return the vectors of an index; None if they do not count.

    Parameters
    ----------
    database, session
        The store's, and the transaction.
    options
        Those of the retriever.
    rows
        The rows of the index.
    neighbours
        What these count for each other.
    before
        The vectors and rows of another state, and the numbers there of the rows that stayed.

    Raises
    ------
    StoreError
        If blocks have no vectors of the embedder.
    """
    if options.embedder is None:
        return None
    making = _Making(database, session, options.embedder, rows, neighbours)
    return making.opened(float(options.neighbour_smoothing), before)


class _Making:
    """The making of the vectors of an index."""

    def __init__(
        self,
        database: Database,
        session: Session,
        embedder: EmbedderLike,
        rows: IndexRows,
        neighbours: _core.Neighbours | None,
    ) -> None:
        self._database, self._session, self._table = database, session, database.vectors
        self._embedder, self._rows, self._neighbours = embedder, rows, neighbours

    def opened(self, smoothing: float, before: Before | None) -> OpenedVectors:
        fingerprint = name_of(self._embedder)
        sql = "SELECT id, n_dims FROM models WHERE fingerprint = ?"
        row = self._session.row(sql, (fingerprint,))
        if row is None:
            self._check(len(self._rows), fingerprint)
            return OpenedVectors(None, self._none() if len(self._rows) else None)
        model, n_dims = row
        if self._table.has_index(self._session, model):
            fetched = FetchedRows(
                self._database,
                (model, n_dims),
                self._rows.hashes,
                self._rows.documents,
                neighbours=self._neighbours,
                neighbour_smoothing=smoothing,
            )
            return OpenedVectors(model, Vectors(self._embedder, fetched))
        held = None
        with decoding(self._database.name, ConfigError, ReadError):
            if before is not None and before[0].model == model and before[0].held is not None:
                held = self._renewed(model, before[0].held, before[1], before[2])
            if held is None:
                held = self._read(model, n_dims, smoothing)
        self._check(int((held.slots < 0).sum()), fingerprint)
        return OpenedVectors(model, Vectors(self._embedder, held.rows), held)

    def _read(self, model: int, n_dims: int, smoothing: float) -> HeldVectors:
        """Read all vectors of a model."""
        import numpy as np

        found = self._table.blobs(self._session, model)
        n = len(self._rows)
        known = (found.slots.get(key, -1) for key in self._rows.keys(range(n)))
        slots = np.fromiter(known, np.int64, n)
        blocks = [_core.HalfBlock(blob, n_dims) for blob in found.blobs]
        rows = StoredRows(
            blocks,
            n_dims,
            slots,
            neighbours=self._neighbours,
            neighbour_smoothing=smoothing,
        )
        return HeldVectors(found.blobs, blocks, slots, rows)

    def _renewed(
        self, model: int, before: HeldVectors, rows: IndexRows, numbers: NDArray[np.int64]
    ) -> HeldVectors | None:
        """Return the vectors of another state with those of documents that changed.

        None: it takes less to read all.
        """
        import numpy as np

        is_kept = numbers >= 0
        changed = np.flatnonzero(~is_kept)
        n_held = sum(map(len, before.blocks)) + len(changed)
        if n_held > _MOST_HELD * max(len(self._rows), _BLOCK_ROWS) or 2 * len(changed) > n_held:
            return None
        slots = np.full(len(numbers), -1, np.int64)
        slots[is_kept] = before.slots[numbers[is_kept]]
        keys = list(self._rows.keys(changed.tolist()))
        is_gone = np.ones(len(rows), np.bool_)
        is_gone[numbers[is_kept]] = False
        gone = np.flatnonzero(is_gone).tolist()
        known = dict(zip(rows.keys(gone), before.slots[gone].tolist(), strict=True))
        missing = set(self._table.missing(self._session, model, keys))
        known = {key: slot for key, slot in known.items() if key not in missing}
        new = [key for key in dict.fromkeys(keys) if key not in known and key not in missing]
        found = self._table.some(self._session, model, new)
        n_before = sum(map(len, before.blocks))
        known |= {key: n_before + slot for key, slot in found.slots.items()}
        slots[changed] = [known.get(key, -1) for key in keys]
        n_dims = before.rows.n_dims
        blobs, blocks = _appended(before, found.blobs, n_dims)
        renewed = before.rows.renewed(blocks, slots, numbers, neighbours=self._neighbours)
        return HeldVectors(blobs, blocks, slots, renewed)

    def _none(self) -> Vectors:
        """Return the vectors of blocks that have none, which are searched by their words."""
        import numpy as np

        _, queries = core_embedders(self._embedder)
        n_dims = np.asarray(queries.embed(["?"])).shape[1]
        slots = np.full(len(self._rows), -1, np.int64)
        return Vectors(self._embedder, StoredRows([], n_dims, slots))

    def _check(self, n_missing: int, fingerprint: str) -> None:
        """Refuse blocks without vectors, unless the embedder has those be searched by words."""
        if n_missing and not getattr(self._embedder, "is_partial", False):
            raise StoreError(
                f"{n_missing} blocks have no vectors of {fingerprint[:_SHOWN]!r}:"
                " embed them by Store.embed, or search by words",
                store=self._database.name,
            )


def _appended(
    before: HeldVectors, blobs: Iterable[bytes], n_dims: int
) -> tuple[list[bytes], list[_core.HalfBlock]]:
    """Return vectors with others behind them; a block that is not full grows."""
    all_blobs, blocks = list(before.blobs), list(before.blocks)
    for blob in blobs:
        n_new = len(blob) // max(1, 2 * n_dims)
        if blocks and len(blocks[-1]) + n_new <= _BLOCK_ROWS:
            all_blobs[-1] += blob
            blocks[-1] = _core.HalfBlock(all_blobs[-1], n_dims)
        else:
            all_blobs.append(blob)
            blocks.append(_core.HalfBlock(blob, n_dims))
    return all_blobs, blocks
