"""Vectors of stores: the same rows in each database, and those found by pgvector's index."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pytest

from chunkwright.store.database import postgres_vectors
from chunkwright.store.database.protocol import Database, Nearest, Query, Row
from chunkwright.store.store import opened

if TYPE_CHECKING:
    from numpy.typing import NDArray

N_DIMS = 16
MODEL = 3


@pytest.fixture
def database(target: str) -> Iterator[Database]:
    database = opened(target, is_read_only=False)
    with database.writing() as session:
        session.insert("models", [(MODEL, "a", N_DIMS), (4, "b", 2)])
    yield database
    database.close()


def hashes(n: int, *, first: int = 0) -> list[bytes]:
    return [hashlib.sha256(str(i).encode()).digest() for i in range(first, first + n)]


def units(n: int, n_dims: int = N_DIMS, seed: int = 0) -> NDArray[np.float32]:
    rows = np.random.default_rng(seed).normal(size=(n, n_dims))
    unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit.astype(np.float32)


def held(database: Database, model: int = MODEL) -> dict[bytes, bytes]:
    """Return the rows of a model by their hashes."""
    with database.reading() as session:
        slots, n_dims, blobs = database.vectors.blobs(session, model)
        assert database.vectors.count(session, model) == len(slots)
    assert all(len(blob) % (2 * n_dims) == 0 for blob in blobs)
    rows = np.frombuffer(b"".join(blobs), "<f2").reshape(-1, n_dims)
    return {each: rows[slot].tobytes() for each, slot in slots.items()}


def halves(inputs: list[bytes], vectors: NDArray[np.float32]) -> dict[bytes, bytes]:
    return dict(zip(inputs, (row.tobytes() for row in vectors.astype("<f2")), strict=True))


def test_vectors_come_back_as_half_floats(database: Database) -> None:
    inputs, vectors = hashes(2_500), units(2_500)
    for start, end in [(0, 1), (1, 1_030), (1_030, 2_500), (2_500, 2_500)]:
        with database.writing() as session:
            database.vectors.add(session, MODEL, inputs[start:end], vectors[start:end])
    with database.writing() as session:
        database.vectors.add(session, 4, inputs[:1], np.array([[1.0, -0.0]], np.float32))
    assert held(database) == halves(inputs, vectors)
    assert held(database, 4) == {inputs[0]: np.array([1.0, -0.0], "<f2").tobytes()}


def test_missing_vectors_are_named_once_and_in_order(database: Database) -> None:
    inputs = hashes(1_200)
    with database.writing() as session:
        database.vectors.add(session, MODEL, inputs[:1_000], units(1_000))
        wanted = [*inputs[990:], *inputs[:1_100]]
        assert database.vectors.missing(session, MODEL, wanted) == inputs[1_000:]
        assert database.vectors.missing(session, 4, inputs[:2]) == inputs[:2]
        assert database.vectors.missing(session, MODEL, []) == []


def test_dropped_vectors_leave_the_others(database: Database) -> None:
    inputs, vectors = hashes(1_500), units(1_500)
    with database.writing() as session:
        database.vectors.add(session, MODEL, inputs, vectors)
        database.vectors.drop(session, MODEL, [*inputs[::3], b"none"])
        database.vectors.drop(session, MODEL, [])
    expected = {key: row for i, (key, row) in enumerate(halves(inputs, vectors).items()) if i % 3}
    assert held(database) == expected
    more = hashes(10, first=5_000)
    with database.writing() as session:
        database.vectors.add(session, MODEL, more, units(10, seed=1))
    assert held(database) == expected | halves(more, units(10, seed=1))
    with database.writing() as session:
        database.vectors.drop(session, MODEL, [*expected, *more])
    assert held(database) == {}


def test_few_vectors_have_no_index(database: Database) -> None:
    with database.writing() as session:
        database.vectors.add(session, MODEL, hashes(10), units(10))
    database.settle()
    with database.reading() as session:
        assert database.vectors.nearest(session, Query(MODEL, units(1)[0], 3)) is None


# What follows is PostgreSQL's alone.

N_DOCUMENTS, N_BLOCKS = 40, 25


@pytest.fixture
def indexed(schema_address: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    """Return a database with 1,000 placements, whose vectors have an index."""
    monkeypatch.setattr(postgres_vectors, "MOST_WITHOUT_INDEX", 500)
    database = opened(schema_address, is_read_only=False)
    n = N_DOCUMENTS * N_BLOCKS
    inputs = hashes(n)
    with database.writing() as session:
        session.insert("models", [(MODEL, "a", N_DIMS)])
        session.insert("documents", [_document(i) for i in range(N_DOCUMENTS)])
        session.insert("placements", [_placement(i, inputs[i]) for i in range(n)])
        # An old version of the first document has the vectors of others.
        session.insert("placements", [_placement(i, inputs[-i], version=1) for i in range(1, 20)])
        database.vectors.add(session, MODEL, inputs, units(n))
    database.settle()
    yield database
    database.close()


def _document(number: int) -> Row:
    return (number, f"doc{number}", None if number == N_DOCUMENTS - 1 else 2, "", 1, 1, *[None] * 5)


def _placement(i: int, input_hash: bytes, version: int = 2) -> Row:
    document, ordinal = divmod(i, N_BLOCKS)
    return (
        *(document, version, ordinal, f"b{i}", "text", None, "[]", None, None, "[]", "[]"),
        *(0, 1, 1, 1, None, None, "{}", None, None, None, input_hash, 1, *[None] * 4),
    )


def found(database: Database, query: Query) -> Nearest:
    with database.reading() as session:
        nearest = database.vectors.nearest(session, query)
    assert nearest is not None
    return nearest


def exact(query: NDArray[np.float32], documents: range) -> list[tuple[int, int]]:
    cosines = units(N_DOCUMENTS * N_BLOCKS).astype(np.float16).astype(np.float32) @ query
    order = np.argsort(-cosines, kind="stable").tolist()
    places = [divmod(i, N_BLOCKS) for i in order]
    return [place for place in places if place[0] in documents]


def test_an_index_finds_the_nearest_of_current_versions(indexed: Database) -> None:
    n_found = 0
    for query in units(20, seed=5):
        places, cosines, is_complete = found(indexed, Query(MODEL, query, 10))
        assert is_complete
        assert cosines == sorted(cosines, reverse=True)
        n_found += len(set(exact(query, range(N_DOCUMENTS - 1))[:10]) & set(places))
        rows = units(N_DOCUMENTS * N_BLOCKS)[[d * N_BLOCKS + b for d, b in places]]
        assert np.abs(rows @ query - cosines).max() < 1e-3
    assert n_found >= 0.95 * 200


@pytest.mark.parametrize("few", [0, 10_000])
def test_a_condition_holds_before_the_search(
    indexed: Database, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(postgres_vectors, "_FEW", few)
    query = units(1, seed=6)[0]
    where = "d.uri IN (?, ?) AND p.block_type = ?"
    condition = (where, ("doc3", "doc7", "text"))
    places, _, is_complete = found(indexed, Query(MODEL, query, 30, *condition))
    assert is_complete
    assert len(places) == 30
    wanted = exact(query, range(N_DOCUMENTS))
    best = [place for place in wanted if place[0] in {3, 7}][:30]
    if few:
        assert places == best
    else:
        assert len(set(places) & set(best)) >= 28


def test_too_few_are_found_and_that_is_told(indexed: Database) -> None:
    query = units(1, seed=7)[0]
    places, _, is_complete = found(indexed, Query(MODEL, query, 60, "d.uri = ?", ("doc3",)))
    # There are no more.
    assert is_complete
    assert len(places) == N_BLOCKS
    with indexed.writing() as session:
        session.run("UPDATE documents SET current_version = NULL WHERE id > 1")
    places, _, is_complete = found(indexed, Query(MODEL, query, 60))
    assert not is_complete
    assert {document for document, _ in places} <= {0, 1}


def test_vectors_behind_an_index_are_found_by_it(indexed: Database) -> None:
    more, vectors = hashes(5, first=9_000), units(5, seed=8)
    with indexed.writing() as session:
        session.insert("documents", [(99, "more", 1, "", 1, 1, *[None] * 5)])
        rows = [_placement(i, each, version=1) for i, each in enumerate(more)]
        session.insert("placements", [(99, *row[1:]) for row in rows])
        indexed.vectors.add(session, MODEL, more, vectors)
    for i, vector in enumerate(vectors):
        assert found(indexed, Query(MODEL, vector, 1)).places == [(99, i)]
    with indexed.writing() as session:
        indexed.vectors.drop(session, MODEL, more)
    assert found(indexed, Query(MODEL, vectors[0], 1)).places != [(99, 0)]


def test_a_vector_without_a_direction_is_like_none(indexed: Database) -> None:
    with indexed.writing() as session:
        session.insert("documents", [(99, "more", 1, "", 1, 1, *[None] * 5)])
        session.insert("placements", [(99, *_placement(0, b"zero", version=1)[1:])])
        indexed.vectors.add(session, MODEL, [b"zero"], np.zeros((1, N_DIMS), np.float32))
    query = Query(MODEL, units(1)[0], 3, "d.uri = ?", ("more",))
    assert found(indexed, query) == ([(99, 0)], [0.0], True)


def test_an_index_that_was_left_unfinished_is_made_anew(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psycopg

    database = opened(postgres, is_read_only=False)
    with database.writing() as session:
        session.insert("models", [(MODEL, "a", N_DIMS)])
        database.vectors.add(session, MODEL, hashes(600), units(600))
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(
            f"CREATE INDEX embeddings_nearest_{MODEL} ON chunkwright.embeddings (model)".encode()
        )
        connection.execute(
            "UPDATE pg_index SET indisvalid = false WHERE indexrelid ="
            f" 'chunkwright.embeddings_nearest_{MODEL}'::regclass".encode()
        )
    monkeypatch.setattr(postgres_vectors, "MOST_WITHOUT_INDEX", 500)
    database.settle()
    with database.reading() as session:
        assert database.vectors.nearest(session, Query(MODEL, units(1)[0], 3)) is not None
    database.close()
