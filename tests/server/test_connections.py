"""Connections: heads and bodies that are wrong, slow or endless, and clients that leave."""

from __future__ import annotations

import socket
import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.server.raw_requests import BODY, CLOSE, HEAD, HEALTH, LENGTH
from tests.server.running import Running

pytest.importorskip("fastapi", reason="needs the extra server")
pytest.importorskip("httptools", reason="needs the extra server")


CHUNKED = b"Transfer-Encoding: chunked\r\n"
CHUNKS = b"%x\r\n%s\r\n" % (len(BODY), BODY)
H2C = b"Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n"

REFUSED = {
    "length and chunks": HEAD + CHUNKED + LENGTH + b"\r\n" + CHUNKS + b"0\r\n\r\n",
    "two lengths": HEAD + b"Content-Length: 2\r\nContent-Length: 5\r\n\r\n{}abc",
    "a negative length": HEAD + b"Content-Length: -1\r\n\r\n",
    "a length with a sign": HEAD + b"Content-Length: +26\r\n\r\n" + BODY,
    "a length of two": HEAD + b"Content-Length: 26, 26\r\n\r\n" + BODY,
    "chunks that are packed": HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n" + CHUNKS,
    "chunks that are none": HEAD + b"Transfer-Encoding: xchunked\r\n\r\n" + CHUNKS,
    "chunks twice": HEAD + CHUNKED + b"Transfer-Encoding: identity\r\n\r\n" + CHUNKS,
    "a chunk of a huge size": HEAD + CHUNKED + b"\r\nFFFFFFFFFFFFFFFFF\r\nx",
    "a chunk without a size": HEAD + CHUNKED + b"\r\n\r\nx",
    "a chunk that is longer": HEAD + CHUNKED + b"\r\n2\r\n" + BODY + b"\r\n0\r\n\r\n",
    "a blank before the colon": HEAD + b"Content-Length : 26\r\n\r\n" + BODY,
    "a header in two lines": HEAD + b"X-A: b\r\n c\r\n" + LENGTH + b"\r\n" + BODY,
    "a NUL in a header": HEAD + b"X-A: a\0b\r\n\r\n",
    "a NUL in the path": b"GET /a\0b HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "no host": b"GET /health HTTP/1.1\r\n\r\n",
    "two hosts": HEALTH + b"Host: example.org\r\n\r\n",
    "a tunnel": b"CONNECT localhost:22 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "an unknown method": b"BREW /health HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500),
    "one header of 1 MB": HEALTH + b"X-A: " + b"a" * 1_000_000 + b"\r\n\r\n",
    "50,000 headers": HEALTH + b"".join(b"X-%d: a\r\n" % i for i in range(50_000)) + b"\r\n",
    "an address of 1 MB": b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "one header of 1 MB after the body": HEAD + CHUNKED + b"\r\n0\r\nX-A: " + b"a" * 1_000_000,
    "50,000 headers after the body": HEAD + CHUNKED + b"\r\n0\r\n" + b"X-A: a\r\n" * 50_000,
    "a chunk with a remark of 1 MB": HEAD + CHUNKED + b"\r\n2;" + b"a" * 1_000_000,
}

