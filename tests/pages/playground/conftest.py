"""What tests of the playground share: one service for each of their files."""

from collections.abc import Iterator

import pytest

from tests.server.running import Running, serving


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    """A service with a small limit of bodies."""
    for library in ("fastapi", "httptools", "jinja2"):
        pytest.importorskip(library, reason="the page needs the extra server")
    with serving("--max-body", "2MB") as running:
        yield running
