"""A store with documents of several kinds of metadata, and a service over it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import chunkwright as cw
from tests.server.calls import served

if TYPE_CHECKING:
    from starlette.testclient import TestClient

pytest.importorskip("fastapi", reason="needs the extra server")

KEY = "a key of the service"
DOCUMENTS: dict[str, tuple[str, dict[str, Any]]] = {
    "notes/mill.md": (
        "# The mill\n\nThe mill was built on the river.\n\n## Wheels\n\nThe mill has two wheels.",
        {"year": 1743, "place": "Northford", "tags": ["water", "oak"], "day": "1743-05-01"},
    ),
    "notes/pond.md": (
        "# The pond\n\nThe mill stands beside the pond.",
        {"year": 1801, "place": "Southford", "tags": [], "day": "1801-11-30", "open": True},
    ),
    "letters/1.md": (
        "# A letter\n\nThe mill was sold to the Millers.",
        {"year": 1850.5, "place": "", "added": 1_700_000_000},
    ),
    "letters/2.md": ("# Another letter\n\nNobody wrote of the mill again.", {"place": "Fordham"}),
}


@pytest.fixture(scope="session")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store."""
    path = tmp_path_factory.mktemp("knowledge") / "kb.db"
    with cw.Store.open(path) as store:
        for name, (text, metadata) in DOCUMENTS.items():
            store.add(cw.read(text.encode(), name=name), metadata=metadata)
    return path


@pytest.fixture(scope="module")
def client(knowledge: Path) -> Iterator[TestClient]:
    """Return a client of a service with a key."""
    with served(store=str(knowledge), keys=(KEY,)) as client:
        client.headers["Authorization"] = f"Bearer {KEY}"
        yield client
