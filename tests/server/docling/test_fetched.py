"""Files that requests name addresses of: from allowed hosts, never from inside, within limits."""

from __future__ import annotations

import gzip
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the service is an extra")

from starlette.testclient import TestClient

from chunkwright.errors import ReadError
from chunkwright.server import Settings, create_app
from chunkwright.server.bodies import addresses as module
from chunkwright.server.bodies.addresses import is_private, is_public
from chunkwright.server.bodies.fetched import fetched
from chunkwright.server.problems import Problem

from . import sources

HOST = "files.example"


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.server.asked.append((self.path, dict(self.headers)))  # type: ignore[attr-defined]
        status, headers, body = self.server.answers[self.path]  # type: ignore[attr-defined]
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        with suppress(OSError):
            self.wfile.write(body)

    def log_message(self, *_args: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Any]:
    """A server of files on this machine: answers by their paths, and what it was asked."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as made:
        running: Any = made
        running.answers, running.asked = {}, []
        thread = threading.Thread(target=made.serve_forever)
        thread.start()
        yield made
        made.shutdown()
        thread.join()


@pytest.fixture
def settings(server: Any, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings that allow the server by a name, which leads to what counts as public here."""
    monkeypatch.setattr(module, "is_public", lambda address: address == "127.0.0.1")
    _lead(monkeypatch, "127.0.0.1")
    return Settings(url_hosts=(f"{HOST}:{server.server_port}",), max_unpacked=1000, timeout=30)


def _lead(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    """Have the name lead to addresses; an address leads to itself."""
    plain = socket.getaddrinfo

    def found(host: str, port: int, *args: Any, **options: Any) -> list[Any]:
        if host != HOST:
            return list(plain(host, port, *args, **options))
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", found)


@pytest.fixture
def url(server: Any) -> Callable[[str], str]:
    """Makes an address of the server."""
    return lambda path: f"http://{HOST}:{server.server_port}{path}"


def test_a_file_is_fetched_with_its_headers(
    server: Any, settings: Settings, url: Callable[[str], str]
) -> None:
    server.answers["/a.md?x=1"] = 200, {}, b"# A"
    assert fetched(url("/a.md?x=1"), settings, {"Authorization": "Bearer t"}) == b"# A"
    ((path, headers),) = server.asked
    assert path == "/a.md?x=1"
    assert headers["Host"] == f"{HOST}:{server.server_port}"
    assert headers["Authorization"] == "Bearer t"


def test_a_path_is_asked_for_as_it_is_said(
    server: Any, settings: Settings, url: Callable[[str], str]
) -> None:
    path = '/a%2Fb/../c?x="|%zz'
    server.answers[path] = 200, {}, b"text"
    assert fetched(url(path), settings) == b"text"


def test_an_address_is_connected_to_by_the_name_that_its_certificate_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "is_public", lambda _: True)
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    _lead(monkeypatch, "127.0.0.1")
    hellos: list[bytes] = []
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        port = listener.getsockname()[1]

        def hear() -> None:
            line, _ = listener.accept()
            with closing(line):
                hellos.append(line.recv(1 << 16))

        thread = threading.Thread(target=hear)
        thread.start()
        settings = Settings(url_hosts=(f"{HOST}:{port}",), timeout=30)
        with pytest.raises(ReadError, match="the file cannot be fetched"):
            fetched(f"https://{HOST}:{port}/a", settings)
        thread.join()
    # The beginning of TLS says it in plain.
    assert HOST.encode() in hellos[0]


def test_a_compressed_file_is_unpacked_within_the_limit(
    server: Any, settings: Settings, url: Callable[[str], str]
) -> None:
    packed = {"Content-Encoding": "gzip"}
    server.answers["/a"] = 200, packed, gzip.compress(b"text")
    server.answers["/b"] = 200, packed, gzip.compress(b"x" * 100_000)
    assert fetched(url("/a"), settings) == b"text"
    with pytest.raises(Problem) as raised:
        fetched(url("/b"), settings)
    assert raised.value.status == 413


@pytest.mark.parametrize("length", [{}, {"Content-Length": "5000"}])
def test_a_file_that_is_too_large_is_a_problem(
    server: Any, settings: Settings, url: Callable[[str], str], length: dict[str, str]
) -> None:
    server.answers["/a"] = 200, length, b"x" * 5000
    with pytest.raises(Problem) as raised:
        fetched(url("/a"), settings)
    assert raised.value.status == 413


