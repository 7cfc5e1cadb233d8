"""Hostile requests, made anew from a number: heads, bodies, files and addresses that do harm."""

from __future__ import annotations

import base64
import gzip
import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from tests.server.hostile_files import FILES, SECRET, file_of

Maker: TypeAlias = Callable[[random.Random], bytes]

HEAD = b"%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s\r\n"
_TYPE = b"Content-Type: %s\r\nContent-Length: %d\r\n"
_ROUTES: tuple[str, ...] = (
    "/v1/chunk",
    "/v1/preview",
    "/v1/count",
    "/v1/read",
    "/v1/compare",
    "/v1/search",
)
_FORMS = ("/v1/convert/file", "/v1/chunk/hybrid/file", "/general/v0/general")
_KINDS = ("pdf", "docx", "html", "markdown", "json", "yaml", "elements", "docling", None)
_STRATEGIES = ("recursive", "sentence", "balanced", "window", "cluster", "json", "markdown", "nope")
PATHS: tuple[str, ...] = (
    "../../etc/passwd",
    "/etc/passwd",
    "..\\..\\win.ini",
    "a\0b",
    ".",
    "..",
    "",
    "~/.ssh/id",
)
PATHS += ("%2e%2e%2fetc", "x" * 3000, "/proc/self/environ", "\ud800.txt", "/dev/zero", "CON")
URLS: tuple[str, ...] = (
    "file:///etc/passwd",
    "http://127.0.0.1/",
    "http://[::1]/",
    "http://0/",
    "http://2130706433/",
)
URLS += ("http://169.254.169.254/latest/meta-data/", "http://user@127.0.0.1:80@example.org/")
URLS += (
    "gopher://127.0.0.1:6379/_x",
    "data:text/html,x",
    "//127.0.0.1/x",
    "http://example.org\\@a/",
)
URLS += (
    "unix:///var/run/docker.sock",
    "http://[::ffff:169.254.169.254]/",
    "http://\ud800/",
    "http://",
)
_ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 2**31, 2**63, 2**64, -(2**63) - 1, 10**400, 1e308, -0.0, 0.1),
    *(float("nan"), float("inf"), "", "\0", "\ud800", "\u202e", "x" * 5000, "1e9", "../..", "{}"),
    *([], [[]], {}, {"": {}}, [None] * 50, {"a" * 300: 1}, {"\ud800": 1}, {"__class__": "x"}),
)


class Hostile(NamedTuple):
    """A request, and whether it has an end: a service may wait for one that has none."""

    data: bytes
    is_whole: bool


def requests(number: int, n: int) -> Iterator[Hostile]:
    """Make hostile requests, the same ones for the same number."""
    chance = random.Random(number)
    for _ in range(n):
        maker = chance.choice(_MAKERS)
        yield Hostile(maker(chance), is_whole=maker is not _head)


def request(path: str, body: bytes, kind: str = "application/json", more: bytes = b"") -> bytes:
    """Return a request with a body."""
    head = HEAD % (b"POST", path.encode(), _TYPE % (kind.encode(), len(body)) + more)
    return head + body


