"""HTTP clients that bound an answer: its time, its size, and the server that it comes from."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from email.utils import parsedate_to_datetime
from functools import cache
from threading import Lock, Timer
from time import time
from typing import Any, Self, TypeVar

import httpx2

# A server may add a slash to the path, or change http to https; more redirects are a loop.
_MAX_REDIRECTS = 5
# The library bounds each step of one decompression, but not what nested ones make of it.
_MAX_CODINGS = 1
# The library's name of the step after which there is a connection ends so.
_CONNECTED = "connect_tcp.complete"
_PORTS = {"http": 80, "https": 443}
# How long a busy server may ask to be left alone; what is longer, a provider's library may obey.
_LONGEST_WAITS = {"retry-after": 120.0, "retry-after-ms": 120_000.0}


T = TypeVar("T")


class TimedClient(httpx2.Client):
    """A client for one request at a time, over one connection that ends when its time is over.

    Parameters
    ----------
    timeout
        Seconds from the beginning of a request to the last byte that is read. The name of the
        server is looked up by the system, which has its own limit.
    options
        Further ones of ``httpx2.Client``.
    """

    def __init__(self, timeout: float, **options: Any) -> None:
        # Connections are not shared: cutting one off ends one request.
        limits = httpx2.Limits(max_connections=1, max_keepalive_connections=1)
        super().__init__(timeout=timeout, limits=limits, **options)
        self._seconds = timeout
        self._line: socket.socket | None = None
        self._clock = _Clock(timeout, self._cut_off)

    def in_time(self, request: httpx2.Request, read: Callable[[], T]) -> T:
        """Return what is read of the answers to a request, if that is done in time.

        Raises
        ------
        httpx2.ReadTimeout
            If it is not.
        httpx2.RequestError
            If there is no answer.
        """
        self._clock = clock = _Clock(self._seconds, self._cut_off)
        try:
            with clock:
                answer = read()
        except httpx2.TransportError as error:
            if clock.is_over:
                raise self._too_late(request) from error
            raise
        # An answer whose length nobody said ends where its connection does.
        if clock.is_over:
            raise self._too_late(request)
        return answer

    @contextmanager
    def opened(self, request: httpx2.Request, **options: Any) -> Iterator[httpx2.Response]:
        """Give the answer to a request, also if it is a redirect; its body is still to be read."""
        request.extensions["trace"] = self._note
        sent = super().send(request, **{**options, "stream": True, "follow_redirects": False})
        with closing(sent):
            yield sent

    def close(self) -> None:
        """Close the connection."""
        super().close()
        self._let_go()

    def _note(self, event: str, info: Mapping[str, Any]) -> None:
        """Keep hold of a connection that has been made.

        The socket itself is nobody's while TLS is agreed on, and closed by who reads from it.
        """
        if event.endswith(_CONNECTED):
            self._let_go()
            self._line = info["return_value"].get_extra_info("socket").dup()
            # The clock may have rung while there was nothing to cut off.
            if self._clock.is_over:
                self._cut_off()

    def _cut_off(self) -> None:
        """End the connection: who waits for a byte of it goes on at once."""
        # The clock's thread may be here while the other one lets go.
        line = self._line
        if line is not None:
            # The server may have ended it.
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def _let_go(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None

    def _too_late(self, request: httpx2.Request) -> httpx2.ReadTimeout:
        return httpx2.ReadTimeout(f"no whole answer in {self._seconds:g} s", request=request)


class BoundedClient(TimedClient):
    """A client that reads an answer whole, within bounds, from the server that it asked.

    Parameters
    ----------
    timeout
        As for :class:`TimedClient`, redirects included.
    max_bytes
        How large the body of an answer may be, as it is after decompression.
    refused
        The error of an answer that is not read any further: one that a provider's library does
        not take for a reason to ask again.
    """

    def __init__(self, timeout: float, max_bytes: int, refused: type[Exception]) -> None:
        super().__init__(timeout, verify=_certificates())
        self._max_bytes = max_bytes
        self._refused = refused

    def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Send a request and read its answer.

        Raises
        ------
        refused
            If the answer is too large, or redirects to another server.
        httpx2.ReadTimeout
            If it is not there in time.
        httpx2.RequestError
            If there is none.
        """
        return self.in_time(request, lambda: self._answer(request, options))

    def _answer(self, request: httpx2.Request, options: Mapping[str, Any]) -> httpx2.Response:
        """Send a request wherever its own server redirects it."""
        for _ in range(_MAX_REDIRECTS + 1):
            with self.opened(request, **options) as sent:
                if sent.next_request is None:
                    return self._whole(sent)
                self._check_redirect(request.url, sent.next_request.url)
                request = sent.next_request
        raise self._refused(f"it redirects more than {_MAX_REDIRECTS} times")

    def _check_redirect(self, old: httpx2.URL, new: httpx2.URL) -> None:
        """Refuse another server, which would be given the texts, if not the key."""
        is_upgrade = (_origin(old), _origin(new)) == (
            ("http", old.host, _PORTS["http"]),
            ("https", old.host, _PORTS["https"]),
        )
        if _origin(new) != _origin(old) and not is_upgrade:
            scheme, host, port = _origin(new)
            raise self._refused(
                f"it redirects to another server, {scheme[:9]}://{host[:99]}:{port}"
            )

    def _whole(self, sent: httpx2.Response) -> httpx2.Response:
        """Return an answer with all its body."""
        codings = sent.headers.get_list("content-encoding", split_commas=True)
        if len(codings) > _MAX_CODINGS:
            raise self._refused("its answer is compressed more than once")
        body = bytearray()
        for part in sent.iter_bytes():
            body += part
            if len(body) > self._max_bytes:
                raise self._refused(f"its answer is larger than {self._max_bytes:,} bytes")
        # What is said of the body as it was sent is not true of this one.
        plain = [
            (name, value)
            for name, value in sent.headers.multi_items()
            if name not in {"content-encoding", "content-length", "transfer-encoding"}
            and not _is_too_long(name, value)
        ]
        return httpx2.Response(
            sent.status_code, headers=plain, content=bytes(body), request=sent.request
        )


class _Clock:
    """Does something when a time is over, unless what it stands around has ended before."""

    def __init__(self, seconds: float, work: Callable[[], None]) -> None:
        self.is_over = False
        self._is_stopped = False
        self._work = work
        self._lock = Lock()
        self._timer = Timer(seconds, self._ring)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._timer.cancel()
        # It may be ringing: what it ends must not be the next one's.
        with self._lock:
            self._is_stopped = True

    def _ring(self) -> None:
        with self._lock:
            if not self._is_stopped:
                self.is_over = True
                self._work()


def _is_too_long(name: str, value: str) -> bool:
    """Return whether a header asks to wait for longer than anybody would."""
    longest = _LONGEST_WAITS.get(name)
    if longest is None:
        return False
    with suppress(ValueError):
        return not float(value) <= longest
    with suppress(ValueError, OverflowError):
        return parsedate_to_datetime(value).timestamp() - time() > longest
    return False


@cache
def _certificates() -> ssl.SSLContext:
    """Return whom to trust; to read that takes longer than all else that a client needs."""
    return httpx2.create_ssl_context()


def _origin(url: httpx2.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port or _PORTS.get(url.scheme)
