"""Processes of a service: several at once, killed ones, and an end that loses no request."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from socket import IPPROTO_TCP, TCP_NODELAY, create_connection, socket

import pytest

from tests.server.running import (
    PATIENCE,
    Running,
    command_of,
    received,
    serving,
    serving_here,
    workers_of,
)

pytest.importorskip("fastapi", reason="needs the extra server")
pytest.importorskip("httptools", reason="needs the extra server")

from chunkwright.errors import ConfigError
from chunkwright.server import Settings, processes
from chunkwright.server.run import bound_socket, check_uvicorn, config_of, serve

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc, and sends signals")

BODY = b'{"text": "One two three."}'
REQUEST = (
    b"POST /v1/chunk HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Length: %d\r\n\r\n%s" % (len(BODY), BODY)
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder that a service puts its temporary files into."""
    return tmp_path


@pytest.fixture
def two(folder: Path) -> Iterator[Running]:
    """A service of two processes."""
    with serving("--workers", "2", TMPDIR=str(folder)) as running:
        yield running


def _pids_that_answer(running: Running, n: int) -> set[int]:
    """Ask until as many processes have answered, and return which."""
    found: set[int] = set()
    with ThreadPoolExecutor(8) as threads:
        while len(found) < n:
            answers = threads.map(lambda _: running.cut(), range(16))
            assert {answer.status for answer in answers} == {200}
            found = {
                record["process"]
                for record in running.records
                if record.get("route") == "/v1/chunk"
            }
    return found


def _wait_for_end(running: Running) -> None:
    """Ask until the service says that it ends; each request is answered until then."""
    while (answer := running.cut()).status != 503:
        assert answer.status == 200
    assert answer.json["error"]["code"] == "draining"
    assert answer.headers["retry-after"]
    assert answer.headers["connection"] == "close"


def test_a_service_that_is_told_to_end_answers_what_has_begun(folder: Path) -> None:
    with serving(TMPDIR=str(folder)) as running:
        with running.held(BODY) as request:
            running.process.send_signal(signal.SIGTERM)
            _wait_for_end(running)
            assert running.ask("GET", "/ready").status == 503
            answer = request.end()
        assert running.process.wait(PATIENCE) == 0
    assert answer.json["document"]["n_chars"] == 14
    assert not list(folder.iterdir())
    assert "Traceback" not in running.log


def test_clients_that_have_connected_are_answered_though_the_service_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(processes, "GRACE", PATIENCE)
    with ExitStack() as stack:
        running = stack.enter_context(serving_here(Settings()))
        lines = [stack.enter_context(running.connect()) for _ in range(20)]
        lines[0].sendall(REQUEST[:50])
        # They were taken before this one.
        assert running.cut().status == 200
        running.end()
        with suppress(OSError):
            while True:
                running.cut()
        lines[0].sendall(REQUEST[50:])
        for line in lines[1:]:
            line.sendall(REQUEST)
        for line in lines:
            answer = received(line)
            assert answer.startswith(b"HTTP/1.1 503 ")
            assert b"draining" in answer


def test_clients_that_connect_at_the_last_moment_are_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    queued = processes.queued
    lines: list[socket] = []

    def crowded(door: socket) -> Iterator[socket]:
        # The service takes no more by itself, and has not closed its door.
        for _ in range(20):
            line = running.connect()
            line.sendall(REQUEST)
            lines.append(line)
        return queued(door)

    monkeypatch.setattr(processes, "queued", crowded)
    with serving_here(Settings()) as running:
        assert running.cut().status == 200
    for line in lines:
        with line:
            assert received(line).startswith(b"HTTP/1.1 503 ")
    assert len(lines) == 20


def test_a_second_interrupt_ends_a_service_at_once(folder: Path) -> None:
    with serving("--drain-timeout", "1000", TMPDIR=str(folder)) as running, running.held(BODY):
        running.process.send_signal(signal.SIGINT)
        _wait_for_end(running)
        running.process.send_signal(signal.SIGINT)
        assert running.process.wait(PATIENCE) == 130
    assert not list(folder.iterdir())


