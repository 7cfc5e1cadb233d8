"""A server that answers as a script says: late, slowly, in part, or not at all."""

from __future__ import annotations

import gzip
import json
import socket
import socketserver
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Protocol

# Of an answer that a bomb becomes: more than any is allowed to have.
BOMB_BYTES = 80 << 20


class Scripted(Protocol):
    """An answer of a script, as the generators of hostile input have it."""

    status: int
    # The text of a reply, or the raw body.
    body: str | bytes
    headers: dict[str, str]
    # Seconds before the first byte, and between two.
    delay: float
    drip: float
    # Whether it stops in the middle, is given to all further requests, or is none at all.
    hang: bool
    repeat: bool
    close: bool


class ScriptedServer:
    """What a script says to each connection, one request each."""

    def __init__(self, script: Sequence[Scripted], answer: Callable[[str], dict[str, Any]]) -> None:
        self.n_asked = 0
        self.url = ""
        self._script = script
        self._answer = answer
        self._lock = threading.Lock()
        self._is_over = threading.Event()

    def end(self) -> None:
        """Wait for nothing any more."""
        self._is_over.set()

    def talk(self, connection: socket.socket) -> None:
        """Read a request, and answer it."""
        read_request(connection)
        with self._lock:
            said = self._script[min(self.n_asked, len(self._script) - 1)]
            self.n_asked += 1
        if said.close or self._is_over.wait(said.delay):
            return
        head, body = self._parts(said)
        connection.sendall(head)
        if said.hang:
            connection.sendall(body[: len(body) // 2])
            self._is_over.wait()
        elif said.drip:
            for at in range(len(body)):
                connection.sendall(body[at : at + 1])
                if self._is_over.wait(said.drip):
                    return
        else:
            connection.sendall(body)

    def _parts(self, said: Scripted) -> tuple[bytes, bytes]:
        """Return head and body of an answer."""
        headers = {"content-type": "application/json", **said.headers}
        if headers.pop("x-h8", "") == "bomb":
            body = gzip.compress(bytes(BOMB_BYTES), 1)
        elif isinstance(said.body, bytes):
            body = said.body
        elif said.status == 200:
            body = json.dumps(self._answer(said.body)).encode()
        else:
            body = said.body.encode()
        headers |= {"content-length": str(len(body)), "connection": "close"}
        lines = [f"HTTP/1.1 {said.status} Scripted", *(f"{k}: {v}" for k, v in headers.items())]
        return "\r\n".join([*lines, "", ""]).encode(), body


@contextmanager
def scripted_server(
    script: Sequence[Scripted], answer: Callable[[str], dict[str, Any]]
) -> Iterator[ScriptedServer]:
    """Serve a script; the last of it is said again and again.

    Parameters
    ----------
    script
        What is said.
    answer
        Puts the text of a reply into the form of an interface.
    """
    made = ScriptedServer(script, answer)

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with suppress(OSError):
                made.talk(self.request)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        made.url = f"http://127.0.0.1:{server.server_address[1]}"
        try:
            yield made
        finally:
            made.end()
            server.shutdown()
            thread.join()


def read_request(connection: socket.socket) -> None:
    """Read a request to the end.

    Raises
    ------
    ConnectionResetError
        If the client is gone before it.
    """
    data = _more(connection)
    while b"\r\n\r\n" not in data:
        data += _more(connection)
    head, _, body = data.partition(b"\r\n\r\n")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")]
    n_bytes = int(lengths[0].split(b":")[1]) if lengths else 0
    while len(body) < n_bytes:
        body += _more(connection)


def _more(connection: socket.socket) -> bytes:
    """Return what comes next; a client that is gone sends nothing for ever."""
    part = connection.recv(1 << 16)
    if not part:
        raise ConnectionResetError
    return part
