"""Fetcher of files that requests name addresses of: from allowed hosts, and never from inside."""

from __future__ import annotations

import http.client
import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from functools import cache
from threading import Event, Timer
from time import monotonic
from urllib.parse import urljoin

from chunkwright.errors import ReadError
from chunkwright.server.bodies.addresses import (
    Place,
    checked_headers,
    checked_place,
    public_address,
)
from chunkwright.server.bodies.uploads import unpacked
from chunkwright.server.problems import too_large
from chunkwright.server.settings import Settings

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MOST_REDIRECTS = 5
_PART = 1 << 16
_OK = 200


def fetched(
    url: str, settings: Settings, headers: Mapping[str, str] | None = None, *, field: str = "url"
) -> bytes:
    """Return the file at an address.

    The host is one of ``settings.url_hosts``; all addresses that its name leads to are public ones,
    and one of these is connected to, so that the name cannot lead elsewhere meanwhile. Proxies of
    the environment are not asked. A redirect is followed to the same host alone.

    Parameters
    ----------
    url
        The address.
    settings
        The hosts, and the limits: ``max_unpacked`` bytes, ``timeout`` seconds.
    headers
        Headers to send.
    field
        Where the request says the address.

    Raises
    ------
    Problem
        If the address may not be asked for (422), or the file is too large (413).
    ReadError
        If the file cannot be fetched; names the host.
    """
    place = checked_place(url, settings, field=field)
    given = checked_headers(headers or {}, field)
    deadline = monotonic() + settings.timeout
    for _ in range(_MOST_REDIRECTS + 1):
        found = _asked(place, given, deadline, settings.max_unpacked, field)
        if isinstance(found, bytes):
            return found
        place = _redirected(place, found, settings, field)
    raise ReadError(f"{place.host}: it redirects more than {_MOST_REDIRECTS} times")


def _redirected(place: Place, location: str, settings: Settings, field: str) -> Place:
    base = f"{place.scheme}://{place.host_header}{place.path}"
    new = checked_place(urljoin(base, location), settings, field=field)
    is_upgrade = (place.scheme, new.scheme) == ("http", "https")
    is_same = (place.scheme, place.port) == (new.scheme, new.port)
    if new.host != place.host or not (is_same or is_upgrade):
        raise ReadError(f"{place.host}: it redirects to another place, which is not followed")
    return new


def _asked(
    place: Place, headers: Mapping[str, str], deadline: float, most: int, field: str
) -> bytes | str:
    """Return the file, or where the host says that it is."""
    address = public_address(place, field)
    try:
        with _connected(place, address, deadline) as connection:
            connection.request("GET", place.path, headers=_sent(place, headers))
            with closing(connection.getresponse()) as response:
                return _answered(response, place, most, field)
    except (OSError, http.client.HTTPException, ValueError) as error:
        kind = type(error).__name__
        raise ReadError(f"{place.host}: the file cannot be fetched ({kind})") from error


def _answered(
    response: http.client.HTTPResponse, place: Place, most: int, field: str
) -> bytes | str:
    location = response.getheader("location")
    if response.status in _REDIRECTS and location:
        return location
    if response.status != _OK:
        raise ReadError(f"{place.host}: it answers with the status {response.status}")
    body = _body(response, most, field)
    return _plain(body, response.getheader("content-encoding"), place, most)


def _sent(place: Place, headers: Mapping[str, str]) -> dict[str, str]:
    own = {"Host": place.host_header, "Accept-Encoding": "gzip", "Connection": "close"}
    agent = (
        {}
        if any(name.lower() == "user-agent" for name in headers)
        else {"User-Agent": "chunkwright"}
    )
    return {**agent, **headers, **own}


@contextmanager
def _connected(place: Place, address: str, deadline: float) -> Iterator[http.client.HTTPConnection]:
    """Connect to an address, as the host that was asked for, until the time is up."""
    seconds = deadline - monotonic()
    if seconds <= 0:
        raise TimeoutError
    line = socket.create_connection((address, place.port), timeout=seconds)
    with closing(line), _cut_off(line, seconds) as is_late:
        if place.scheme == "https":
            line = _certificates().wrap_socket(line, server_hostname=place.host)
        with closing(line), closing(http.client.HTTPConnection(place.host, place.port)) as made:
            made.sock = line
            yield made
        if is_late.is_set():
            # What was cut off may look like a whole answer whose length nobody said.
            raise TimeoutError


@contextmanager
def _cut_off(line: socket.socket, seconds: float) -> Iterator[Event]:
    """End a connection when its time is up: who waits for a byte of it goes on at once."""
    is_late = Event()
    # TLS takes the socket's place, but the connection is the same.
    twin = line.dup()

    def end() -> None:
        is_late.set()
        with suppress(OSError):
            twin.shutdown(socket.SHUT_RDWR)

    timer = Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield is_late
    finally:
        timer.cancel()
        timer.join()
        twin.close()


def _body(response: http.client.HTTPResponse, most: int, field: str) -> bytes:
    body = bytearray()
    while part := response.read(_PART):
        body += part
        if len(body) > most:
            raise too_large("the file at the address", most, field=field)
    if response.length:
        raise http.client.IncompleteRead(b"", response.length)
    return bytes(body)


def _plain(body: bytes, encoding: str | None, place: Place, most: int) -> bytes:
    coding = (encoding or "identity").strip().lower()
    if coding in {"gzip", "x-gzip"}:
        return unpacked(body, most)
    if coding != "identity":
        raise ReadError(f"{place.host}: it answers in the encoding {coding[:40]!r}")
    return body


@cache
def _certificates() -> ssl.SSLContext:
    """Return whom to trust."""
    return ssl.create_default_context()