@pytest.mark.slow
def test_a_request_that_does_not_end_in_time_is_cut_off(folder: Path) -> None:
    with serving("--drain-timeout", "0.5", TMPDIR=str(folder)) as running, running.held(BODY):
        assert running.stop(signal.SIGTERM) == 0
    assert not list(folder.iterdir())


@pytest.mark.slow
def test_processes_add_up_their_metrics_and_a_killed_one_is_replaced(
    two: Running, folder: Path
) -> None:
    both = _pids_that_answer(two, 2)
    assert both == workers_of(two)
    name = r'chunkwright_requests_total\{route="/v1/chunk",status="200"\}'
    # A request is counted, and its line of the log is read, some time after its answer.
    while (n := two.gauge(name)) != len(two.wait_for('"route": ?"/v1/chunk"')):
        pass
    assert n > 0
    assert two.gauge("chunkwright_pool_busy") == two.gauge("chunkwright_pool_waiting") == 0

    victim, survivor = both
    os.kill(victim, signal.SIGKILL)
    two.wait_for(f"process {victim} ended with -9")
    (new,) = _pids_that_answer(two, 3) - both
    assert workers_of(two) == {survivor, new}
    # What the killed one had counted is not lost.
    assert two.gauge(name) > n

    assert two.stop(signal.SIGTERM) == 0
    assert not list(folder.iterdir())


@pytest.mark.slow
def test_processes_end_in_order_under_load(two: Running, folder: Path) -> None:
    _pids_that_answer(two, 2)
    with ThreadPoolExecutor() as threads:
        with two.held(BODY) as request:
            loads = [threads.submit(_statuses, two) for _ in range(4)]
            two.process.send_signal(signal.SIGTERM)
            _wait_for_end(two)
            assert request.end().status == 200
        assert two.process.wait(PATIENCE) == 0
        statuses = set().union(*(load.result() for load in loads))
    assert statuses <= {200, 503}
    assert not list(folder.iterdir())


def _statuses(running: Running) -> set[int]:
    found: set[int] = set()
    while True:
        try:
            found.add(running.cut().status)
        except OSError:
            return found


@pytest.mark.slow
def test_an_interrupt_is_passed_on_to_processes_that_drain(folder: Path) -> None:
    flags = ("--workers", "2", "--drain-timeout", "1000")
    with serving(*flags, TMPDIR=str(folder)) as running, running.held(BODY):
        running.process.send_signal(signal.SIGINT)
        _wait_for_end(running)
        running.process.send_signal(signal.SIGINT)
        running.process.wait(PATIENCE)
    assert not list(folder.iterdir())


@pytest.mark.slow
def test_processes_end_when_the_first_one_is_killed(two: Running) -> None:
    both = _pids_that_answer(two, 2)
    two.process.kill()
    two.process.wait()
    while any("spawn_main" in command_of(pid) for pid in both):
        pass


@pytest.mark.parametrize("workers", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_nothing_listens_that_cannot_start(tmp_path: Path, workers: str) -> None:
    nowhere = str(tmp_path / "nowhere.json")
    flags = ("--workers", workers, "--tokenizer", f"words={nowhere}")
    with pytest.raises(AssertionError, match="has not said") as caught, serving(*flags):
        pass
    log = str(caught.value).partition(": ")[2]
    assert nowhere in log
    assert "listening" not in log
    assert "Traceback" not in log


def test_no_answer_waits_for_an_acknowledgement() -> None:
    config = config_of(Settings(port=0), None)
    with (
        bound_socket(config) as door,
        create_connection(door.getsockname()),
        door.accept()[0] as line,
    ):
        assert line.getsockopt(IPPROTO_TCP, TCP_NODELAY)


def test_a_uvicorn_that_would_drop_a_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

    check_uvicorn()
    monkeypatch.delattr(WebSocketsSansIOProtocol, "handle_cont")
    with pytest.raises(ConfigError, match=r"uvicorn \d.*WebSocketsSansIOProtocol\.handle_cont"):
        serve(Settings(port=0))
