"""Vectors of a store in PostgreSQL: half floats of pgvector, with an index of each large model."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Final, cast

from chunkwright.store.database.protocol import Nearest, Query, Row, Session, VectorBlobs
from chunkwright.store.database.vector_keys import VectorKeys, n_dims_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.store.database.postgres_session import PostgresSession

TABLES: Final = (
    """
    CREATE TABLE embeddings (
        model bigint NOT NULL, input_hash bytea NOT NULL, embedding halfvec NOT NULL,
        PRIMARY KEY (model, input_hash)
    ) WITH (toast_tuple_target = 8160)
    """,
    "ALTER TABLE embeddings ALTER COLUMN embedding SET STORAGE EXTERNAL",
)
"""The statements that make the tables.

Vectors lie beside their keys as long as a page holds them: an exact search reads all.
"""
# So many vectors are searched faster, and exactly, by who has loaded them.
MOST_WITHOUT_INDEX = 50_000
# An index of pgvector takes no more numbers a vector.
_MOST_DIMS = 4_000
# Of so few placements that a filter leaves all are looked at.
_FEW = 10_000
# How many vectors a search of the index keeps in view for each that it looks for, at least and at
# most. Of 100,000 clustered vectors, the 100 that it then finds hold .99 of the 10 nearest.
_IN_VIEW, _LEAST_IN_VIEW, _MOST_IN_VIEW = 4, 200, 1_000
# Megabytes that a server may take to build an index, and bytes of a vector's links there.
_LEAST_MEMORY, _MOST_MEMORY = 64, 1_024
_LINKS_BYTES, _MEGABYTE = 512, 2**20

_SENT = "SELECT input_hash, halfvec_send(embedding) FROM embeddings"
_CURRENT = "JOIN documents d ON d.id = p.document AND d.current_version = p.version"
_HEADER = struct.Struct(">HH")


class PostgresVectors(VectorKeys):
    """Vectors by model and the hash of their input."""

    table = "embeddings"

    def add(
        self, session: Session, model: int, hashes: Sequence[bytes], vectors: NDArray[np.float32]
    ) -> None:
        """Keep vectors of inputs that have none."""
        if not hashes:
            return
        own = cast("PostgresSession", session)
        rows = vectors.astype(">f2")
        header = _HEADER.pack(rows.shape[1], 0)
        own.copy(
            "embeddings",
            ["model", "input_hash", "embedding"],
            # A vector is sent as it is: its size, and its numbers.
            ["int8", "bytea", "bytea"],
            [(model, each, header + row.tobytes()) for each, row in zip(hashes, rows, strict=True)],
        )

    def blobs(self, session: Session, model: int) -> VectorBlobs:
        """Return all vectors of a model."""
        return self._blobs(session, model, session.rows(f"{_SENT} WHERE model = ?", (model,)))

    def some(self, session: Session, model: int, hashes: Sequence[bytes]) -> VectorBlobs:
        """Return the vectors of inputs, of those that have any."""
        sql = f"{_SENT} WHERE model = ? AND input_hash IN"
        wanted = list(dict.fromkeys(hashes))
        return self._blobs(session, model, session.among(sql, wanted, (model,)))

    def has_index(self, session: Session, model: int) -> bool:
        """Return whether the model has an index; else it has few vectors."""
        return self._is_indexed(session, model)

    @staticmethod
    def _blobs(session: Session, model: int, rows: Sequence[Row]) -> VectorBlobs:
        import numpy as np

        slots = {row[0]: slot for slot, row in enumerate(rows)}
        numbers = b"".join(row[1][_HEADER.size :] for row in rows)
        data = np.frombuffer(numbers, ">f2").astype("<f2").tobytes()
        return VectorBlobs(slots, n_dims_of(session, model), [data] if data else [])

    def drop(self, session: Session, model: int, hashes: Sequence[bytes]) -> None:
        """Remove the vectors of inputs."""
        sql = "DELETE FROM embeddings WHERE model = ? AND input_hash = ANY(?)"
        session.run(sql, (model, list(hashes)))

    def nearest(self, session: Session, query: Query) -> Nearest | None:
        """Return the nearest placements of current versions, by the index of the model.

        None: it has none, because its vectors are few.
        """
        if not self._is_indexed(session, query.model):
            return None
        where = f"({query.where})" if query.where else "TRUE"
        is_narrow = bool(query.where) and self._leaves_few(session, where, query)
        if is_narrow:
            rows = self._exact(session, where, query)
        else:
            rows = self._approximate(session, where, query)
        # An input without words may have a vector of zeros, which has no direction.
        cosines = [0.0 if math.isnan(row[2]) else 1.0 - row[2] for row in rows]
        places = [(row[0], row[1]) for row in rows]
        return Nearest(places, cosines, is_narrow or len(rows) == query.k)

    def needs_index(self, session: Session, model: int) -> bool:
        """Return whether an index of a model's vectors is worth while, and is not there."""
        if self._is_indexed(session, model):
            return False
        if self.count(session, model) <= MOST_WITHOUT_INDEX:
            return False
        return n_dims_of(session, model) <= _MOST_DIMS

    def build_index(self, session: PostgresSession, model: int, n_workers: int) -> None:
        """Make the index of a model's vectors, while others read and write.

        Parameters
        ----------
        session
            Of a connection without a transaction.
        model
            The model.
        n_workers
            How many processes help the server.
        """
        n_dims, name = n_dims_of(session, model), _index_name(model)
        n_bytes = self.count(session, model) * (2 * n_dims + _LINKS_BYTES)
        megabytes = min(max(_LEAST_MEMORY, n_bytes // _MEGABYTE), _MOST_MEMORY)
        session.run(f"SET maintenance_work_mem = '{megabytes}MB'")
        session.run(f"SET max_parallel_maintenance_workers = {n_workers}")
        # What a process left that ended before its index was whole.
        session.run(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
        session.run(
            f"CREATE INDEX CONCURRENTLY {name} ON embeddings"
            f" USING hnsw ((embedding::halfvec({n_dims})) halfvec_cosine_ops)"
            f" WITH (m = 16, ef_construction = 64) WHERE model = {model}"
        )
        # The plans of searches depend on how many rows there are.
        for table in ("embeddings", "placements", "documents"):
            session.run(f"ANALYZE {table}")

    @staticmethod
    def _is_indexed(session: Session, model: int) -> bool:
        sql = "SELECT 1 FROM pg_index WHERE indexrelid = to_regclass(?) AND indisvalid"
        return session.row(sql, (_index_name(model),)) is not None

    @staticmethod
    def _leaves_few(session: Session, where: str, query: Query) -> bool:
        """Return whether a condition leaves so few placements that all are looked at."""
        sql = (
            "SELECT count(*) FROM (SELECT 1 FROM placements p"  # noqa: S608
            f" {_CURRENT} WHERE {where} LIMIT ?) AS left_by_it"
        )
        row = session.row(sql, [*query.parameters, _FEW + 1])
        return row is not None and row[0] <= _FEW

    @staticmethod
    def _exact(session: Session, where: str, query: Query) -> list[Row]:
        """Return the nearest of few placements: the model's index does not fit the expression."""
        sql = (
            "SELECT p.document, p.ordinal, e.embedding <=> ?::halfvec AS distance"  # noqa: S608
            f" FROM placements p {_CURRENT}"
            f" JOIN embeddings e ON e.model = {query.model} AND e.input_hash = p.input_hash"
            f" WHERE {where} ORDER BY distance, p.document, p.ordinal LIMIT ?"
        )
        return session.rows(sql, [_literal(query), *query.parameters, query.k])

    @staticmethod
    def _approximate(session: Session, where: str, query: Query) -> list[Row]:
        """Return the nearest by the index, which goes on until enough fulfil the condition."""
        n_dims = query.vector.shape[0]
        in_view = min(max(_IN_VIEW * query.k, _LEAST_IN_VIEW), _MOST_IN_VIEW)
        session.run("SET LOCAL hnsw.iterative_scan = relaxed_order")
        session.run(f"SET LOCAL hnsw.ef_search = {in_view}")
        # With an offset the condition stays one of each row: as a join, it would lead the planner
        # to read and sort all vectors.
        sql = f"""
            WITH near AS MATERIALIZED (
                SELECT e.input_hash, e.embedding::halfvec({n_dims}) <=> ?::halfvec AS distance
                FROM embeddings e
                WHERE e.model = {query.model} AND EXISTS (
                    SELECT 1 FROM placements p {_CURRENT}
                    WHERE p.input_hash = e.input_hash AND {where} OFFSET 0
                )
                ORDER BY distance LIMIT ?
            )
            SELECT p.document, p.ordinal, near.distance
            FROM near JOIN placements p ON p.input_hash = near.input_hash {_CURRENT}
            WHERE {where} ORDER BY near.distance, p.document, p.ordinal LIMIT ?
        """  # noqa: S608
        own, k = query.parameters, query.k
        return session.rows(sql, [_literal(query), *own, k, *own, k])


def _index_name(model: int) -> str:
    return f"embeddings_nearest_{model}"


def _literal(query: Query) -> str:
    return f"[{','.join(map(str, query.vector.tolist()))}]"