def test_a_file_that_is_cut_off_is_not_taken(
    server: Any, settings: Settings, url: Callable[[str], str]
) -> None:
    server.answers["/a"] = 200, {"Content-Length": "500"}, b"half"
    with pytest.raises(ReadError, match="RemoteProtocolError"):
        fetched(url("/a"), settings)


def test_an_answer_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "is_public", lambda _: True)
    _lead(monkeypatch, "127.0.0.1")
    is_over = threading.Event()
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        port = listener.getsockname()[1]

        def drip() -> None:
            line, _ = listener.accept()
            with closing(line), suppress(OSError):
                while not is_over.wait(0.01):
                    line.send(b"H")

        thread = threading.Thread(target=drip)
        thread.start()
        settings = Settings(url_hosts=(f"{HOST}:{port}",), timeout=0.3)
        with pytest.raises(ReadError, match="TimeoutError"):
            fetched(f"http://{HOST}:{port}/a", settings)
        is_over.set()
        thread.join()


def test_a_redirect_on_the_same_host_is_followed(
    server: Any, settings: Settings, url: Callable[[str], str]
) -> None:
    server.answers["/a"] = 302, {"Location": "/b"}, b""
    server.answers["/b"] = 200, {}, b"here"
    assert fetched(url("/a"), settings) == b"here"


@pytest.mark.parametrize(
    "location",
    [
        *("http://other.example/b", "http://127.0.0.1/b", "file:///etc/passwd", "//evil/x"),
        *("http://[::1/", "http://[files.example]/"),
    ],
)
def test_a_redirect_to_another_place_is_not_followed(
    server: Any, settings: Settings, url: Callable[[str], str], location: str
) -> None:
    settings = replace(settings, url_hosts=(*settings.url_hosts, "other.example"))
    server.answers["/a"] = 302, {"Location": location}, b""
    with pytest.raises((Problem, ReadError)):
        fetched(url("/a"), settings)
    assert len(server.asked) == 1


def test_redirects_in_a_circle_end(
    server: Any, settings: Settings, url: Callable[[str], str]
) -> None:
    server.answers["/a"] = 302, {"Location": "/a"}, b""
    with pytest.raises(ReadError, match="redirects more than"):
        fetched(url("/a"), settings)


