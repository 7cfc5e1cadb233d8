"""Databases that tests of stores run on: a file of SQLite, and a database of PostgreSQL."""

from __future__ import annotations

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


@pytest.fixture(params=["sqlite", "postgres"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return what a store is opened by, in each of the databases."""
    if request.param == "postgres":
        address: str = request.getfixturevalue("postgres")
        return address
    return str(tmp_path / "kb.db")
