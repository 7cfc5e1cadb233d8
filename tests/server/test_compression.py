"""Compression: of answers as clients accept it, and of bodies in several members."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("fastapi", reason="needs the extra server")

from chunkwright.server.guard.compression import accepted_coding
from chunkwright.server.guard.unpacking import Unpacking
from chunkwright.server.problems import Problem
from tests.server.calls import ARROW, LINES, chunking, lines, problem, served

if TYPE_CHECKING:
    from starlette.testclient import TestClient

zstd: Any = pytest.importorskip("backports.zstd", reason="needs the extra server")

LONG = {"text": "It rained. " * 200, "chunking": chunking("window", max_chars=100)}
SHORT = {"text": "It rained."}
JSON = "application/json"
UNPACK = {"gzip": gzip.decompress, "zstd": zstd.decompress}


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    """A service with a small limit of what is unpacked."""
    with served(max_unpacked=100_000) as found:
        yield found


def raw(client: TestClient, path: str, accepts: str, **options: Any) -> Any:
    """Ask, and return the answer as it was sent."""
    headers = {"Accept-Encoding": accepts, **options.pop("headers", {})}
    with client.stream("POST", path, headers=headers, **options) as answer:
        found: Any = answer
        found.sent = b"".join(answer.iter_raw())
        return found


@pytest.mark.parametrize(
    ("accepts", "coding"),
    [
        ("gzip, deflate, br, zstd", "zstd"),
        ("gzip, deflate", "gzip"),
        ("GZIP", "gzip"),
        ("x-gzip", "gzip"),
        ("zstd;q=0.5, gzip;q=0.8", "gzip"),
        ("zstd; q=1.0, gzip", "zstd"),
        ("*", "zstd"),
        ("zstd;q=0, *", "gzip"),
        ("identity;q=0.5, gzip;q=0.2", None),
        ("gzip;q=0", None),
        ("*;q=0", None),
        ("gzip;q=x", None),
        ("br", None),
        ("", None),
    ],
)
def test_a_coding_is_chosen_by_weight(accepts: str, coding: str | None) -> None:
    assert accepted_coding(accepts) == coding


@pytest.mark.parametrize("coding", ["gzip", "zstd"])
def test_an_answer_is_compressed(client: TestClient, coding: str) -> None:
    plain = client.post("/v1/chunk", json=LONG, headers={"Accept-Encoding": "identity"})
    answer = raw(client, "/v1/chunk", coding, json=LONG)
    assert plain.headers["vary"] == answer.headers["vary"] == "Accept-Encoding"
    assert "content-encoding" not in plain.headers
    assert answer.headers["content-encoding"] == coding
    assert int(answer.headers["content-length"]) == len(answer.sent) < len(plain.content) / 4
    assert UNPACK[coding](answer.sent) == plain.content


@pytest.mark.parametrize(
    ("asked", "accept"), [(SHORT, JSON), (LONG, ARROW), ({"text": 1}, JSON), ({}, JSON)]
)
def test_short_answers_and_other_kinds_go_as_they_are(
    client: TestClient, asked: Any, accept: str
) -> None:
    answer = raw(client, "/v1/chunk", "gzip, zstd", json=asked, headers={"Accept": accept})
    assert "content-encoding" not in answer.headers
    assert ("vary" in answer.headers) == (accept == JSON)


@pytest.mark.parametrize("coding", ["gzip", "zstd"])
@pytest.mark.parametrize("plain", ["identity;q=0", "*;q=0"])
def test_a_short_answer_is_compressed_for_who_takes_no_other(
    client: TestClient, coding: str, plain: str
) -> None:
    answer = raw(client, "/v1/chunk", f"{coding}, {plain}", json=SHORT)
    assert answer.headers["content-encoding"] == coding
    assert json.loads(UNPACK[coding](answer.sent))["chunks"][0]["text"] == SHORT["text"]


def test_codings_in_several_lines_are_one_list(client: TestClient) -> None:
    two = [("Accept-Encoding", "deflate"), ("Accept-Encoding", "gzip")]
    with client.stream("POST", "/v1/chunk", json=LONG, headers=two) as answer:
        assert answer.headers["content-encoding"] == "gzip"
    body = gzip.compress(json.dumps(SHORT).encode())
    for lines_ in ("identity", "gzip"), ("gzip", "identity"), ("gzip", "gzip"):
        headers = [("Content-Type", JSON), *(("Content-Encoding", each) for each in lines_)]
        answer = client.post("/v1/chunk", content=body, headers=headers)
        assert problem(answer) == (415, "unsupported_encoding", None)


@pytest.mark.parametrize("coding", ["gzip", "zstd"])
def test_each_part_of_a_stream_can_be_read_when_it_is_there(
    client: TestClient, coding: str
) -> None:
    given = {
        "content": lines(*[{"text": "It rained."}] * 3),
        "headers": {"Content-Type": LINES},
        "params": {"chunking": json.dumps(chunking("sentence", max_tokens=8))},
    }
    answer = raw(client, "/v1/chunk:batch", coding, **given)
    assert answer.headers["content-encoding"] == coding
    assert UNPACK[coding](answer.sent).count(b"\n") == 3


def test_a_part_is_whole_before_the_next_one() -> None:
    import asyncio

    from chunkwright.server.guard.compression import Compression

    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        del scope, receive
        headers = [(b"content-type", LINES.encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        for n in range(2):
            await send({"type": "http.response.body", "body": b"row\n", "more_body": True})
            reader = zlib.decompressobj(31)
            rows = reader.decompress(b"".join(each["body"] for each in sent[1:]))
            assert rows == b"row\n" * (n + 1)
        await send({"type": "http.response.body", "body": b""})

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "headers": [(b"accept-encoding", b"gzip")]}
    asyncio.run(Compression(app)(scope, None, send))  # type: ignore[arg-type]
    assert gzip.decompress(b"".join(each["body"] for each in sent[1:])) == b"row\nrow\n"


def test_a_tag_of_a_compressed_answer_is_a_weak_one(client: TestClient) -> None:
    headers = {"Accept-Encoding": "gzip"}
    answer = client.get("/assets/viewer.js", headers=headers)
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["etag"].startswith('W/"')
    again = client.get(
        "/assets/viewer.js", headers={**headers, "If-None-Match": answer.headers["etag"]}
    )
    assert again.status_code == 304


BODY = json.dumps(LONG).encode()
HALF = len(BODY) // 2


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", gzip.compress(BODY)),
        ("gzip", gzip.compress(BODY[:HALF]) + gzip.compress(b"") + gzip.compress(BODY[HALF:])),
        ("deflate", zlib.compress(BODY)),
        ("zstd", zstd.compress(BODY)),
        ("zstd", zstd.compress(BODY[:HALF]) + zstd.compress(BODY[HALF:])),
    ],
)
def test_a_compressed_body_is_read(client: TestClient, coding: str, body: bytes) -> None:
    headers = {"Content-Encoding": coding, "Content-Type": JSON}
    answer = client.post("/v1/chunk", content=body, headers=headers)
    assert answer.json() == client.post("/v1/chunk", json=LONG).json()


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        *(
            (coding, make(BODY)[:-9])
            for coding, make in (("gzip", gzip.compress), ("zstd", zstd.compress))
        ),
        *(
            (coding, make(BODY) + b"more")
            for coding, make in (("gzip", gzip.compress), ("zstd", zstd.compress))
        ),
        *((coding, b"no such thing") for coding in ("gzip", "zstd", "deflate")),
        ("gzip", gzip.compress(b"") * 10_001),
        (
            "zstd",
            zstd.compress(
                BODY,
                options={
                    zstd.CompressionParameter.window_log: 27,
                    zstd.CompressionParameter.content_size_flag: 0,
                },
            )[:40],
        ),
    ],
)
def test_a_damaged_body_is_refused(client: TestClient, coding: str, body: bytes) -> None:
    headers = {"Content-Encoding": coding, "Content-Type": JSON}
    answer = client.post("/v1/chunk", content=body, headers=headers)
    assert problem(answer) == (400, "damaged_body", None)


@pytest.mark.parametrize("coding", ["gzip", "zstd"])
def test_a_bomb_is_refused(client: TestClient, coding: str) -> None:
    pack = {"gzip": gzip.compress, "zstd": zstd.compress}[coding]
    for body in (pack(bytes(10**7)), pack(bytes(60_000)) * 2):
        headers = {"Content-Encoding": coding, "Content-Type": JSON}
        answer = client.post("/v1/chunk", content=body, headers=headers)
        assert problem(answer) == (413, "too_large", None)


@pytest.mark.cpu_seconds(20)
def test_many_members_take_no_long_time() -> None:
    body = gzip.compress(b"") * 9_000 + bytes(10**7)
    unpacking = Unpacking(body, "gzip")
    with pytest.raises(Problem):
        unpacking.step(1 << 22)


@pytest.mark.parametrize(
    "form", ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"]
)
@pytest.mark.parametrize("path", ["/v1/chunk", "/v1/read", "/v1/count", "/v1/preview"])
def test_a_body_of_another_kind_is_415(client: TestClient, path: str, form: str) -> None:
    answer = client.post(path, content=json.dumps(SHORT), headers={"Content-Type": form})
    assert problem(answer) == (415, "unsupported_body", None)
    assert JSON in answer.json()["error"]["message"]
