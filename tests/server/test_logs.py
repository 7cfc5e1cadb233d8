"""Logs and metrics of a service: what they say of requests, and what not."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="needs the extra server")

from starlette.testclient import TestClient

from chunkwright.readers import kinds
from chunkwright.server import Settings, create_app
from chunkwright.server.run import say_what_is_served
from chunkwright.server.settings import key_id
from tests.server.calls import asking

ASKED = {"text": "One two three."}
SECRET = "the text of a document that nobody else should read"  # noqa: S105 - a text
JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def local() -> Iterator[TestClient]:
    """A service for this machine alone."""
    with asking() as client:
        yield client


@pytest.mark.parametrize("given", ["", "a b", "ü", "x" * 65, "a\tb", '"}', "../..", "²"])
def test_an_id_that_would_spoil_the_log_is_replaced(local: TestClient, given: str) -> None:
    headers: Any = {"X-Request-Id": given.encode()}
    answer = local.get("/health", headers=headers)
    assert answer.headers["x-request-id"] != given
    assert len(answer.headers["x-request-id"]) == 32


def test_an_id_is_kept(local: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    with _logged(caplog):
        answer = local.get("/health", headers={"X-Request-Id": "abc-123"})
    assert answer.headers["x-request-id"] == "abc-123"
    assert json.loads(caplog.messages[-1])["request"] == "abc-123"


@contextmanager
def _logged(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    logger = logging.getLogger("chunkwright.server")
    before, logger.propagate = logger.propagate, True
    try:
        with caplog.at_level(logging.INFO, "chunkwright.server"):
            yield
    finally:
        logger.propagate = before


def test_an_answer_is_written_down_with_who_asked(caplog: pytest.LogCaptureFixture) -> None:
    keys = ("a-key-of-the-tests", "another-key-of-them")
    trace = "0af7651916cd43dd8448eb211c80319c"
    with asking(keys=keys) as client, _logged(caplog):
        for key in (*keys, "no-key-of-theirs"):
            headers = {"X-Api-Key": key, "traceparent": f"00-{trace}-b7ad6b7169203331-01"}
            client.post("/v1/chunk", json=ASKED, headers=headers)
        rows = [json.loads(message) for message in caplog.messages]
    assert [row["status"] for row in rows] == [200, 200, 401]
    assert [row["key"] for row in rows] == [*map(key_id, keys), None]
    assert {row["route"] for row in rows} == {"/v1/chunk"}
    assert {row["client"] for row in rows} == {"testclient"}
    assert {row["trace"] for row in rows} == {trace}
    assert not any(key in caplog.text for key in keys)


TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.mark.parametrize(
    "given",
    [
        *("", "00-0af7651916cd43dd8448eb211c80319c", f"00-{'0' * 32}-b7ad6b7169203331-01"),
        *("x" * 55, TRACEPARENT.replace("00-", "ff-", 1), f"{TRACEPARENT}x", f"{TRACEPARENT}-more"),
        f"{TRACEPARENT}, {TRACEPARENT}",
    ],
)
def test_a_trace_that_is_none_is_not_logged(
    local: TestClient, caplog: pytest.LogCaptureFixture, given: str
) -> None:
    with _logged(caplog):
        local.get("/health", headers={"traceparent": given})
    assert "trace" not in json.loads(caplog.messages[-1])


def test_a_trace_of_a_later_version_is_logged(
    local: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    with _logged(caplog):
        local.get("/health", headers={"traceparent": f"01{TRACEPARENT[2:]}-more"})
    assert json.loads(caplog.messages[-1])["trace"] == "0af7651916cd43dd8448eb211c80319c"


@pytest.mark.parametrize(
    ("method", "path", "route", "shown"),
    [
        ("GET", "/v1/tasks/secret-task", "/v1/tasks/{task_id}", None),
        ("GET", "/v1/chunk", "/v1/chunk", None),
        ("POST", "/v1/secret?key=secret", "unmatched", "/v1/..."),
        ("GET", "/v1/tasks/a/secret/b", "unmatched", "/v1/tasks/..."),
        ("GET", "/secret", "unmatched", "/..."),
        ("GET", "/v1", "unmatched", "/v1"),
        ("GET", "//secret", "unmatched", "//..."),
    ],
)
def test_a_request_is_called_by_its_route_and_never_by_its_path(  # noqa: PLR0913, PLR0917 - one a column
    local: TestClient,
    caplog: pytest.LogCaptureFixture,
    method: str,
    path: str,
    route: str,
    shown: str | None,
) -> None:
    with _logged(caplog):
        local.request(method, f"http://localhost{path}")
    row = json.loads(caplog.messages[-1])
    assert (row["route"], row.get("path"), row["method"]) == (route, shown, method)
    assert "secret" not in caplog.messages[-1]


def test_a_refused_request_is_called_by_its_route(caplog: pytest.LogCaptureFixture) -> None:
    with asking() as client, _logged(caplog):
        client.get("/v1/tasks/secret-task", headers={"Host": "evil.example"})
        client.post("/v1/chunk", content=b"x", headers={"Content-Encoding": "none"})
    rows = [json.loads(message) for message in caplog.messages]
    assert [row["status"] for row in rows] == [421, 415]
    assert [row["route"] for row in rows] == ["/v1/tasks/{task_id}", "/v1/chunk"]


def test_logs_and_answers_say_nothing_of_texts_and_paths(caplog: pytest.LogCaptureFixture) -> None:
    app = create_app(Settings())

    @app.get("/fault")
    async def fault() -> None:
        try:
            int(SECRET)
        except ValueError as error:
            raise KeyError(SECRET) from error

    with (
        TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as client,
        _logged(caplog),
    ):
        answers = [
            client.get("/fault"),
            client.post("/v1/chunk", json={"text": SECRET, "chunking": {"strategy": SECRET[:3]}}),
            client.post("/v1/chunk", json={"text": SECRET, "unknown": 1}),
            client.post("/v1/chunk", content=json.dumps({"text": SECRET})[:-1], headers=JSON),
            client.post("/v1/chunk", json={"data": SECRET}),
            client.get(f"/{SECRET}"),
        ]
    assert [answer.status_code for answer in answers] == [500, 422, 422, 422, 422, 404]
    for answer in answers:
        assert SECRET not in answer.text
        assert "Traceback" not in answer.text
        assert ".py" not in answer.text
    assert "KeyError" in caplog.text
    assert SECRET not in caplog.text


def test_a_fault_within_an_answer_breaks_it_off_without_its_text(
    caplog: pytest.LogCaptureFixture,
) -> None:
    from starlette.responses import StreamingResponse

    app = create_app(Settings())

    @app.get("/stream")
    async def stream() -> StreamingResponse:
        async def parts() -> Any:
            yield b"a part"
            raise ValueError(SECRET)

        return StreamingResponse(parts())

    messages = []

    given = iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> Any:
        return next(given, {}) or await asyncio.Future()

    async def send(message: Any) -> None:
        messages.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": "/stream",
        "raw_path": b"/stream",
        "query_string": b"",
        "headers": [(b"host", b"localhost")],
        "http_version": "1.1",
        "scheme": "http",
        "server": ("localhost", 80),
        "client": ("localhost", 1),
        "root_path": "",
    }
    with _logged(caplog):
        asyncio.run(app(scope, receive, send))
    app.state.service.close()
    assert messages[-1]["more_body"]
    assert "ValueError" in caplog.text
    assert SECRET not in caplog.text


def test_what_is_not_installed_is_said_at_start_and_in_the_capabilities(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(kinds, "find_spec", lambda name: None if name == "pypdfium2" else True)
    settings = Settings()
    with asking() as client, _logged(caplog):
        say_what_is_served(settings)
        missing = client.get("/v1/capabilities").json()["missing"]
    install = 'pip install "chunkwright[pdf]"'
    assert missing == [{"extra": "pdf", "suffixes": [".pdf"], "install": install}]
    (said,) = [one.getMessage() for one in caplog.records if "not installed" in one.getMessage()]
    assert said == f"extras that are not installed: pdf (.pdf); {install} brings them"


def test_a_network_without_keys_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    with _logged(caplog):
        say_what_is_served(Settings(host="0.0.0.0", no_key=True))  # noqa: S104
        say_what_is_served(Settings())
        say_what_is_served(Settings(keys=("a-key-of-the-tests",)))
    said = [(one.levelname, one.getMessage()) for one in caplog.records]
    (warning,) = [message for level, message in said if "--no-key" in message]
    assert ("WARNING", warning) in said
    assert "0.0.0.0 is reached by other machines, and no request needs a key" in warning
    assert ("INFO", f"keys in the log: {key_id('a-key-of-the-tests')}") in said


def test_metrics_have_no_label_that_a_client_chooses(local: TestClient) -> None:
    local.get("/health")
    before = local.get("/metrics").text
    for i in range(20):
        local.get(f"/nothing-{i}")
        local.post("/v1/chunk", json=ASKED, headers={"X-Request-Id": f"id{i}"})
        local.get(f"/health?{i}={i}")
    names = {line.split()[0] for line in local.get("/metrics").text.splitlines()}
    new = {name for name in names if name not in before and "_bucket" not in name}
    assert not [name for name in new if "nothing" in name or "id" in name]
    assert len(new) < 20
