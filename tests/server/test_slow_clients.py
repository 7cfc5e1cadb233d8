"""Clients that are slow, and requests that take long: what the service waits for, and how long."""

from __future__ import annotations

import socket
from threading import Event
from typing import Any
from unittest.mock import MagicMock

import pytest

from tests.server.raw_requests import BODY, CLOSE, HEAD, HEALTH, LENGTH, Clock
from tests.server.running import PATIENCE, received, serving_here

pytest.importorskip("fastapi", reason="needs the extra server")
pytest.importorskip("httptools", reason="needs the extra server")

from chunkwright.server import Settings, connections, pool
from chunkwright.server.guard import requests
from chunkwright.server.guard.requests import STALL_SECONDS


def test_a_client_that_sends_no_head_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.05)
    with serving_here(Settings()) as hasty:
        assert hasty.send() == b""
        assert hasty.send(HEAD) == b""


def test_one_that_was_answered_and_begins_another_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving_here(Settings()) as service, service.connect() as line:
        line.sendall(HEALTH + b"\r\n")
        assert line.recv(1 << 16).startswith(b"HTTP/1.1 200 ")
        monkeypatch.setattr(connections, "HEAD_SECONDS", 0.05)
        line.sendall(HEAD)
        assert b"HTTP/1.1 " not in received(line)


def test_a_client_that_sends_no_body_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "LINGER_SECONDS", 0.05)
    with serving_here(Settings(body_timeout=0.05)) as hasty:
        answer = hasty.send(HEAD + LENGTH + b"\r\n" + BODY[:5])
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b"connection: close" in answer


def test_a_client_that_does_not_take_its_answer_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "STALL_SECONDS", 0.05)
    body = b'{"text": "%s"}' % (b"a " * 10_000_000)
    with serving_here(Settings()) as hasty, hasty.connect() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 12)
        line.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        while True:
            # Its connection is broken off, which the next write to it says.
            try:
                line.sendall(b"GET")
            except ConnectionError:
                break
        assert hasty.cut().status == 200


def test_an_answer_is_taken_slowly_but_surely(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "STALL_SECONDS", 10)
    body = b'{"text": "%s"}' % (b"a " * 2_000_000)
    with serving_here(Settings()) as hasty, hasty.connect() as line:
        line.sendall(HEAD + CLOSE + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        answer = received(line)
    head, _, rows = answer.partition(b"\r\n\r\n")
    assert b"content-length: %d\r\n" % len(rows) in head


def clocked() -> tuple[connections.Connection, Any, Clock]:
    """Return a connection whose request is being answered, its transport and its clock."""
    import uvicorn
    from uvicorn.server import ServerState

    config = uvicorn.Config(lambda *_: None, log_config=None, lifespan="off")
    clock: Any = Clock()
    transport = MagicMock()
    transport.is_closing.return_value = False
    transport.get_write_buffer_size.return_value = 1_000_000
    line = connections.Connection(config, ServerState(), {}, clock)
    line.connection_made(transport)
    line.cycle = MagicMock(response_complete=False, body=b"")
    return line, transport, clock


def test_a_head_that_is_late_does_not_end_the_answer_before_it() -> None:
    line, transport, clock = clocked()
    # Some clients end a body with a line end, which is the begin of the next head.
    line.data_received(b"\r\n")
    clock.pass_by(connections.HEAD_SECONDS)
    transport.close.assert_not_called()
    assert line.cycle is not None
    line.cycle.response_complete = True
    clock.pass_by(connections.HEAD_SECONDS)
    transport.close.assert_called_once()


def test_a_client_that_still_sends_may_take_its_answer_later() -> None:
    line, transport, clock = clocked()
    line.pause_writing()
    line.on_body(b"a part")
    clock.pass_by(STALL_SECONDS)
    transport.abort.assert_not_called()
    transport.get_write_buffer_size.return_value = 900_000
    clock.pass_by(STALL_SECONDS)
    transport.abort.assert_not_called()
    clock.pass_by(STALL_SECONDS)
    transport.abort.assert_called_once()


def test_one_request_more_than_the_service_can_take_is_sent_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, go, call = Event(), Event(), pool._Seat.call

    def held(seat: Any) -> Any:
        begun.set()
        assert go.wait(PATIENCE)
        return call(seat)

    monkeypatch.setattr(pool._Seat, "call", held)
    with serving_here(Settings(threads=1, most_waiting=0)) as busy, busy.connect() as line:
        line.sendall(HEAD + CLOSE + LENGTH + b"\r\n" + BODY)
        assert begun.wait(PATIENCE)
        assert busy.gauge("chunkwright_pool_busy") == 1
        answer = busy.cut()
        assert (answer.status, answer.json["error"]["code"]) == (429, "busy")
        assert int(answer.headers["retry-after"]) > 0
        # What needs no thread is answered meanwhile.
        assert busy.ask("GET", "/health").status == 200
        go.set()
        assert received(line).startswith(b"HTTP/1.1 200 ")


def test_work_that_takes_too_long_is_ended() -> None:
    text = "It rains in the hills. The river rises; nobody goes out.\n\n" * 60_000
    with serving_here(Settings(threads=1, timeout=0.001)) as hasty:
        for _ in range(2):
            answer = hasty.cut(text, strategy="cluster")
            assert (answer.status, answer.json["error"]["code"]) == (504, "timeout")
            while hasty.gauge("chunkwright_pool_busy"):
                pass
