"""The service mounted in another application: its routes, keys, errors and tasks below a path."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from chunkwright.server import Settings, create_app
from tests.server.calls import BASE, LINES, chunking, lines

KEY = "k" * 20
HEADERS = {"X-Api-Key": KEY}
FILES = {"files": ("rain.md", b"# Rain\n\nIt rained.")}
FIELDS = {"chunking_tokenizer": "cl100k_base", "chunking_max_tokens": "64"}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    """A client of an application that knows nothing of the service but where it is mounted."""
    service = create_app(Settings(tasks_file=str(tmp_path / "tasks.db"), keys=(KEY,)))
    own = FastAPI()
    own.mount("/chunks", service)
    with TestClient(own, base_url=BASE) as client:
        yield client
    service.state.service.close()


def test_what_needs_no_key_needs_none_there(client: TestClient) -> None:
    assert client.get("/chunks/health").json() == {"status": "ok"}
    assert client.get("/chunks/").status_code == 200
    assert client.get("/chunks/v1/capabilities").status_code == 401
    assert client.get("/chunks/v1/capabilities", headers=HEADERS).status_code == 200


def test_errors_are_said_in_the_dialect_of_the_path(client: TestClient) -> None:
    native = client.post("/chunks/v1/chunk", json={}, headers=HEADERS).json()
    theirs = client.post("/chunks/v1/chunk/hybrid/file", headers=HEADERS).json()
    assert (list(native), list(theirs)) == (["error"], ["detail"])


def test_streams_stream(client: TestClient) -> None:
    answer = client.post(
        "/chunks/v1/chunk:batch",
        params={"chunking": json.dumps(chunking("window", max_chars=8))},
        content=lines({"text": "One two three."}),
        headers={**HEADERS, "content-type": LINES},
    )
    texts = [json.loads(line)["text"] for line in answer.content.splitlines()]
    assert texts == ["One two ", "three."]


def test_tasks_are_done(client: TestClient) -> None:
    route = "/chunks/v1/chunk/hybrid/file/async"
    task = client.post(route, files=FILES, data=FIELDS, headers=HEADERS).json()["task_id"]
    poll = f"/chunks/v1/status/poll/{task}?wait=60"
    assert client.get(poll, headers=HEADERS).json()["task_status"] == "success"
    found = client.get(f"/chunks/v1/result/{task}", headers=HEADERS).json()
    assert [chunk["text"] for chunk in found["chunks"]] == ["Rain\nIt rained."]


def test_an_application_may_live_again_and_again(tmp_path: Path) -> None:
    app = create_app(Settings(tasks_file=str(tmp_path / "tasks.db")))
    asked = {"text": "One two three.", "chunking": chunking("window", max_chars=8)}
    for _ in range(3):
        with TestClient(app, base_url=BASE) as client:
            assert client.post("/v1/chunk", json=asked).status_code == 200
            assert client.get("/ready").status_code == 200
            route = "/v1/chunk/hybrid/file/async"
            task = client.post(route, files=FILES, data=FIELDS).json()["task_id"]
            poll = f"/v1/status/poll/{task}?wait=60"
            assert client.get(poll).json()["task_status"] == "success"
            assert "chunkwright_pool_busy 0.0" in client.get("/metrics").text
