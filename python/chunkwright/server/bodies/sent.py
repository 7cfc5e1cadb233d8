"""Sender of what a service gives to addresses that requests name, by the rules of the fetcher."""

from __future__ import annotations

from collections.abc import Mapping

from chunkwright.errors import ReadError
from chunkwright.server.bodies.addresses import checked_headers, checked_place
from chunkwright.server.bodies.fetched import FAILURES, kind_of_failure, requesting
from chunkwright.server.settings import Settings

_GOOD = range(200, 300)


def sent(  # noqa: PLR0913 - a request, all by name
    url: str,
    body: bytes,
    settings: Settings,
    headers: Mapping[str, str],
    *,
    method: str = "POST",
    seconds: float | None = None,
    field: str = "url",
) -> None:
    """Send a body to an address; redirects are not followed.

    Parameters
    ----------
    url
        The address, of a host that :func:`fetched` would ask.
    body
        What is sent.
    settings
        The hosts, and the time.
    headers
        Headers to send.
    method
        That of HTTP.
    seconds
        How long it may take; None: as long as the work for a request.
    field
        Where the request says the address.

    Raises
    ------
    Problem
        If the address may not be asked for (422).
    ReadError
        If it is not taken there; names the host.
    """
    place = checked_place(url, settings, field=field)
    given = {
        "User-Agent": "chunkwright",
        **checked_headers(headers, field),
        "Host": place.host_header,
        "Connection": "close",
    }
    limit = settings.timeout if seconds is None else seconds
    try:
        with requesting(
            place, settings, limit, method=method, headers=given, body=body, field=field
        ) as (client, request):

            def status() -> int:
                with client.opened(request) as answer:
                    found: int = answer.status_code
                    return found

            code = client.in_time(request, status)
    except FAILURES as error:
        said = f"{place.host}: nothing can be sent there ({kind_of_failure(error)})"
        raise ReadError(said) from error
    if code not in _GOOD:
        raise ReadError(f"{place.host}: it answers with the status {code}")
