"""What a job sends: progress to callbacks, archives to addresses, by the rules of the fetcher."""

from __future__ import annotations

import io
import json
import socket
import threading
import time
from collections.abc import Iterator
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from zipfile import ZipFile

import pytest

pytest.importorskip("fastapi", reason="the service is an extra")

from starlette.testclient import TestClient

from chunkwright.concurrency.background import in_time
from chunkwright.server import Settings, create_app
from chunkwright.server.bodies import addresses
from chunkwright.server.dialects.docling.reading import read_source
from tests.server.running import PATIENCE

HOST = "files.example"
FILES = [("files", ("a.md", b"# A")), ("files", ("b.md", b"\x89PNG\r\n\x1a\n"))]


class _Handler(BaseHTTPRequestHandler):
    def _take(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.taken.append((self.command, self.path, dict(self.headers), body))  # type: ignore[attr-defined]
        self.send_response(self.server.statuses.get(self.path, 200))  # type: ignore[attr-defined]
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_POST(self) -> None:
        self._take()

    def do_PUT(self) -> None:
        self._take()

    def log_message(self, *_args: Any) -> None:
        pass


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A server on this machine that takes what is sent, and counts as a public one."""
    monkeypatch.setattr(addresses, "is_public", lambda address: address == "127.0.0.1")
    plain = socket.getaddrinfo

    def found(host: str, port: int, *args: Any, **options: Any) -> list[Any]:
        if host != HOST:
            return list(plain(host, port, *args, **options))
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as made:
        running: Any = made
        running.taken, running.statuses = [], {}
        thread = threading.Thread(target=made.serve_forever)
        thread.start()
        yield made
        made.shutdown()
        thread.join()


@pytest.fixture
def client(receiver: Any) -> Iterator[TestClient]:
    """A client of a service that may send there."""
    settings = Settings(url_hosts=(f"{HOST}:{receiver.server_port}",), threads=2)
    with TestClient(create_app(settings), base_url="http://localhost") as made:
        yield made


def _told(receiver: Any, n: int) -> list[dict[str, Any]]:
    """Return what was told, when there is so much of it."""
    deadline = time.monotonic() + PATIENCE
    while len(receiver.taken) < n:
        assert time.monotonic() < deadline, receiver.taken
        time.sleep(0.02)
    return [json.loads(body) for _, _, _, body in receiver.taken]


def test_progress_is_told_in_order(client: TestClient, receiver: Any) -> None:
    url = f"http://{HOST}:{receiver.server_port}/hook"
    spec = json.dumps({"url": url, "headers": {"X-Token": "t"}, "ca_cert": "x"})
    fields = {"callbacks": spec, "target_type": "zip"}
    answer = client.post("/v1/convert/file/async", files=FILES, data=fields)
    assert answer.status_code == 200, answer.text
    assert "callbacks.0.ca_cert is ignored" in answer.headers["warning"]
    told = _told(receiver, 4)
    assert {each["task_id"] for each in told} == {answer.json()["task_id"]}
    kinds = [each["progress"]["kind"] for each in told]
    assert kinds == [
        "set_num_docs",
        "document_completed",
        "document_completed",
        "update_processed",
    ]
    last = told[-1]["progress"]
    assert (last["num_processed"], last["num_succeeded"], last["num_failed"]) == (2, 1, 1)
    assert [each["status"] for each in last["docs"]] == ["success", "failure"]
    (method, path, headers, _), *_ = receiver.taken
    assert (method, path, headers["X-Token"]) == ("POST", "/hook", "t")
    models = pytest.importorskip("docling.datamodel.service.callbacks", reason="the peer's models")
    for each in told:
        models.ProgressCallbackRequest.model_validate(each)


def test_an_archive_is_put_where_it_is_asked_for(client: TestClient, receiver: Any) -> None:
    source = {"kind": "file", "filename": "a.md", "base64_string": "IyBB"}
    url = f"http://{HOST}:{receiver.server_port}/put?signature=1"
    asked = {"sources": [source], "target": {"kind": "put", "url": url}}
    found = client.post("/v1/convert/source", json=asked).json()
    assert {name: found[name] for name in found if name != "processing_time"} == {
        "num_converted": 1,
        "num_succeeded": 1,
        "num_partially_succeeded": 0,
        "num_failed": 0,
    }
    ((method, path, headers, body),) = receiver.taken
    assert (method, path) == ("PUT", "/put?signature=1")
    head = f"Content-Type: {headers['Content-Type']}\r\n\r\n".encode()
    form: Any = BytesParser().parsebytes(head + body)
    (part,) = form.get_payload()
    archive = part.get_payload(decode=True)
    assert ZipFile(io.BytesIO(archive)).read("a.md") == b"# A"
    receiver.statuses["/put?signature=1"] = 403
    answer = client.post("/v1/convert/source", json=asked)
    assert answer.status_code == 422
    assert "403" in answer.json()["detail"]


@pytest.mark.parametrize("url", ["http://other.example/x", "http://127.0.0.1/x", "file:///x"])
def test_nothing_is_sent_where_it_is_not_allowed(client: TestClient, url: str) -> None:
    source = {"kind": "file", "filename": "a.md", "base64_string": "IyBB"}
    for fields, place in (
        ({"callbacks": [{"url": url}]}, ["body", "callbacks", 0, "url"]),
        ({"target": {"kind": "put", "url": url}}, ["body", "target", "url"]),
    ):
        answer = client.post("/v1/convert/source", json={"sources": [source], **fields})
        assert answer.status_code == 422
        assert answer.json()["detail"][0]["loc"] == place


def test_the_time_of_a_document_ends_its_work_and_no_other(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = threading.Event()

    def slow(data: bytes, name: str, options: Any) -> Any:
        if name == "slow.md":
            # The core stops within a pulse.
            from chunkwright import chunk

            text = " ".join(map(str, range(50_000)))
            try:
                while True:
                    chunk(text, "balanced", max_tokens=64)
            finally:
                ended.set()
        return read_source(data, name, options)

    monkeypatch.setattr("chunkwright.server.dialects.docling.answers.read_source", slow)
    files = [("files", ("slow.md", b"# A")), ("files", ("a.md", b"# A"))]
    fields = {"convert_document_timeout": "0.5"}
    found = client.post("/v1/chunk/hierarchical/file", files=files, data=fields).json()
    assert [each["status"] for each in found["documents"]] == ["failure", "success"]
    assert "document_timeout" in found["documents"][0]["errors"][0]["error_message"]
    assert ended.is_set()


def test_a_call_in_time_returns_raises_or_is_late() -> None:
    assert in_time(lambda: 7, 30) == 7
    with pytest.raises(ZeroDivisionError):
        in_time(lambda: 1 // 0, 30)
    with pytest.raises(TimeoutError):
        in_time(lambda: time.sleep(0.1), 0.01)