ANSWERED = {
    "chunks": HEAD + CLOSE + CHUNKED + b"\r\n" + CHUNKS + b"0\r\n\r\n",
    "chunks with a remark": HEAD + CLOSE + CHUNKED + b"\r\n%x;a=b\r\n%s\r\n0\r\n\r\n" % (26, BODY),
    "a header after the body": HEAD
    + (CLOSE + CHUNKED + b"\r\n" + CHUNKS + b"0\r\nContent-Encoding: br\r\n\r\n"),
    "HTTP/1.0": HEAD.replace(b"/1.1", b"/1.0") + LENGTH + b"\r\n" + BODY,
    "another protocol with a length": HEAD
    + (b"Connection: Upgrade, HTTP2-Settings, close\r\n" + H2C + LENGTH + b"\r\n" + BODY),
    "another protocol with chunks": HEAD
    + (b"Connection: Upgrade, HTTP2-Settings, close\r\n" + H2C + CHUNKED + b"\r\n")
    + (CHUNKS + b"0\r\n\r\n"),
    "line ends after the body": HEAD + CLOSE + LENGTH + b"\r\n" + BODY + b"\r\n",
    "a whole address": HEAD.replace(b"/v1", b"http://localhost/v1")
    + CLOSE
    + LENGTH
    + b"\r\n"
    + BODY,
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_request_is_refused_and_the_connection_closed(
    service: Running, name: str
) -> None:
    answer = service.send(REFUSED[name])
    # What is still on its way to a closed connection may break it before the answer is read.
    assert answer.startswith(b"HTTP/1.1 400 ") or (not answer and len(REFUSED[name]) > 1 << 16)
    assert answer.count(b"HTTP/1.1") <= 1
    assert service.cut().status == 200


@pytest.mark.parametrize("name", ANSWERED)
def test_odd_but_right_requests_are_answered(service: Running, name: str) -> None:
    answer = service.send(ANSWERED[name])
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert answer.count(b"HTTP/1.1") == 1
    assert b'"One two three."' in answer


def test_a_request_for_another_protocol_does_not_swallow_the_next_one(service: Running) -> None:
    first = HEAD + b"Connection: Upgrade\r\n" + H2C + LENGTH + b"\r\n" + BODY
    answer = service.send(first * 3 + HEALTH + CLOSE + b"\r\n")
    assert answer.count(b"HTTP/1.1 200 ") == 4
    assert answer.rindex(b"One two three.") < answer.index(b'{"status":"ok"}')


def test_pipelined_requests_are_answered_in_order(service: Running) -> None:
    first = HEAD + LENGTH + b"\r\n" + BODY
    answer = service.send(first + (HEALTH + b"\r\n") * 20 + HEALTH + CLOSE + b"\r\n")
    assert answer.count(b"HTTP/1.1 200 ") == 22
    assert answer.index(b"One two three.") < answer.index(b'{"status":"ok"}')


def test_a_connection_with_too_many_pipelined_requests_ends(service: Running) -> None:
    answer = service.send((HEALTH + b"\r\n") * 10_000)
    assert answer.count(b"HTTP/1.1 200 ") < 10_000
    assert service.cut().status == 200


def test_what_is_no_request_does_not_end_up_inside_another_answer(service: Running) -> None:
    answer = service.send(HEAD + LENGTH + b"\r\n" + BODY + b"\0\0\0\r\n\r\n")
    assert answer.count(b"HTTP/1.1") <= 1


@pytest.mark.parametrize("extra", [b"", b"Content-Length: 5000000\r\n"])
def test_a_client_that_sends_too_much_is_told_so(service: Running, extra: bytes) -> None:
    head = HEAD + (extra or CHUNKED) + b"\r\n"
    part = b" " * 50_000
    part = part if extra else b"%x\r\n%s\r\n" % (len(part), part)
    with service.connect() as line:
        line.sendall(head)
        for _ in range(100):
            line.sendall(part)
        answer = line.recv(1 << 16)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"connection: close" in answer


def test_a_client_that_asks_before_it_sends_too_much_sends_nothing(service: Running) -> None:
    expects = HEAD + b"Expect: 100-continue\r\nContent-Length: 5000000\r\n\r\n"
    assert service.send(expects).startswith(b"HTTP/1.1 413 ")


def _zeros(n_megabytes: int, window: int) -> bytes:
    packing = zlib.compressobj(9, zlib.DEFLATED, window)
    parts = [packing.compress(bytes(1 << 20)) for _ in range(n_megabytes)]
    return b"".join([*parts, packing.flush()])


@pytest.mark.parametrize(("encoding", "window"), [("gzip", 31), ("deflate", 15)])
def test_a_body_that_grows_when_it_is_unpacked_is_refused(
    service: Running, encoding: str, window: int
) -> None:
    bomb = _zeros(100, window)
    answer = service.ask("POST", "/v1/chunk", bomb, {"Content-Encoding": encoding})
    assert (answer.status, answer.json["error"]["code"]) == (413, "too_large")


@pytest.mark.parametrize("n", [0, 1, 10, 70_000, 5_000_000])
def test_packed_bodies_of_any_size_are_unpacked(service: Running, n: int) -> None:
    body = b'{"text": "%s"}' % (b"a " * (n // 2))
    packing = zlib.compressobj(9, zlib.DEFLATED, 31)
    packed = packing.compress(body) + packing.flush()
    headers = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
    answer = service.ask("POST", "/v1/chunk", packed, headers)
    assert answer.status == 200
    assert answer.json["document"]["n_chars"] == n // 2 * 2


@pytest.mark.parametrize(
    "damage",
    [lambda data: data[:-1], lambda data: data + b"x", lambda _: b"", lambda data: data[5:]],
)
def test_a_damaged_packed_body_is_refused(service: Running, damage: object) -> None:
    packing = zlib.compressobj(9, zlib.DEFLATED, 31)
    packed = packing.compress(BODY) + packing.flush()
    answer = service.ask("POST", "/v1/chunk", damage(packed), {"Content-Encoding": "gzip"})  # type: ignore[operator]
    assert (answer.status, answer.json["error"]["code"]) == (400, "damaged_body")


def test_a_client_that_leaves_frees_its_thread(service: Running) -> None:
    text = "It rains in the hills. The river rises; nobody goes out.\n\n" * 60_000
    body = b'{"text": %s, "chunking": {"strategy": "cluster"}}' % _json(text)
    for _ in range(4):
        with service.connect() as line:
            line.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body)
            while not service.gauge("chunkwright_pool_busy"):
                pass
        while service.gauge("chunkwright_pool_busy"):
            pass
    assert service.cut().status == 200


def _json(text: str) -> bytes:
    return b'"' + text.replace("\n", "\\n").encode() + b'"'


def test_clients_that_leave_at_any_point_leave_nothing_behind(service: Running) -> None:
    whole = HEAD + LENGTH + b"\r\n" + BODY
    for end in range(0, len(whole) + 1, 3):
        with service.connect() as line:
            line.sendall(whole[:end])
            if end % 2:
                # The connection is broken off, not closed.
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, bytes([1, 0, 0, 0] + [0] * 4))
    assert service.cut().status == 200
    assert service.gauge("chunkwright_pool_busy") == 0
    assert "Traceback" not in service.log


def test_two_hundred_clients_at_once_are_all_answered(service: Running) -> None:
    texts = [f"Text {i}. It has two sentences." for i in range(200)]
    with ThreadPoolExecutor(200) as threads:
        answers = list(threads.map(service.cut, texts))
    assert [answer.status for answer in answers] == [200] * 200
    told = ["".join(row["text"] for row in answer.json["chunks"]) for answer in answers]
    assert told == texts
