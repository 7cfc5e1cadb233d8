"""Databases that tests of stores run on: a file of SQLite, and PostgreSQL."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import postgres_server


@pytest.fixture(scope="session")
def server() -> postgres_server.Server:
    """PostgreSQL with pgvector; without it the test is skipped."""
    if not postgres_server.is_there():
        pytest.skip(postgres_server.NO_SERVER)
    return postgres_server.server()


@pytest.fixture
def postgres(server: postgres_server.Server) -> Iterator[str]:  # noqa: ARG001 - it has to run
    """Return the address of an empty database, which is dropped behind the test."""
    with postgres_server.empty_database() as address:
        yield address


@pytest.fixture(scope="session")
def _shared_database(server: postgres_server.Server) -> Iterator[str]:  # noqa: ARG001
    with postgres_server.empty_database() as address:
        yield address


@pytest.fixture
def schema_address(_shared_database: str) -> Iterator[str]:
    """Return the address of a schema that is not there yet: it is made faster than a database."""
    import psycopg

    name = f"test_{uuid.uuid4().hex}"
    yield f"{_shared_database}&schema={name}"
    with psycopg.connect(_shared_database, autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE".encode())


@pytest.fixture(params=["sqlite", "postgres"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return what a store is opened by, in each of the databases."""
    if request.param == "postgres":
        address: str = request.getfixturevalue("schema_address")
        return address
    return str(tmp_path / "kb.db")
