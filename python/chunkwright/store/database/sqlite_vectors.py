"""Vectors of a store in SQLite: blobs of half floats, some 1,000 rows each."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from chunkwright.store.database.protocol import Nearest, Query, Session, VectorBlobs
from chunkwright.store.database.vector_keys import VectorKeys, n_dims_of
from chunkwright.store.schema import Table, columns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

# Rows of a blob.
BLOB_ROWS = 1024
_HALF = "<f2"
TABLES = (
    Table(
        "vector_slots",
        columns(model="integer", input_hash="bytes", slot="integer"),
        ("model", "input_hash"),
        indexes=(("model", "slot"),),
        more=" WITHOUT ROWID",
    ),
    Table(
        "vector_blobs",
        columns(model="integer", number="integer", data="bytes"),
        ("model", "number"),
    ),
)
"""The tables."""


class SqliteVectors(VectorKeys):
    """Vectors by model and the hash of their input; new ones are appended to the last blob."""

    table = "vector_slots"
    # What is dropped is filled up from the end.
    order = "slot DESC"

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
            self._write(session, model, number, before + data[begin:end])
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
        """Remove the vectors of inputs; the last ones take their places."""
        sql = "SELECT slot, input_hash FROM vector_slots WHERE model = ? AND input_hash IN"
        gone: dict[int, bytes] = dict(session.among(sql, list(dict.fromkeys(hashes)), (model,)))
        n_before = self._next_slot(session, model)
        n_left = n_before - len(gone)
        sql = "SELECT slot, input_hash FROM vector_slots WHERE model = ? AND slot >= ?"
        last = [row for row in session.rows(sql, (model, n_left)) if row[0] not in gone]
        for input_hash in gone.values():
            sql = "DELETE FROM vector_slots WHERE model = ? AND input_hash = ?"
            session.run(sql, (model, input_hash))
        holes = sorted(slot for slot in gone if slot < n_left)
        moves = dict(zip(holes, last, strict=True))
        self._move(session, model, {hole: slot for hole, (slot, _) in moves.items()})
        for hole, (_, input_hash) in moves.items():
            sql = "UPDATE vector_slots SET slot = ? WHERE model = ? AND input_hash = ?"
            session.run(sql, (hole, model, input_hash))
        self._shorten(session, model, n_left)

    def _move(self, session: Session, model: int, sources: Mapping[int, int]) -> None:
        """Write vectors at slots, of other slots; each blob is read and written once."""
        n_bytes = 2 * n_dims_of(session, model)
        blobs: dict[int, bytearray] = {}
        for slot in {*sources, *sources.values()}:
            number = slot // BLOB_ROWS
            if number not in blobs:
                blobs[number] = bytearray(self._blob(session, model, number))
        for slot, source in sources.items():
            (to, at), (of, begin) = divmod(slot, BLOB_ROWS), divmod(source, BLOB_ROWS)
            vector = blobs[of][begin * n_bytes : (begin + 1) * n_bytes]
            blobs[to][at * n_bytes : (at + 1) * n_bytes] = vector
        for number in {slot // BLOB_ROWS for slot in sources}:
            self._write(session, model, number, bytes(blobs[number]))

    def _shorten(self, session: Session, model: int, n_left: int) -> None:
        """Cut off the vectors behind the first ones."""
        number, n_rows = divmod(n_left, BLOB_ROWS)
        sql = "DELETE FROM vector_blobs WHERE model = ? AND number >= ?"
        session.run(sql, (model, number + (n_rows > 0)))
        if n_rows:
            end = n_rows * 2 * n_dims_of(session, model)
            data = self._blob(session, model, number)
            if len(data) > end:
                self._write(session, model, number, data[:end])

    def nearest(self, session: Session, query: Query) -> Nearest | None:
        """Return None: all vectors are looked at."""
        del session, query
        return None

    @staticmethod
    def _next_slot(session: Session, model: int) -> int:
        row = session.row("SELECT max(slot) FROM vector_slots WHERE model = ?", (model,))
        return 0 if row is None or row[0] is None else int(row[0]) + 1

    @staticmethod
    def _write(session: Session, model: int, number: int, data: bytes) -> None:
        session.run(
            "INSERT INTO vector_blobs VALUES (?, ?, ?)"
            " ON CONFLICT (model, number) DO UPDATE SET data = excluded.data",
            (model, number, data),
        )

    @staticmethod
    def _blob(session: Session, model: int, number: int) -> bytes:
        sql = "SELECT data FROM vector_blobs WHERE model = ? AND number = ?"
        row = session.row(sql, (model, number))
        return b"" if row is None else row[0]
