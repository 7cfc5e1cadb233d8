"""A server that answers for ever, too much, or elsewhere, is an error in time."""

from __future__ import annotations

import gzip
import json
import socket
import socketserver
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import pytest
from werkzeug import Request, Response

from chunkwright.embed import OpenAICompatible
from chunkwright.errors import ModelError
from chunkwright.http.bounded import BoundedClient
from tests.support.scripted_server import read_request

if TYPE_CHECKING:
    from pytest_httpserver import HTTPServer

KEY = "sk-0123456789abcdef"
ROW = {"object": "embedding", "index": 0, "embedding": [1.0, 2.0]}
ANSWER = json.dumps({"object": "list", "data": [ROW], "model": "m"}).encode()
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
# Seconds: what a request may take that has no answer, and one that has, on a busy machine.
TIMEOUT, PATIENCE = 0.4, 3.0
Talk = Callable[[socket.socket], None]


@contextmanager
def talking(talk: Talk) -> Iterator[str]:
    """Serve connections with a function, until the caller has enough."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with suppress(OSError):
                talk(self.request)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        finally:
            server.shutdown()
            thread.join()


def silence(connection: socket.socket) -> None:
    """Say nothing until the caller is gone."""
    while connection.recv(1 << 16):
        pass


def slowly(connection: socket.socket, data: bytes) -> None:
    """Send a byte now and then, each of them in good time, until the caller is gone."""
    for i in range(len(data)):
        connection.sendall(data[i : i + 1])
        time.sleep(TIMEOUT / 10)


def slow_body(connection: socket.socket) -> None:
    read_request(connection)
    connection.sendall(HEAD + b"Content-Length: 100000\r\n\r\n")
    slowly(connection, ANSWER.ljust(100_000))


def slow_body_without_length(connection: socket.socket) -> None:
    read_request(connection)
    # What is there when the time is over is a whole answer.
    connection.sendall(HEAD + b"Connection: close\r\n\r\n" + ANSWER)
    slowly(connection, b" " * 100_000)


def slow_chunks(connection: socket.socket) -> None:
    read_request(connection)
    connection.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
    slowly(connection, b"1\r\n \r\n" * 100_000)


def slow_headers(connection: socket.socket) -> None:
    read_request(connection)
    slowly(connection, HEAD + b"X-Long: " + b"a" * 50_000)


def slow_handshake(connection: socket.socket) -> None:
    connection.sendall(b"\x16\x03\x03\x40\x00")
    slowly(connection, bytes(100_000))


@pytest.mark.parametrize(
    "talk",
    [
        *(slow_body, slow_body_without_length, slow_chunks, slow_headers),
        *(slow_handshake, silence),
    ],
    ids=lambda talk: talk.__name__,
)
def test_the_timeout_is_of_the_whole_answer(talk: Talk) -> None:
    with talking(talk) as plain:
        url = plain.replace("http:", "https:") if talk is slow_handshake else plain
        embedder = OpenAICompatible(url, "m", timeout=TIMEOUT, retries=0)
        # What the server has to say would take it longer than any test may take.
        with pytest.raises(ModelError, match=r"failed on 1 text: .*timed out"):
            embedder.embed(["a"])


def test_a_connection_that_comes_too_late_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    note = BoundedClient._note

    def late(client: BoundedClient, event: str, info: Any) -> None:
        if event.endswith("connect_tcp.complete"):
            time.sleep(2 * TIMEOUT)
        note(client, event, info)

    monkeypatch.setattr(BoundedClient, "_note", late)
    with talking(slow_body) as url:
        embedder = OpenAICompatible(url, "m", timeout=TIMEOUT, retries=0)
        with pytest.raises(ModelError, match="no whole answer in"):
            embedder.embed(["a"])


def test_a_slow_answer_is_asked_for_again() -> None:
    n_asked = 0

    def talk(connection: socket.socket) -> None:
        nonlocal n_asked
        n_asked += 1
        if n_asked == 1:
            slow_body(connection)
        while True:
            read_request(connection)
            connection.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % len(ANSWER) + ANSWER)

    with talking(talk) as url:
        # A busy machine may be late with a good answer too.
        embedder = OpenAICompatible(url, "m", timeout=PATIENCE, retries=9)
        assert embedder.embed(["a"]).tolist() == [[1, 2]]
        # And the connection after it is kept.
        for _ in range(9):
            assert embedder.embed(["a"]).tolist() == [[1, 2]]
    assert 2 <= n_asked < 10


def _compressed(data: bytes, times: int = 1) -> bytes:
    for _ in range(times):
        data = gzip.compress(data)
    return data


def _bomb(data: bytes) -> bytes:
    """Return what is decompressed to 200 MB, of which most never stand in memory at once."""
    compressor = zlib.compressobj(wbits=16 + zlib.MAX_WBITS)
    blanks = b" " * (1 << 20)
    parts = [compressor.compress(data), *(compressor.compress(blanks) for _ in range(200))]
    return b"".join([*parts, compressor.flush()])


@pytest.mark.parametrize(
    ("body", "coding", "message"),
    [
        (ANSWER.ljust(2 << 20), "", "its answer is larger than 1,572,864 bytes"),
        (_bomb(ANSWER), "gzip", "its answer is larger than 1,572,864 bytes"),
        (_compressed(ANSWER, 2), "gzip, gzip", "its answer is compressed more than once"),
        (b"no gzip", "gzip", "failed on 1 text"),
    ],
    ids=["plain", "gzip", "gzip of gzip", "no gzip"],
)
@pytest.mark.parametrize("status", [200, 404, 503])
def test_an_answer_has_a_limit(
    httpserver: HTTPServer, body: bytes, coding: str, message: str, status: int
) -> None:
    headers = {"Content-Encoding": coding} if coding else {}
    answer = Response(body, status, headers, content_type="application/json")
    httpserver.expect_request("/v1/embeddings").respond_with_response(answer)
    embedder = OpenAICompatible(httpserver.url_for("/v1"), "m", batch_size=1, retries=0)
    with pytest.raises(ModelError, match=message):
        embedder.embed(["a"])
    # What is refused is not asked for again.
    if "larger" in message or "once" in message:
        with pytest.raises(ModelError, match=message):
            OpenAICompatible(httpserver.url_for("/v1"), "m", batch_size=1).embed(["a"])
        assert len(httpserver.log) == 2


def test_an_answer_may_be_compressed(httpserver: HTTPServer) -> None:
    answer = Response(_compressed(ANSWER), headers={"Content-Encoding": "gzip"})
    answer.content_type = "application/json"
    httpserver.expect_request("/v1/embeddings").respond_with_response(answer)
    embedder = OpenAICompatible(httpserver.url_for("/v1"), "m")
    assert embedder.embed(["a"]).tolist() == [[1, 2]]


def test_an_endless_answer_ends() -> None:
    def talk(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        while True:
            connection.sendall(b"10000\r\n" + b" " * 0x10000 + b"\r\n")

    with talking(talk) as url, pytest.raises(ModelError, match="is larger than"):
        OpenAICompatible(url, "m", batch_size=1, timeout=60).embed(["a"])


@pytest.mark.parametrize("where", ["message", "page", "code"])
def test_what_a_server_says_is_shortened(httpserver: HTTPServer, where: str) -> None:
    said = f"{KEY} " * 60_000
    body = {
        "message": json.dumps({"error": {"message": said}}),
        "page": f"<html>{said}</html>",
        "code": json.dumps([said]),
    }[where]
    answer = Response(body, 400, content_type="application/json")
    httpserver.expect_request("/v1/embeddings").respond_with_response(answer)
    url = httpserver.url_for("/v1")
    with pytest.raises(ModelError, match="failed on 1 text: status 400") as caught:
        OpenAICompatible(url, "m", batch_size=10, api_key=KEY).embed(["a"])
    assert len(str(caught.value)) < 600
    assert KEY[:6] not in str(caught.value)
    assert len(str(caught.value.__cause__)) < 600


def _redirecting(server: HTTPServer, target: str, status: int = 307) -> list[Request]:
    """Redirect from ``/v1`` to a target, and note who comes to ``/v2/``."""
    came: list[Request] = []

    def arrive(request: Request) -> Response:
        came.append(request)
        return Response(ANSWER, content_type="application/json")

    moved = Response(b"moved", status, {"Location": target})
    server.expect_request("/v1/embeddings").respond_with_response(moved)
    server.expect_request("/v2/embeddings").respond_with_handler(arrive)
    return came


def test_a_redirect_on_the_same_server_is_followed(httpserver: HTTPServer) -> None:
    came = _redirecting(httpserver, "/v2/embeddings")
    embedder = OpenAICompatible(httpserver.url_for("/v1"), "m", api_key=KEY)
    assert embedder.embed(["a"]).tolist() == [[1, 2]]
    assert [request.headers["Authorization"] for request in came] == [f"Bearer {KEY}"]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_another_server_is_refused(httpserver: HTTPServer, status: int) -> None:
    with talking(silence) as other:
        targets = [
            f"http://127.0.0.1:{httpserver.port}/v2/embeddings",
            f"https://localhost:{httpserver.port}/v2/embeddings",
            f"{other}/embeddings",
            f"//127.0.0.1:{httpserver.port}/v2/embeddings",
            "http://example.org/v2",
        ]
        for target in targets:
            httpserver.clear()
            assert httpserver.host == "localhost"
            came = _redirecting(httpserver, target, status)
            embedder = OpenAICompatible(httpserver.url_for("/v1"), "m", api_key=KEY)
            with pytest.raises(ModelError, match="it redirects to another server, http"):
                embedder.embed(["a"])
            assert came == []
            assert len(httpserver.log) == 1


@pytest.mark.parametrize("target", ["/v1/embeddings", "http://[", "file:///etc/passwd"])
def test_odd_redirects(httpserver: HTTPServer, target: str) -> None:
    _redirecting(httpserver, target)
    embedder = OpenAICompatible(httpserver.url_for("/v1"), "m", retries=0)
    with pytest.raises(ModelError, match="failed on 1 text"):
        embedder.embed(["a"])


def test_clients_are_closed_and_shared(httpserver: HTTPServer) -> None:
    def answer(request: Request) -> Response:
        time.sleep(0.005)
        rows: list[Any] = [{**ROW, "index": i} for i in range(len(request.get_json()["input"]))]
        return Response(json.dumps({"data": rows}), content_type="application/json")

    httpserver.expect_request("/v1/embeddings").respond_with_handler(answer)
    embedder = OpenAICompatible(httpserver.url_for("/v1"), "m", batch_size=1, workers=3)
    for _ in range(3):
        embedder.embed([str(i) for i in range(20)])
    assert 1 <= len(embedder._clients._idle) <= 3
    sockets = [client._client._line for _, client in embedder._clients._idle]  # type: ignore[attr-defined]
    assert all(each.fileno() >= 0 for each in sockets)
    del embedder
    assert [each.fileno() for each in sockets] == [-1] * len(sockets)
