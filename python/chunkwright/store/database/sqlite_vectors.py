"""Vectors of a store in SQLite: blobs of half floats, some 1,000 rows each."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from chunkwright.store.database.protocol import Nearest, Query, Session, VectorBlobs
from chunkwright.store.database.vector_keys import VectorKeys, n_dims_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

# Rows of a blob.
BLOB_ROWS = 1024
_HALF = "<f2"
TABLES = (
    """
    CREATE TABLE vector_slots (
        model INTEGER NOT NULL, input_hash BLOB NOT NULL, slot INTEGER NOT NULL,
        PRIMARY KEY (model, input_hash)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE vector_blobs (
        model INTEGER NOT NULL, number INTEGER NOT NULL, data BLOB NOT NULL,
        PRIMARY KEY (model, number)
    )
    """,
)
"""The statements that make the tables."""


class SqliteVectors(VectorKeys):
    """Vectors by model and the hash of their input; new ones are appended to the last blob."""

    table = "vector_slots"

    def add(
        self, session: Session, model: int, hashes: Sequence[bytes], vectors: NDArray[np.float32]
    ) -> None:
        """Keep vectors of inputs that have none."""
        if not hashes:
            return
        first = self._next_slot(session, model)
        sql = "INSERT INTO vector_slots VALUES (?, ?, ?)"
        for slot, each in enumerate(hashes, first):
            session.run(sql, (model, each, slot))
        data = vectors.astype(_HALF).tobytes()
        n_bytes = len(data) // len(hashes)
        number, n_before = divmod(first, BLOB_ROWS)
        begin = 0
        while begin < len(data):
            end = begin + (BLOB_ROWS - n_before) * n_bytes
            before = self._blob(session, model, number)[: n_before * n_bytes]
            session.run(
                "INSERT INTO vector_blobs VALUES (?, ?, ?)"
                " ON CONFLICT (model, number) DO UPDATE SET data = excluded.data",
                (model, number, before + data[begin:end]),
            )
            begin, n_before, number = end, 0, number + 1

    def some(self, session: Session, model: int, hashes: Sequence[bytes]) -> VectorBlobs:
        """Return the vectors of inputs, of those that have any."""
        sql = "SELECT input_hash, slot FROM vector_slots WHERE model = ? AND input_hash IN"
        n_dims = n_dims_of(session, model)
        n_bytes, found = 2 * n_dims, list[bytes]()
        rows = session.among(sql, list(dict.fromkeys(hashes)), (model,))
        rows.sort(key=itemgetter(1))
        for number, of_blob in groupby(rows, key=lambda row: int(row[1]) // BLOB_ROWS):
            blob = self._blob(session, model, number)
            for _, slot in of_blob:
                at = slot % BLOB_ROWS * n_bytes
                found.append(blob[at : at + n_bytes])
        slots = {row[0]: at for at, row in enumerate(rows)}
        return VectorBlobs(slots, n_dims, [b"".join(found)] if found else [])

    def has_index(self, session: Session, model: int) -> bool:
        """Return False: all vectors are read."""
        del session, model
        return False

    def blobs(self, session: Session, model: int) -> VectorBlobs:
        """Return all vectors of a model."""
        slots: dict[bytes, int] = dict(
            session.rows("SELECT input_hash, slot FROM vector_slots WHERE model = ?", (model,))
        )
        sql = "SELECT data FROM vector_blobs WHERE model = ? ORDER BY number"
        blobs = [row[0] for row in session.rows(sql, (model,))]
        return VectorBlobs(slots, n_dims_of(session, model), blobs)

    def drop(self, session: Session, model: int, hashes: Sequence[bytes]) -> None:
        """Remove the vectors of inputs; the others move up."""
        import numpy as np

        gone = set(hashes)
        slots, n_dims, blobs = self.blobs(session, model)
        kept = {each: slot for each, slot in slots.items() if each not in gone}
        rows = np.frombuffer(b"".join(blobs), _HALF).reshape(-1, max(1, n_dims))
        left = rows[sorted(kept.values())].astype(np.float32)
        order = sorted(kept, key=kept.__getitem__)
        session.run("DELETE FROM vector_slots WHERE model = ?", (model,))
        session.run("DELETE FROM vector_blobs WHERE model = ?", (model,))
        self.add(session, model, order, left)

    def nearest(self, session: Session, query: Query) -> Nearest | None:
        """Return None: all vectors are looked at."""
        del session, query
        return None

    @staticmethod
    def _next_slot(session: Session, model: int) -> int:
        row = session.row("SELECT max(slot) FROM vector_slots WHERE model = ?", (model,))
        return 0 if row is None or row[0] is None else int(row[0]) + 1

    @staticmethod
    def _blob(session: Session, model: int, number: int) -> bytes:
        sql = "SELECT data FROM vector_blobs WHERE model = ? AND number = ?"
        row = session.row(sql, (model, number))
        return b"" if row is None else row[0]
