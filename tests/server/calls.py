"""Calls of a service in the same process, and what they answer."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from starlette.testclient import TestClient

from chunkwright.server import Settings, create_app

LINES = "application/x-ndjson"
ARROW = "application/vnd.apache.arrow.stream"
BASE = "http://localhost"


@contextmanager
def served(**settings: Any) -> Iterator[TestClient]:
    """Serve with some settings, and give a client."""
    with TemporaryDirectory() as folder:
        given = {"tasks_file": str(Path(folder) / "tasks.db"), **settings}
        app = create_app(Settings(**given))
        with TestClient(app, base_url=BASE) as client:
            yield client


@contextmanager
def asking(**settings: Any) -> Iterator[TestClient]:
    """Serve with some settings, and give a client that is answered whatever goes wrong."""
    app = create_app(Settings(**settings))
    with TestClient(app, base_url=BASE, raise_server_exceptions=False) as client:
        yield client


def problem(answer: Any) -> tuple[int, str, str | None]:
    """Return the status, the code and the field of a problem."""
    error = answer.json()["error"]
    assert set(error) == {"code", "message", "field"}
    return answer.status_code, error["code"], error["field"]


def chunking(strategy: str, **options: Any) -> dict[str, Any]:
    """Return a strategy as requests say it."""
    return {"strategy": strategy, "options": options}


def lines(*rows: Any) -> bytes:
    """Return rows as lines of JSON."""
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)
