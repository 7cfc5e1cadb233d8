"""Services as processes of their own, for tests that are about processes and connections."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from threading import Condition, Thread
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwright.server.children.memory import children_of

if TYPE_CHECKING:
    from chunkwright.server import Settings
    from chunkwright.server.processes import DrainingServer

# For what hangs, on the busiest of machines.
PATIENCE = 120.0
_LISTENING = re.compile(r"listening on http://127\.0\.0\.1:(\d+) ")


class Answer(NamedTuple):
    """An answer: its status, its headers with names in small letters, and its body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """What the body says."""
        return json.loads(self.body)


class Held(NamedTuple):
    """A request that waits for its body.

    Attributes
    ----------
    line
        Its connection.
    body
        What it waits for.
    """

    line: socket.socket
    body: bytes

    def end(self) -> Answer:
        """Send the body, and return the answer."""
        self.line.sendall(self.body)
        found = HTTPResponse(self.line)
        found.begin()
        names = {name.lower(): value for name, value in found.getheaders()}
        return Answer(found.status, names, found.read())


class Reachable:
    """A service that listens on a port of this machine."""

    def __init__(self, port: int) -> None:
        self.port = port

    def connect(self, timeout: float = PATIENCE) -> socket.socket:
        """Connect to it."""
        return socket.create_connection(("127.0.0.1", self.port), timeout)

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: dict[str, str] | None = None,
    ) -> Answer:
        """Ask it, on a connection of its own; what is no bytes is sent as JSON."""
        given = dict(headers or {})
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            given.setdefault("Content-Type", "application/json")
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, given)
            found = connection.getresponse()
            names = {name.lower(): value for name, value in found.getheaders()}
            return Answer(found.status, names, found.read())
        finally:
            connection.close()

    def cut(self, text: str = "One two three.", **chunking: Any) -> Answer:
        """Have a text cut."""
        asked = {"text": text, **({"chunking": chunking} if chunking else {})}
        return self.ask("POST", "/v1/chunk", asked)

    def send(self, *parts: bytes, timeout: float = PATIENCE) -> bytes:
        """Send bytes on a connection of their own, and return all that comes until it ends."""
        with self.connect(timeout) as line:
            with suppress(ConnectionError):
                for part in parts:
                    line.sendall(part)
            return received(line)

    @contextmanager
    def held(self, body: bytes) -> Iterator[Held]:
        """Begin a request that waits for its body: the service has said that it does."""
        head = (
            b"POST /v1/chunk HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(body)
        )
        with self.connect() as line:
            line.sendall(head)
            told = line.recv(1 << 16)
            assert told == b"HTTP/1.1 100 Continue\r\n\r\n"
            yield Held(line, body)

    def gauge(self, name: str) -> float:
        """Return a number of its metrics."""
        text = self.ask("GET", "/metrics").body.decode()
        found = re.search(rf"^{name} (\S+)$", text, re.MULTILINE)
        assert found, text
        return float(found[1])


class Running(Reachable):
    """A service that runs as `chunkwright serve`, with what it has logged."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        super().__init__(0)
        self.process = process
        self.lines: list[str] = []
        self._is_over = False
        self._changed = Condition()
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def records(self) -> list[dict[str, Any]]:
        """The lines of the log, read."""
        return [json.loads(line) for line in self.lines]

    @property
    def log(self) -> str:
        """All that it has logged."""
        return "".join(self.lines)

    def _read(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as log:
            for line in log:
                with self._changed:
                    self.lines.append(line)
                    self._changed.notify_all()
        with self._changed:
            self._is_over = True
            self._changed.notify_all()

    def wait_for(self, pattern: str, times: int = 1) -> list[re.Match[str]]:
        """Wait until as many lines of the log have a pattern, and return where."""

        def found() -> list[re.Match[str]]:
            return [match for line in self.lines if (match := re.search(pattern, line))]

        with self._changed:
            self._changed.wait_for(lambda: len(found()) >= times or self._is_over, PATIENCE)
        matches = found()
        assert len(matches) >= times, f"the service has not said {pattern!r}: {self.log}"
        return matches

    def stop(self, number: int) -> int:
        """Tell it to end, and return its exit code."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def kill(self) -> None:
        """End it at once, and what it has started with it."""
        self.process.kill()
        self.process.wait()
        self._reader.join(PATIENCE)


def received(line: socket.socket) -> bytes:
    """Return all that comes on a connection until it ends, or is broken off."""
    parts = []
    with suppress(ConnectionError):
        while part := line.recv(1 << 16):
            parts.append(part)
    return b"".join(parts)


def resident(pid: int) -> int:
    """Return the bytes of memory that a process has."""
    pages = Path(f"/proc/{pid}/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def command_of(pid: int) -> str:
    """Return the command line of a process; nothing, where it is not there."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def workers_of(running: Running) -> set[int]:
    """Return the processes that answer for a service."""
    return {pid for pid in children_of(running.process.pid) if "spawn_main" in command_of(pid)}


@contextmanager
def serving(*flags: str, **variables: str) -> Iterator[Running]:
    """Start a service on any free port; it takes connections when the block begins."""
    process = subprocess.Popen(
        [sys.executable, "-m", "chunkwright", "serve", "--port", "0", *flags],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **variables},
    )
    running = Running(process)
    try:
        running.port = int(running.wait_for(_LISTENING.pattern)[0][1])
        yield running
    finally:
        running.kill()


class RunningHere(Reachable):
    """A service on a thread of this process."""

    def __init__(self, port: int, server: DrainingServer) -> None:
        super().__init__(port)
        self._server = server

    def end(self) -> None:
        """Tell it to end."""
        self._server.should_exit = True


@contextmanager
def serving_here(settings: Settings) -> Iterator[RunningHere]:
    """Serve on a thread of this process, with what a test has put in the place of something."""
    from chunkwright.server.processes import DrainingServer
    from chunkwright.server.run import bound_socket, config_of

    config = config_of(replace(settings, port=0), None)
    with bound_socket(config) as bound:
        server = DrainingServer(config)
        thread = Thread(target=server.run, args=([bound],))
        thread.start()
        running = RunningHere(bound.getsockname()[1], server)
        try:
            yield running
        finally:
            running.end()
            thread.join()
