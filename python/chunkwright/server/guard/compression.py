"""Guard that compresses answers of texts, as a client accepts it: by Zstandard, or by gzip."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable
from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING, Any

from chunkwright.concurrency.daemon_threads import in_thread
from chunkwright.server.answers import JSON, LINES, weights_in
from chunkwright.server.guard.requests import App, Message, Receive, Scope, Send, header

if TYPE_CHECKING or sys.version_info < (3, 14):
    from backports.zstd import ZstdCompressor
else:
    from compression.zstd import ZstdCompressor

_LEAST = 1000
# From so many bytes on a thread does it.
_LONG = 1 << 18
# JSON of 22 kB becomes 7.4 kB in 0.06 ms, and in 0.1 ms by gzip; the next levels win 8 % in twice
# the time.
_ZSTD_LEVEL, _GZIP_LEVEL = 1, 2
_GZIP_WINDOW = 31
# Kinds that are text, beside text/*. Arrow and ZIP have compression of their own.
_TEXTS = frozenset({JSON, LINES, "application/javascript"})


class Compression:
    """Compresses answers that are texts of a kilobyte or more, and streams of them part by part.

    What is compressed already, or has another encoding, goes as it is.

    Parameters
    ----------
    app
        What stands behind the guard.
    """

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have a request answered, compressed if its client takes that."""
        if scope["type"] == "http":
            accepts = header(scope, b"accept-encoding") or ""
            coding = None if scope["method"] == "HEAD" else accepted_coding(accepts)
            send = _Sender(send, coding, 1 if refuses_plain(accepts) else _LEAST).send
        await self._app(scope, receive, send)


# Clients send the same header again and again.
@lru_cache(maxsize=64)
def accepted_coding(accepts: str) -> str | None:
    """Return the coding that a client likes best of those that there are; None for none.

    Examples
    --------
    >>> accepted_coding("gzip, deflate, zstd"), accepted_coding("zstd;q=0.5, gzip")
    ('zstd', 'gzip')
    >>> accepted_coding("*;q=0.1"), accepted_coding("identity, gzip;q=0"), accepted_coding("")
    ('zstd', None, None)
    """
    weights = dict(weights_in(accepts))
    weights.setdefault("gzip", weights.get("x-gzip", weights.get("*", 0)))
    weights.setdefault("zstd", weights.get("*", 0))
    best = max(_CODINGS, key=lambda name: weights[name])
    is_liked = weights[best] > 0 and weights[best] >= weights.get("identity", 0)
    return best if is_liked else None


def refuses_plain(accepts: str) -> bool:
    """Return whether a client takes no answer that is not compressed, however short it is.

    Examples
    --------
    >>> refuses_plain("gzip, identity;q=0"), refuses_plain("gzip, *;q=0"), refuses_plain("gzip")
    (True, True, False)
    """
    weights = weights_in(accepts)
    return weights.get("identity", weights.get("*", 1)) <= 0


class _Sender:
    """Sends the messages of an answer, compressed or as they are."""

    def __init__(self, send: Send, coding: str | None, least: int) -> None:
        self._send = send
        self._coding = coding
        self._least = least
        self._start: Message | None = None
        self._encoder: _Encoder | None = None

    async def send(self, message: Message) -> None:
        """Send a message; the first waits for the second, which says how much there is."""
        if message["type"] == "http.response.start" and _is_text(message):
            self._start = message
            return
        if message["type"] != "http.response.body":
            await self._send(message)
            return
        if self._start is not None:
            start, self._start = self._start, None
            await self._send(await self._begun(start, message))
        await self._send(message if self._encoder is None else self._encoder.encoded(message))

    async def _begun(self, start: Message, body: Message) -> Message:
        """Return the beginning of an answer of text: caches know that it may be another one."""
        headers = [*start.get("headers", []), (b"vary", b"Accept-Encoding")]
        if self._coding is not None and _size_of(start, body) >= self._least:
            self._encoder = _Encoder(_CODINGS[self._coding]())
            headers = [each for each in headers if each[0] != b"content-length"]
            headers.append((b"content-encoding", self._coding.encode()))
            if not body.get("more_body", False):
                body["body"] = await self._encoder.whole(body.get("body", b""))
                self._encoder = None
                headers.append((b"content-length", str(len(body["body"])).encode()))
        return {**start, "headers": headers}


class _Encoder:
    """Compresses an answer part by part; each part can be read when it is there."""

    def __init__(self, codec: Any) -> None:
        self._codec = codec

    async def whole(self, body: bytes) -> bytes:
        """Return all of a body; other requests go on while a long one is compressed."""

        def made() -> bytes:
            return bytes(self._codec.compress(body) + self._codec.end())

        return made() if len(body) < _LONG else await in_thread(made)

    def encoded(self, message: Message) -> Message:
        """Return a message of a body, compressed."""
        body = self._codec.compress(message.get("body", b""))
        last = not message.get("more_body", False)
        body += self._codec.end() if last else self._codec.pushed()
        return {**message, "body": bytes(body)}


class _Zstd:
    def __init__(self) -> None:
        self._codec = ZstdCompressor(level=_ZSTD_LEVEL)

    def compress(self, data: bytes) -> bytes:
        return self._codec.compress(data)

    def pushed(self) -> bytes:
        return self._codec.flush(ZstdCompressor.FLUSH_BLOCK)

    def end(self) -> bytes:
        return self._codec.flush(ZstdCompressor.FLUSH_FRAME)


class _Gzip:
    def __init__(self) -> None:
        self._codec = zlib.compressobj(_GZIP_LEVEL, wbits=_GZIP_WINDOW)

    def compress(self, data: bytes) -> bytes:
        return self._codec.compress(data)

    def pushed(self) -> bytes:
        return self._codec.flush(zlib.Z_SYNC_FLUSH)

    def end(self) -> bytes:
        return self._codec.flush(zlib.Z_FINISH)


# The first is taken where a client likes both as much.
_CODINGS: dict[str, Callable[[], Any]] = {"zstd": _Zstd, "gzip": _Gzip}


def _is_text(start: Message) -> bool:
    """Return whether an answer is a text that is not encoded yet."""
    headers = dict(start.get("headers", []))
    media_type = headers.get(b"content-type", b"").decode("latin-1").partition(";")[0]
    media_type = media_type.strip().lower()
    is_text = media_type.startswith("text/") or media_type in _TEXTS or media_type.endswith("+json")
    return is_text and b"content-encoding" not in headers


def _size_of(start: Message, body: Message) -> float:
    """Return how long an answer will be; of a stream nobody knows."""
    length = dict(start.get("headers", [])).get(b"content-length")
    if length is not None:
        return int(length)
    return inf if body.get("more_body", False) else len(body.get("body", b""))
