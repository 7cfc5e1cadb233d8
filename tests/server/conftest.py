"""Services that tests share: one that runs as a process, and one in the tests' own process."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator

import pytest

from chunkwright.server.log_lines import Lines
from tests.server.running import Running, serving


@pytest.fixture(scope="session")
def service() -> Iterator[Running]:
    """A service with small limits, for all tests that do not end it."""
    pytest.importorskip("fastapi", reason="needs the extra server")
    pytest.importorskip("httptools", reason="needs the extra server")
    flags = ("--max-body", "4MB", "--max-unpacked", "8MB", "--most-waiting", "1000")
    with serving(*flags) as running:
        yield running


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Undo what a service that starts in the process of the tests sets for all of it."""
    loggers = [logging.getLogger(name) for name in ("chunkwright.server", "uvicorn.error", None)]
    states = [(logger, logger.propagate, logger.level) for logger in loggers]
    interval = sys.getswitchinterval()
    yield
    for logger, propagates, level in states:
        logger.handlers = [one for one in logger.handlers if not isinstance(one.formatter, Lines)]
        logger.propagate = propagates
        logger.setLevel(level)
    logging.captureWarnings(capture=False)
    sys.setswitchinterval(interval)
