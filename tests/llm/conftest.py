"""A provider's interface for each test that asks one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .providers import INTERFACES, Provider

if TYPE_CHECKING:
    from pytest_httpserver import HTTPServer


@pytest.fixture(params=INTERFACES)
def provider(request: pytest.FixtureRequest, httpserver: HTTPServer) -> Provider:
    """A server of each interface whose library is there."""
    pytest.importorskip(request.param)
    return Provider(httpserver, INTERFACES[request.param])