def test_a_status_that_is_no_success_is_named(
    server: Any, settings: Settings, url: Callable[[str], str]
) -> None:
    server.answers["/a"] = 404, {}, b"secret words"
    with pytest.raises(ReadError, match="status 404") as raised:
        fetched(url("/a"), settings)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    "address",
    [
        *("http://other.example/a", "http://localhost/", "http://127.0.0.1/", "http://[::1]/"),
        *("file:///etc/passwd", "ftp://files.example/a", "http://user:pass@files.example/", ""),
        *("http://files.example:22/", "http://files.example\\@evil/", "http://files.example /a"),
        *("http://files.example/\r\nHost: evil", "http://0x7f.1/", "http://2130706433/"),
        "http://files.example:99999/",
    ],
)
def test_an_address_that_is_not_allowed_is_refused_before_anything_is_looked_up(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    def never(*_args: Any, **_options: Any) -> Any:
        pytest.fail("a name was looked up")

    monkeypatch.setattr(socket, "getaddrinfo", never)
    with pytest.raises(Problem) as raised:
        fetched(address, Settings(url_hosts=(HOST,)))
    assert raised.value.status == 422
    assert raised.value.field == "url"


@pytest.mark.parametrize(
    "addresses", [("10.0.0.1",), ("93.184.215.14", "127.0.0.1"), ("169.254.169.254",), ("::1",)]
)
def test_a_name_that_leads_inside_is_refused(
    monkeypatch: pytest.MonkeyPatch, addresses: tuple[str, ...]
) -> None:
    _lead(monkeypatch, *addresses)
    with pytest.raises(Problem, match="its own network") as raised:
        fetched(f"http://{HOST}/a", Settings(url_hosts=(HOST,)))
    assert raised.value.code == "host_not_allowed"


@pytest.fixture
def private(server: Any, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings that allow the server by a name, which leads to this machine."""
    _lead(monkeypatch, "127.0.0.1")
    return Settings(
        url_hosts=(f"{HOST}:{server.server_port}", "other.example"), private_hosts=(HOST,)
    )


def test_a_private_host_is_asked_if_that_is_said(
    server: Any, private: Settings, url: Callable[[str], str]
) -> None:
    server.answers["/a"] = (200, {}, b"rain")
    assert fetched(url("/a"), private) == b"rain"
    with pytest.raises(Problem, match="its own network"):
        fetched(url("/a"), replace(private, private_hosts=("other.example",)))


@pytest.mark.parametrize(
    "address",
    [
        *("169.254.169.254", "fd00:ec2::254", "100.100.100.200", "fe80::1", "0.0.0.0", "::"),  # noqa: S104
        *("224.0.0.1", "::ffff:169.254.169.254", "255.255.255.255", "64:ff9b::7f00:1", "name"),
    ],
)
def test_a_private_host_never_leads_to_what_is_nobodys_host(
    private: Settings, monkeypatch: pytest.MonkeyPatch, url: Callable[[str], str], address: str
) -> None:
    assert not is_private(address)
    for addresses in [(address,), ("127.0.0.1", address)]:
        _lead(monkeypatch, *addresses)
        with pytest.raises(Problem, match="its own network"):
            fetched(url("/a"), private)


@pytest.mark.parametrize(
    ("place", "error"),
    [
        ("http://127.0.0.1/secret", Problem),
        ("http://other.example/secret", ReadError),
        ("http://files.example:1/secret", Problem),
    ],
)
def test_a_private_host_redirects_nowhere_else(
    server: Any, private: Settings, url: Callable[[str], str], place: str, error: type[Exception]
) -> None:
    server.answers["/a"] = (302, {"Location": place}, b"")
    with pytest.raises(error):
        fetched(url("/a"), private)
    assert [path for path, _ in server.asked] == ["/a"]


def test_a_private_host_is_connected_to_at_the_address_that_was_looked_at(
    server: Any, private: Settings, url: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    server.answers["/a"] = (200, {}, b"rain")
    plain, looked = socket.getaddrinfo, []

    def once(host: str, *args: Any, **options: Any) -> list[Any]:
        looked.append(host)
        if looked.count(HOST) > 1:
            raise AssertionError("the name was looked up again")
        return list(plain(host, *args, **options))

    monkeypatch.setattr(socket, "getaddrinfo", once)
    assert fetched(url("/a"), private) == b"rain"
    assert looked.count(HOST) == 1


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.0.1", "169.254.169.254"),
        *("100.64.0.1", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1%eth0", "fd00::1"),
        *("::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "ff02::1", "name"),
        *("::127.0.0.1", "::ffff:0:127.0.0.1", "fec0::1", "5f00::1"),
    ],
)
def test_addresses_inside_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"])
def test_addresses_of_everybody_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "headers", [{"Host": "evil"}, {"X": "a\r\nY: b"}, {"Transfer-Encoding": "chunked"}, {"": "x"}]
)
def test_headers_that_are_the_connections_own_are_refused(
    settings: Settings, url: Callable[[str], str], headers: dict[str, str]
) -> None:
    with pytest.raises(Problem) as raised:
        fetched(url("/a"), settings, headers)
    assert raised.value.field == "headers"


def test_a_source_with_an_address_is_cut(
    server: Any, settings: Settings, url: Callable[[str], str]
) -> None:
    server.answers["/rivers.md"] = 200, {}, sources.MARKDOWN
    body = {"sources": [{"kind": "http", "url": url("/rivers.md"), "headers": {"X-A": "b"}}]}
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        found = client.post("/v1/chunk/hierarchical/source", json=body).json()
        task = client.post("/v1/chunk/hierarchical/source/async", json=body).json()["task_id"]
        assert client.get(f"/v1/status/poll/{task}?wait=60").json()["task_status"] == "success"
        assert client.get(f"/v1/result/{task}").json()["chunks"] == found["chunks"]
    assert found["chunks"][0]["filename"] == "rivers.md"
    assert server.asked[0][1]["X-A"] == "b"


def test_a_source_with_an_address_is_refused_without_allowed_hosts() -> None:
    body = {"sources": [{"kind": "http", "url": "http://files.example/a.md"}]}
    with TestClient(create_app(Settings()), base_url="http://localhost") as client:
        for later in ("", "/async"):
            answer = client.post(f"/v1/chunk/hierarchical/source{later}", json=body)
            assert answer.status_code == 422
            (detail,) = answer.json()["detail"]
            assert detail["loc"] == ["body", "sources", 0, "url"]
            assert "--allow-url files.example" in detail["msg"]
