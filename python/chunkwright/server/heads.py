"""Heads of requests: what a parser lets through and a service must not, since others read it so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

Headers: TypeAlias = Sequence[tuple[bytes, bytes]]

_OF_UPGRADES = frozenset({b"upgrade", b"http2-settings"})


class BadHeadError(ValueError):
    """The head of a request is wrong; the message is sent to its client."""


def check_head(method: bytes, version: str, headers: Headers) -> None:
    """Refuse what a proxy in front of the service could read as another request.

    Parameters
    ----------
    method, version
        As in ``b"GET"`` and ``"1.1"``.
    headers
        The headers, with their names in small letters.

    Raises
    ------
    BadHeadError
        If there is not one name of the host, the body is encoded for the way in another way than in
        chunks, or the service is asked to be a tunnel.
    """
    if method == b"CONNECT":
        raise BadHeadError("The service is no proxy.")
    hosts = sum(name == b"host" for name, _ in headers)
    if hosts > 1 or (version == "1.1" and not hosts):
        raise BadHeadError("A request has one Host header.")
    for name, value in headers:
        if name == b"transfer-encoding" and value.strip().lower() != b"chunked":
            raise BadHeadError("The only Transfer-Encoding is chunked.")


def without_upgrade(method: bytes, url: bytes, headers: Headers) -> bytes:
    """Return a head that does not ask for another protocol."""
    lines = [method + b" " + url + b" HTTP/1.1", *_lines(headers), b"", b""]
    return b"\r\n".join(lines)


def _lines(headers: Headers) -> Iterator[bytes]:
    for name, value in headers:
        if name == b"connection":
            asked = (token.strip() for token in value.split(b","))
            kept = [token for token in asked if token.lower() not in _OF_UPGRADES]
            if kept:
                yield name + b": " + b", ".join(kept)
        elif name not in _OF_UPGRADES:
            yield name + b": " + value
