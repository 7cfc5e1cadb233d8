"""Files of tasks for tests, and the clocks that go with them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chunkwright.server.tasks.database import TaskDatabase
from tests.server.tasks.running import Clock


@pytest.fixture
def clock() -> Clock:
    """Return a clock that a test sets."""
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where a file of tasks may be made."""
    return tmp_path / "tasks.db"


@pytest.fixture
def database(path: Path) -> Iterator[TaskDatabase]:
    """Return a file of tasks, which is empty."""
    found = TaskDatabase(path)
    yield found
    found.close()