def _damaged(chance: random.Random, data: bytes) -> bytes:
    """Return bytes with some flipped, left out, repeated or put in."""
    found = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at, n = chance.randrange(len(found) + 1), chance.choice((1, 1, 2, 8, 64))
        match chance.randrange(5):
            case 0:
                found[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                del found[at : at + n]
            case 2:
                found[at:at] = found[at : at + n]
            case 3:
                found[at:at] = chance.choice((b"\0", b"\r\n", b"\r", b"\n\n", b"\xff\xfe", b": "))
            case _:
                del found[at:]
    return bytes(found)


def _head(chance: random.Random) -> bytes:
    return _damaged(chance, request("/v1/chunk", json.dumps({"text": SECRET}).encode()))


def _path(chance: random.Random) -> bytes:
    parts: tuple[bytes, ...] = (
        b"/",
        b"..",
        b"%2e%2e",
        b"%00",
        b"%ff",
        b"v1",
        b"chunk",
        b"health",
        b"\\",
        b"*",
        b"?",
    )
    parts += (b"#", b";", b"//localhost", b"%2f", b":", b"etc/passwd", b"%0d%0aX-A:%20b", b"docs")
    path = b"/" + b"".join(chance.choices(parts, k=chance.randint(1, 8)))
    method = chance.choice((b"GET", b"POST", b"HEAD", b"OPTIONS", b"PUT", b"DELETE", b"TRACE"))
    return HEAD % (method, path, b"")


def _value(chance: random.Random, depth: int = 0) -> Any:
    if depth > 3 or chance.random() < 0.6:
        return chance.choice(_ODD)
    if chance.random() < 0.5:
        return [_value(chance, depth + 1) for _ in range(chance.randrange(4))]
    keys = ("text", "type", "metadata", "strategy", "options", "max_tokens", "pattern", "$ref")
    return {chance.choice(keys): _value(chance, depth + 1) for _ in range(chance.randrange(4))}


def _fields(chance: random.Random) -> bytes:
    names: tuple[str, ...] = (
        "text",
        "texts",
        "elements",
        "docling",
        "data",
        "kind",
        "name",
        "id",
        "metadata",
        "pages",
    )
    names += (
        "password",
        "attachments",
        "chunking",
        "shadows",
        "tokenizer",
        "a",
        "b",
        "query",
        "k",
        "format",
    )
    asked: dict[str, Any] = {"text": SECRET} if chance.random() < 0.7 else {}
    for name in chance.sample(names, chance.randint(1, 4)):
        asked[name] = _value(chance)
    return request(chance.choice(_ROUTES), json.dumps(asked).encode())


def _options(chance: random.Random) -> bytes:
    names: tuple[str, ...] = (
        "max_tokens",
        "max_chars",
        "overlap",
        "tokenizer",
        "embedder",
        "separators",
        "language",
    )
    names += ("min_size", "soft_max", "threshold", "window", "nope", "\ud800")
    options = {name: _value(chance) for name in chance.sample(names, chance.randint(1, 3))}
    chunking = {"strategy": chance.choice(_STRATEGIES), "options": options}
    asked = {"text": SECRET * chance.choice((1, 1, 50)), "chunking": chunking}
    return request(chance.choice(_ROUTES), json.dumps(asked).encode())


def _json(chance: random.Random) -> bytes:
    n = chance.choice((10, 1000, 100_000))
    bodies: tuple[bytes, ...] = (
        b'{"text":' + b"[" * n,
        b'{"text":"a","metadata":' + b'{"a":' * n + b"1" + b"}" * n + b"}",
        b'{"elements":[' + b"{}," * min(n, 1000) + b"{}]}",
        b'{"text":"a","metadata":{"x":%s}}' % (b"9" * n),
        b'{"text":"a","metadata":{"x":1e%s}}' % (b"9" * min(n, 1000)),
        b"{" + b'"text":"%s",' % SECRET.encode() * min(n, 1000) + b'"text":"b"}',
        b'{"text":"\\ud83d\\ude00\\ud83d"}',
        b'{"text":"%s' % SECRET.encode(),
        b'{"text":"\xff\xfe\x80"}',
        b"\xef\xbb\xbf{}",
        b"\xff\xfe{\0}\0",
        b"null",
        b"\0" * min(n, 1000),
    )
    return request(chance.choice(_ROUTES), chance.choice(bodies))


@cache
def _packed_body(number: int) -> bytes:
    plain = b'{"text":"%s"}' % SECRET.encode() if number else b" " * (30 << 20)
    return gzip.compress(plain, 9)


def _file(chance: random.Random) -> bytes:
    data = file_of(chance.randrange(len(FILES)))
    if chance.random() < 0.5:
        data = _damaged(chance, data)
    asked: dict[str, Any] = {"data": base64.b64encode(data).decode()}
    if (kind := chance.choice(_KINDS)) is not None:
        asked["kind"] = kind
    if chance.random() < 0.3:
        asked["pages"] = chance.choice(("1", "0", "9-1", "1-99999999999", "-", "a", "1,,2"))
    return request(chance.choice(("/v1/chunk", "/v1/read")), json.dumps(asked).encode())


def _form(chance: random.Random) -> bytes:
    names: tuple[bytes, ...] = (b"files", b"file", b"options", b"chunking_max_tokens", b"\xff", b"")
    parts = b"".join(
        b'--b\r\nContent-Disposition: form-data; name="%s"; filename="%s"\r\n'
        b"Content-Type: %s\r\n\r\n%s\r\n"
        % (
            chance.choice(names),
            chance.choice(PATHS).encode("utf-8", "replace").replace(b"\0", b"%00"),
            chance.choice((b"text/plain", b"application/pdf", b"", b"text/html; charset=utf-7")),
            file_of(chance.randrange(len(FILES))),
        )
        for _ in range(chance.randint(0, 3))
    )
    body = parts + chance.choice((b"--b--\r\n", b"--b", b"", b"--c--\r\n"))
    if chance.random() < 0.5:
        body = _damaged(chance, body)
    kinds = ("multipart/form-data; boundary=b", "multipart/form-data", "text/plain")
    kind = chance.choice((kinds[0], *kinds))
    return request(chance.choice(_FORMS), body, kind)


def _packed(chance: random.Random) -> bytes:
    body = _packed_body(chance.randrange(2))
    if chance.random() < 0.5:
        body = _damaged(chance, body)
    coding = chance.choice((b"gzip", b"gzip", b"deflate", b"br", b"gzip, gzip", b"x", b"GZIP"))
    return request("/v1/chunk", body, more=b"Content-Encoding: %s\r\n" % coding)


def _stream(chance: random.Random) -> bytes:
    rows = [_value(chance) if chance.random() < 0.5 else {"text": SECRET} for _ in range(4)]
    body = b"\n".join(json.dumps(row).encode() for row in rows)
    if chance.random() < 0.3:
        body = _damaged(chance, body)
    kinds = ("application/x-ndjson", "application/vnd.apache.arrow.stream", "text/plain")
    queries = ("", "?chunking=%7B", "?chunking=null", "?chunking=%7B%22strategy%22%3A%22nope%22%7D")
    more = b"Content-Encoding: gzip\r\n" if chance.random() < 0.2 else b""
    path = "/v1/chunk:batch" + chance.choice(queries)
    return request(path, body, chance.choice((kinds[0], *kinds)), more)


def _task(chance: random.Random) -> bytes:
    ids = ("0", "nope", "..", "%00", "%ff", "a" * 500, "00000000-0000-0000-0000-000000000000")
    paths: tuple[str, ...] = (
        "/v1/tasks/%s",
        "/v1/tasks/%s/result",
        "/v1/status/poll/%s?wait=0",
        "/v1/result/%s",
    )
    paths += ("/v1/cite/%s", "/v1/status/poll/%s?wait=nan", "/v1/tasks/%s?wait=-1")
    path = chance.choice(paths) % chance.choice(ids)
    return HEAD % (chance.choice((b"GET", b"DELETE")), path.encode(), b"")


def _place(chance: random.Random) -> bytes:
    way, places = chance.choice((("path", PATHS), ("url", URLS)))
    asked = {way: chance.choice(places)}
    return request(chance.choice(("/v1/chunk", "/v1/read")), json.dumps(asked).encode())


def _source(chance: random.Random) -> bytes:
    source = {"kind": "http", "url": chance.choice(URLS), "headers": {"X\r\nA": "b"}}
    asked = {"sources": [source], "http_sources": _value(chance)}
    return request("/v1/convert/source", json.dumps(asked).encode())


_MAKERS: tuple[Maker, ...] = (
    *(_head, _head, _path, _fields, _fields, _options, _options, _json),
    *(_file, _file, _form, _form, _packed, _place, _source, _stream, _task),
)
