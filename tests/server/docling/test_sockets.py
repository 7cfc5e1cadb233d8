"""The websocket of a task's state: what it tells, whom, and what it bears from its clients."""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Iterator
from contextlib import suppress
from threading import Event
from typing import Any
from unittest.mock import MagicMock
from uuid import uuid4

import pytest

pytest.importorskip("fastapi", reason="needs the extra server")
pytest.importorskip("websockets", reason="needs the extra server")

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync import client as connecting

from chunkwright.server import Settings, sockets
from chunkwright.server.dialects.docling import work
from chunkwright.server.guard.requests import STALL_SECONDS
from tests.server.raw_requests import Clock
from tests.server.running import PATIENCE, Reachable, serving_here

KEY, OTHER = "a key of this test alone", "another key of this test"
ASKED = {
    "sources": [{"kind": "file", "base64_string": "IyBSYWlu", "filename": "rain.md"}],
}
HEAD = (
    b"Host: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
# Frames of a client, each masked with zeros: empty texts that end, begin and go on, and a ping.
TEXT, BEGUN, MORE, PING = b"\x81\x80", b"\x01\x80", b"\x00\x80", b"\x89\x80"
MASK = bytes(4)


@pytest.fixture
def go(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Lets tasks end that have begun."""
    event, answer = Event(), work._answer

    def held(*args: Any) -> Any:
        assert event.wait(PATIENCE)
        return answer(*args)

    monkeypatch.setattr(work, "_answer", held)
    yield event
    event.set()


@pytest.fixture
def service(go: Event) -> Iterator[Reachable]:
    """A service whose tasks wait."""
    with serving_here(Settings(threads=2, most_waiting=2)) as running:
        yield running
        go.set()


def _submit(service: Reachable, headers: dict[str, str] | None = None) -> str:
    answer = service.ask("POST", "/v1/convert/source/async", ASKED, headers)
    assert answer.status == 200, answer.body
    return str(answer.json["task_id"])


def _address(service: Reachable, task: str) -> str:
    return f"ws://localhost:{service.port}/v1/status/ws/{task}"


def _open(service: Reachable, task: str, query: str = "", **options: Any) -> Any:
    return connecting.connect(_address(service, task) + query, open_timeout=PATIENCE, **options)


def _next(line: Any) -> tuple[str, Any]:
    said = json.loads(line.recv(PATIENCE))
    assert set(said) == {"message", "task", "error"}
    return said["message"], said["error"] or said["task"]["task_status"]


def _raw(service: Reachable, path: str, *frames: bytes) -> socket.socket:
    line = service.connect()
    line.sendall(b"GET %s HTTP/1.1\r\n" % path.encode() + HEAD + b"".join(frames))
    return line


def test_a_client_is_told_what_a_task_does_until_it_ends(service: Reachable, go: Event) -> None:
    with _open(service, _submit(service)) as line:
        assert _next(line)[0] == "connection"
        kind, state = _next(line)
        while state == "pending":
            kind, state = _next(line)
        assert (kind, state) == ("update", "started")
        go.set()
        assert _next(line) == ("update", "success")
        with pytest.raises(ConnectionClosed):
            line.recv(PATIENCE)
        assert line.close_code == 1000


def _begun(service: Reachable) -> str:
    """Return a task that has begun."""
    task = _submit(service)
    while service.ask("GET", f"/v1/status/poll/{task}").json["task_status"] == "pending":
        pass
    return task


def test_a_message_is_a_question(service: Reachable) -> None:
    with _open(service, _begun(service)) as line:
        assert [_next(line), _next(line)] == [("connection", "started"), ("update", "started")]
        for said in ("ping", b"\xff\xfe", ""):
            line.send(said)
            assert _next(line) == ("update", "started")


def test_who_asks_for_no_task_is_told_so_and_left(service: Reachable) -> None:
    with _open(service, str(uuid4())) as line:
        assert json.loads(line.recv(PATIENCE)) == {
            "message": "error",
            "task": None,
            "error": "Task not found.",
        }
        with pytest.raises(ConnectionClosed):
            line.recv(PATIENCE)


def test_a_key_is_needed_and_a_task_is_its_owners(
    go: Event, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with serving_here(Settings(keys=(KEY, OTHER))) as service:
        task = _submit(service, {"X-Api-Key": KEY})
        go.set()
        given = KEY.replace(" ", "+")
        for query, headers in ((f"?api_key={given}", {}), ("", {"X-Api-Key": KEY})):
            with _open(service, task, query, additional_headers=headers) as line:
                assert _next(line)[0] == "connection"
        with _open(service, task, f"?api_key={OTHER.replace(' ', '+')}") as line:
            assert _next(line) == ("error", "Task not found.")
        for query in ("", "?api_key=wrong", "?" + "&".join(f"a{i}" for i in range(50))):
            with pytest.raises(InvalidStatus) as raised, _open(service, task, query):
                pass
            response = raised.value.response
            assert response.status_code == 401
            assert json.loads(response.body)["detail"]
    # The client logs into the same process.
    ours = [each for each in caplog.records if not each.name.startswith("websockets.client")]
    assert not [each for each in ours if given in each.getMessage() or KEY in each.getMessage()]
    written = [json.loads(each.message) for each in ours if each.name.endswith(".access")]
    opened = [each for each in written if each["route"] == "/v1/status/ws/{task_id}"]
    assert {each["status"] for each in opened} == {101, 401}


@pytest.mark.parametrize(
    ("headers", "status"),
    [({"Origin": "https://example.org"}, 403), ({"Host": "example.org"}, 421)],
)
def test_a_page_of_another_site_opens_none(
    service: Reachable, headers: dict[str, str], status: int
) -> None:
    lines = HEAD.replace(b"Host: localhost\r\n", b"") if "Host" in headers else HEAD
    given = b"".join(f"{name}: {value}\r\n".encode() for name, value in headers.items())
    path = f"/v1/status/ws/{_submit(service)}".encode()
    answer = service.send(b"GET %s HTTP/1.1\r\n" % path + given + lines)
    assert answer.startswith(b"HTTP/1.1 %d " % status)


def test_a_page_of_its_own_opens_one(service: Reachable) -> None:
    origin = f"http://localhost:{service.port}"
    with _open(service, _submit(service), origin=origin) as line:
        assert _next(line)[0] == "connection"


def test_one_more_than_may_be_open_is_sent_away(service: Reachable) -> None:
    task = _submit(service)
    with _open(service, task) as first, _open(service, task) as second:
        assert _next(first)[0] == _next(second)[0] == "connection"
        with pytest.raises(InvalidStatus) as raised, _open(service, task):
            pass
        assert raised.value.response.status_code == 429
    for _ in range(2):
        # Those that were closed count no more, as soon as the service knows.
        while True:
            try:
                with _open(service, task) as line:
                    assert _next(line)[0] == "connection"
                    break
            except InvalidStatus:
                pass


def test_a_service_that_ends_closes_them(go: Event) -> None:
    with serving_here(Settings(threads=2, drain_timeout=1)) as service:
        line = _open(service, _submit(service))
        assert _next(line)[0] == "connection"
        service.end()
        with suppress(ConnectionClosed):
            for _ in line:
                # Updates that were on their way.
                pass
        assert line.close_code == 1012
        go.set()


def test_frames_behind_the_head_are_read(service: Reachable) -> None:
    with _raw(service, f"/v1/status/ws/{_begun(service)}", TEXT + MASK) as line:
        received = b""
        while received.count(b'"message":"update"') < 2:
            part = line.recv(1 << 16)
            assert part, received
            received += part
    assert received.startswith(b"HTTP/1.1 101 ")


@pytest.mark.parametrize(
    "frames",
    [
        pytest.param(b"\x81\xff" + b"\x7f" + bytes(7) + MASK, id="a message of exabytes"),
        pytest.param(b"\x81\xfe\x20\x00" + MASK + bytes(8192), id="a message of 8 kB"),
        pytest.param(BEGUN + MASK + (MORE + MASK) * 100, id="a message of 100 parts"),
        pytest.param(b"\xff\xff\xff\xff", id="no frames"),
        pytest.param(b"\x81\x05Hello", id="a frame without a mask"),
        pytest.param(MORE + MASK, id="a part of no message"),
    ],
)
def test_a_client_that_breaks_the_protocol_is_left(service: Reachable, frames: bytes) -> None:
    path = f"/v1/status/ws/{_submit(service)}"
    with _raw(service, path, frames) as line:
        while True:
            try:
                if not line.recv(1 << 16):
                    break
            except ConnectionError:
                break
    assert service.ask("GET", "/health").status == 200


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (HEAD.replace(b"Version: 13", b"Version: 7"), 400),
        (HEAD.replace(b"dGhlIHNhbXBsZSBub25jZQ==", b"short"), 400),
        (HEAD.replace(b"Host", b"".join(b"X-%d: a\r\n" % i for i in range(500)) + b"Host"), 400),
        (HEAD.replace(b"\r\n\r\n", b"\r\nContent-Length: 4\r\n\r\nabcd"), 404),
        (HEAD.replace(b"websocket", b"h2c"), 404),
    ],
)
def test_a_head_that_opens_no_websocket_is_answered(
    service: Reachable, head: bytes, status: int
) -> None:
    path = b"/v1/status/ws/" + _submit(service).encode()
    closing = head.replace(b"Connection: Upgrade", b"Connection: Upgrade, close")
    answer = service.send(b"GET %s HTTP/1.1\r\n" % path + closing)
    assert answer.startswith(b"HTTP/1.1 %d " % status), answer


def test_another_path_is_no_websocket(service: Reachable) -> None:
    with (
        pytest.raises(InvalidStatus),
        connecting.connect(f"ws://localhost:{service.port}/v1/chunk"),
    ):
        pass


def _clocked() -> tuple[sockets.Socket, Any, Clock]:
    """Return a websocket whose client takes nothing, its transport and its clock."""
    import uvicorn
    from uvicorn.server import ServerState

    config = uvicorn.Config(lambda *_: None, log_config=None, lifespan="off")
    clock: Any = Clock()
    line, transport = sockets.Socket(config, ServerState(), {}, clock), MagicMock()
    line.connection_made(transport)
    line.pause_writing()
    return line, transport, clock


def test_a_client_that_takes_nothing_is_left() -> None:
    line, transport, clock = _clocked()
    (timer,) = clock.due
    assert timer.seconds == STALL_SECONDS
    timer.call()
    transport.abort.assert_called_once()
    line.connection_lost(None)


def test_a_client_that_goes_on_taking_is_not() -> None:
    line, transport, clock = _clocked()
    line.resume_writing()
    assert not clock.due
    transport.abort.assert_not_called()


def test_one_that_asks_for_answers_it_does_not_take_is_left() -> None:
    line, transport, _ = _clocked()
    line.handle_ping()
    transport.abort.assert_called_once()
    transport.write.assert_not_called()
