"""Routes of tasks: states, results and deletions over HTTP, each owner's alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import pytest

from chunkwright.server.problems import Problem
from chunkwright.server.tasks import Result
from tests.server.tasks.running import PATIENCE

pytest.importorskip("fastapi", reason="the service needs the extra server")

from starlette.testclient import TestClient

from chunkwright.server import Settings, create_app

KEYS = ("first-key-of-tests", "second-key-of-tests")
LONG = 100


class Client:
    """Client of a service with two keys, of which it has the first."""

    def __init__(self, client: TestClient, service: Any) -> None:
        self.http, self.service = client, service
        self.goes_on = threading.Event()
        for kind, function in {"echo": self.echo, "held": self.held, "refuse": refuse}.items():
            service.tasks.handle(kind, function)

    def submit(self, kind: str, request: bytes = b"") -> str:
        """Submit a task as a route does that was asked with the first key; return its path."""
        assert self.http.portal is not None
        owner = owner_of_key(KEYS[0])
        task = self.http.portal.call(self.service.tasks.submit, kind, request, owner)
        return f"/v1/tasks/{task.id}"

    def get(self, path: str, key: str = KEYS[0]) -> Any:
        return self.http.get(path, headers={"X-API-Key": key})

    def delete(self, path: str, key: str = KEYS[0]) -> Any:
        return self.http.delete(path, headers={"X-API-Key": key})

    @staticmethod
    def echo(request: bytes) -> Result:
        return Result("application/x-echo", request)

    def held(self, request: bytes) -> Result:
        self.goes_on.wait(PATIENCE)
        return self.echo(request)


def refuse(request: bytes) -> Result:
    raise Problem(422, "invalid_value", request.decode(), field="chunking.options.max_chars")


def owner_of_key(key: str) -> str:
    """Return the owner that the service takes a caller for."""
    from hashlib import sha256

    return sha256(key.encode()).hexdigest()


@pytest.fixture
def client() -> Iterator[Client]:
    """Return a client of a service that runs."""
    app = create_app(Settings(keys=KEYS, threads=2))
    with TestClient(app, base_url="http://localhost") as http:
        found = Client(http, app.state.service)
        yield found
        found.goes_on.set()


def test_a_task_is_waited_for_and_its_result_fetched(client: Client) -> None:
    path = client.submit("echo", b"asked")
    answer = client.get(f"{path}?wait={LONG}")
    task = answer.json()
    assert answer.status_code == 200
    assert f"/v1/tasks/{task['id']}" == path
    times = [datetime.fromisoformat(task.pop(name)) for name in ("created", "started", "ended")]
    assert times == sorted(times)
    assert all(each.tzinfo is not None for each in times)
    assert task == {
        "id": task["id"],
        "kind": "echo",
        "state": "success",
        "position": None,
        "attempts": 1,
        "error": None,
    }
    for _ in range(2):
        result = client.get(f"{path}/result")
        assert (result.status_code, result.content) == (200, b"asked")
        assert result.headers["content-type"] == "application/x-echo"


def test_a_result_that_is_not_there_yet_is_a_conflict(client: Client) -> None:
    path = client.submit("held")
    assert client.get(path).json()["ended"] is None
    answer = client.get(f"{path}/result")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "not_ended")


def test_a_failure_is_told_with_its_field(client: Client) -> None:
    path = client.submit("refuse", b"max_chars is 0")
    error = {
        "code": "invalid_value",
        "message": "max_chars is 0",
        "field": "chunking.options.max_chars",
    }
    task = client.get(f"{path}?wait={LONG}").json()
    assert (task["state"], task["error"]) == ("failure", {"status": 422, **error})
    answer = client.get(f"{path}/result")
    assert (answer.status_code, answer.json()) == (422, {"error": error})


def test_a_deleted_task_is_gone(client: Client) -> None:
    path = client.submit("held")
    answer = client.delete(path)
    assert (answer.status_code, answer.content) == (204, b"")
    for ask in (client.get, client.delete):
        again = ask(path)
        assert (again.status_code, again.json()["error"]["code"]) == (404, "task_deleted")


def test_another_key_has_no_such_task(client: Client) -> None:
    path = client.submit("echo")
    client.get(f"{path}?wait={LONG}")
    calls: list[tuple[Callable[..., Any], str]] = [
        *((client.get, path), (client.get, f"{path}/result"), (client.delete, path)),
    ]
    for ask, asked in calls:
        answer = ask(asked, key=KEYS[1])
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no_task")
    assert client.get(path).status_code == 200


@pytest.mark.parametrize("wait", ["-1", "nan", "inf", "121", "long"])
def test_a_wait_that_makes_no_sense_is_refused(client: Client, wait: str) -> None:
    answer = client.get(f"{client.submit('echo')}?wait={wait}")
    assert answer.status_code == 422
    assert answer.json()["error"]["field"] == "wait"


def test_tasks_need_a_key(client: Client) -> None:
    path = client.submit("echo")
    assert client.http.get(path).status_code == 401
    assert client.get(path).status_code == 200
