"""Services that tests share: one that runs as a process, and one in the tests' own process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.running import Running, serving


@pytest.fixture(scope="session")
def service() -> Iterator[Running]:
    """A service with small limits, for all tests that do not end it."""
    pytest.importorskip("fastapi", reason="needs the extra server")
    pytest.importorskip("httptools", reason="needs the extra server")
    flags = ("--max-body", "4MB", "--max-unpacked", "8MB", "--most-waiting", "1000")
    with serving(*flags) as running:
        yield running
