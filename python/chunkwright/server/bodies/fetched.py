"""Fetcher of files that requests name addresses of: from allowed hosts, and never from inside."""

from __future__ import annotations

import ssl
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache
from time import monotonic
from urllib.parse import urljoin

import httpx2

from chunkwright.errors import ReadError
from chunkwright.http.bounded import TimedClient
from chunkwright.server.bodies.addresses import (
    Place,
    checked_address,
    checked_headers,
    checked_place,
    in_brackets,
)
from chunkwright.server.bodies.uploads import unpacked
from chunkwright.server.problems import too_large
from chunkwright.server.settings import Settings

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MOST_REDIRECTS = 5
_OK = 200
# Least seconds for a request after a redirect: where none are left, it says so.
_LEAST_SECONDS = 1e-3


def fetched(
    url: str, settings: Settings, headers: Mapping[str, str] | None = None, *, field: str = "url"
) -> bytes:
    """Return the file at an address.

    The host is one of ``settings.url_hosts``. All addresses that its name leads to are public ones,
    or private ones if it is one of ``settings.private_hosts``; one of these is connected to, so
    that the name cannot lead elsewhere meanwhile. Proxies of the environment are not asked. A
    redirect is followed to the same host alone.

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
        found = _asked(place, given, deadline, settings, field)
        if isinstance(found, bytes):
            return found
        place = _redirected(place, found, settings, field)
    raise ReadError(f"{place.host}: it redirects more than {_MOST_REDIRECTS} times")


def _redirected(place: Place, location: str, settings: Settings, field: str) -> Place:
    base = f"{place.scheme}://{place.host_header}{place.path}"
    try:
        url = urljoin(base, location)
    except ValueError:
        raise ReadError(f"{place.host}: it redirects to what is no address") from None
    new = checked_place(url, settings, field=field)
    is_upgrade = (place.scheme, new.scheme) == ("http", "https")
    is_same = (place.scheme, place.port) == (new.scheme, new.port)
    if new.host != place.host or not (is_same or is_upgrade):
        raise ReadError(f"{place.host}: it redirects to another place, which is not followed")
    return new


def _asked(
    place: Place, headers: Mapping[str, str], deadline: float, settings: Settings, field: str
) -> bytes | str:
    """Return the file, or where the host says that it is."""
    seconds = max(deadline - monotonic(), _LEAST_SECONDS)
    try:
        with requesting(place, settings, seconds, headers=_sent(place, headers), field=field) as (
            client,
            request,
        ):
            most = settings.max_unpacked
            return client.in_time(request, lambda: _answered(client, request, place, most, field))
    except FAILURES as error:
        said = f"{place.host}: the file cannot be fetched ({kind_of_failure(error)})"
        raise ReadError(said) from error


FAILURES = (OSError, httpx2.HTTPError, httpx2.InvalidURL, ValueError)
"""What goes wrong with a connection."""


@contextmanager
def requesting(  # noqa: PLR0913 - a request, all by name
    place: Place,
    settings: Settings,
    seconds: float,
    *,
    method: str = "GET",
    headers: Mapping[str, str],
    body: bytes | None = None,
    field: str,
) -> Iterator[tuple[TimedClient, httpx2.Request]]:
    """Give a client, and a request to an address of a host that has been checked.

    Parameters
    ----------
    place
        Where it leads.
    settings
        Whose private hosts may be asked.
    seconds
        How long it may take.
    method
        That of HTTP.
    headers
        Headers to send.
    body
        What is sent.
    field
        Where the request that names it says so.

    Raises
    ------
    Problem
        If the host leads into the service's own network.
    ReadError
        If there is no such host.
    """
    address = checked_address(place, settings, field)
    with closing(TimedClient(seconds, verify=_certificates(), trust_env=False)) as client:
        # Connect to the address that was checked: the name may resolve to another one by now.
        request = client.build_request(
            method,
            f"{place.scheme}://{in_brackets(address)}:{place.port}/",
            headers=dict(headers),
            content=body,
            extensions={"sni_hostname": place.host, "target": place.path.encode()},
        )
        yield client, request


def kind_of_failure(error: BaseException) -> str:
    """Return the name of an error, or of the system's error that it comes from."""
    if isinstance(error, httpx2.TimeoutException):
        return TimeoutError.__name__
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, OSError):
        cause = cause.__cause__ or cause.__context__
    return type(cause or error).__name__


def _answered(
    client: TimedClient, request: httpx2.Request, place: Place, most: int, field: str
) -> bytes | str:
    with client.opened(request) as answer:
        location = answer.headers.get("location")
        if answer.status_code in _REDIRECTS and location:
            return location
        if answer.status_code != _OK:
            raise ReadError(f"{place.host}: it answers with the status {answer.status_code}")
        body = bytearray()
        for part in answer.iter_raw():
            body += part
            if len(body) > most:
                raise too_large("the file at the address", most, field=field)
    return _plain(bytes(body), answer.headers.get("content-encoding"), place, most)


def _sent(place: Place, headers: Mapping[str, str]) -> dict[str, str]:
    own = {"Host": place.host_header, "Accept-Encoding": "gzip", "Connection": "close"}
    agent = (
        {}
        if any(name.lower() == "user-agent" for name in headers)
        else {"User-Agent": "chunkwright"}
    )
    return {**agent, **headers, **own}


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
