"""Vectors of blocks that are fetched when they are candidates, from a database with an index."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chunkwright import _core
from chunkwright.store.searching.segments import HASH_BYTES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.store.database.protocol import Database

# So many fetches are held.
_HELD = 2
# Blocks on each side of a candidate whose vectors count for it: those further off hardly do.
_AROUND = 6


class _Held(NamedTuple):
    """Vectors of some rows."""

    is_there: NDArray[np.bool_]
    core: _core.Slots


class FetchedRows:
    """Vectors of blocks in a database.

    Parameters
    ----------
    database
        The store's.
    model
        The number of the model, and how many numbers its vectors have.
    hashes
        The hashes of what is embedded of each block, one after another.
    documents
        The document of each block.
    neighbours, neighbour_smoothing
        What blocks count for each other.
    """

    def __init__(  # noqa: PLR0913 - all by name
        self,
        database: Database,
        model: tuple[int, int],
        hashes: bytes,
        documents: NDArray[np.int64],
        *,
        neighbours: _core.Neighbours | None,
        neighbour_smoothing: float,
    ) -> None:
        self._database = database
        self.model: int
        self.n_dims: int
        self.model, self.n_dims = model
        self._hashes = hashes
        self._documents = documents
        self._neighbours, self._smoothing = neighbours, neighbour_smoothing
        # What was fetched last: for the candidates of a search, and for the background of all.
        self._held: list[_Held] = []

    def __len__(self) -> int:
        return len(self._documents)

    def cosines(
        self, queries: NDArray[np.float32], rows: NDArray[np.int64] | None
    ) -> NDArray[np.float32]:
        """Return the cosine of each question with each block, or with those of ``rows``."""
        import numpy as np

        wanted = np.arange(len(self), dtype=np.int64) if rows is None else rows
        if not (len(wanted) and len(queries)):
            return np.zeros((len(queries), len(wanted)), np.float32)
        core = self._with(self._around(wanted))
        return np.asarray(core.cosines(queries.data, wanted.data))

    def _with(self, rows: NDArray[np.int64]) -> _core.Slots:
        """Return the vectors of rows: the best of a search are asked for again behind it."""
        import numpy as np

        for held in self._held:
            if held.is_there[rows].all():
                self._held = [*(each for each in self._held if each is not held), held]
                return held.core
        keys = [self._hash(row) for row in rows.tolist()]
        with self._database.reading() as session:
            found = self._database.vectors.some(session, self.model, keys)
        slots = np.full(len(self), -1, np.int64)
        slots[rows] = [found.slots.get(key, -1) for key in keys]
        blocks = [_core.HalfBlock(blob, found.n_dims) for blob in found.blobs]
        core = _core.Slots(blocks, found.n_dims, slots.data, self._neighbours, self._smoothing)
        is_there = np.zeros(len(self), bool)
        is_there[rows] = True
        self._held = [*self._held[1 - _HELD :], _Held(is_there, core)]
        return core

    def _hash(self, row: int) -> bytes:
        return self._hashes[row * HASH_BYTES : (row + 1) * HASH_BYTES]

    def _around(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return rows with those beside them in their documents."""
        import numpy as np

        if self._neighbours is None:
            return rows
        steps = np.arange(-_AROUND, _AROUND + 1)
        near = (rows[:, None] + steps).ravel()
        own = np.repeat(self._documents[rows], len(steps))
        is_inside = (near >= 0) & (near < len(self))
        near, own = near[is_inside], own[is_inside]
        found: NDArray[np.int64] = np.unique(near[self._documents[near] == own])
        return found
