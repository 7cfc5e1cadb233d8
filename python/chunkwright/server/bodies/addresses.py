"""Addresses that requests name: which of them may be asked for, and where they lead."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import NamedTuple, TypeAlias
from urllib.parse import SplitResult, urlsplit

from chunkwright.errors import ReadError
from chunkwright.server.problems import Problem
from chunkwright.server.settings import Settings, host_in

Address: TypeAlias = IPv4Address | IPv6Address

PORTS = {"http": 80, "https": 443}
"""The usual port of each scheme."""

# Headers that the connection sets itself.
_OWN = frozenset(
    {"accept-encoding", "connection", "content-length", "expect", "host", "te", "trailer"}
    | {"transfer-encoding", "upgrade", "proxy-authorization", "keep-alive"}
)
# The only IPv6 addresses that IANA gives to everybody. Forms that embed an IPv4 address, which may
# be an internal one, are others, but for those of 6to4 and Teredo.
_GIVEN = IPv6Network("2000::/3")
# Networks of houses and of single machines. Link-local addresses are none of them: clouds give
# out the credentials of a machine there, and two of them within these networks.
_PRIVATE: tuple[IPv4Network | IPv6Network, ...] = (
    *map(IPv4Network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")),
    *map(IPv4Network, ("100.64.0.0/10", "127.0.0.0/8")),
    *map(IPv6Network, ("fc00::/7", "::1/128")),
)
_OF_CLOUDS = frozenset({ip_address("100.100.100.200"), ip_address("fd00:ec2::254")})


class Place(NamedTuple):
    """Where a file is fetched from.

    Attributes
    ----------
    scheme
        ``"http"`` or ``"https"``.
    host
        The name of the host, in small letters.
    port
        Its port.
    path
        The path with the query.
    """

    scheme: str
    host: str
    port: int
    path: str

    @property
    def host_header(self) -> str:
        """The host as a request says it."""
        name = in_brackets(self.host)
        return name if self.port == PORTS[self.scheme] else f"{name}:{self.port}"


def in_brackets(host: str) -> str:
    """Return the name or the address of a host as URLs have it."""
    return f"[{host}]" if ":" in host else host


def checked_place(url: str, settings: Settings, *, field: str = "url") -> Place:
    """Return where an address leads, if it may be asked for; nothing is looked up.

    Raises
    ------
    Problem
        If it may not be; says what the service would be started with.
    """
    place = _place(url, field)
    allowed = {each.lower() for each in settings.url_hosts}
    if place.host_header not in allowed and f"{place.host}:{place.port}" not in allowed:
        message = f"the service fetches nothing from {place.host_header!r}: it is started with"
        message += f" --allow-url {place.host_header}"
        raise Problem(422, "host_not_allowed", message, field=field)
    return place


def _place(url: str, field: str) -> Place:
    try:
        parts = urlsplit(url)
        port = parts.port
        host = (parts.hostname or "").encode("idna").decode().lower() if parts.hostname else ""
    except ValueError:
        raise _no_address(field) from None
    is_plain = url.isascii() and url.isprintable() and " " not in url
    if parts.scheme not in PORTS or not host or not is_plain or _has_user(parts):
        raise _no_address(field)
    path = parts.path or "/"
    path = f"{path}?{parts.query}" if parts.query else path
    return Place(parts.scheme, host, port or PORTS[parts.scheme], path)


def _has_user(parts: SplitResult) -> bool:
    return parts.username is not None or parts.password is not None


def _no_address(field: str) -> Problem:
    message = "an address begins with http:// or https://, has a host and says no user"
    return Problem(422, "invalid_value", message, field=field)


def checked_headers(headers: Mapping[str, str], field: str) -> dict[str, str]:
    """Return headers that a request wants to be sent.

    Raises
    ------
    Problem
        If one cannot be, or is the connection's own; names it.
    """
    for name, value in headers.items():
        is_plain = name.isascii() and value.isascii() and (name + value).isprintable()
        if not is_plain or not name or name.lower() in _OWN:
            at = field.rpartition(".")[0]
            where = f"{at}.headers" if at else "headers"
            raise Problem(
                422, "invalid_value", f"this header cannot be sent: {name!r}", field=where
            )
    return dict(headers)


def checked_address(place: Place, settings: Settings, field: str) -> str:
    """Return an address of a host, all of whose addresses may be connected to.

    Those are public ones, and private ones of a host that the service is told to ask.

    Raises
    ------
    Problem
        If one of them may not be.
    ReadError
        If there is no such host.
    """
    try:
        found = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise ReadError(f"{place.host}: there is no such host") from None
    addresses = [str(each[4][0]) for each in found]
    is_ours = place.host in map(host_in, settings.private_hosts)
    if not addresses or not all(
        is_public(each) or (is_ours and is_private(each)) for each in addresses
    ):
        message = f"the service fetches nothing from {place.host!r}: it leads to its own network"
        raise Problem(422, "host_not_allowed", message, field=field)
    return addresses[0]


def is_public(address: str) -> bool:
    """Return whether an address is one that everybody can reach.

    Examples
    --------
    >>> is_public("93.184.215.14"), is_public("127.0.0.1"), is_public("::ffff:10.0.0.1")
    (True, False, False)
    """
    try:
        ip: Address = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, IPv6Address):
        if ip.ipv4_mapped is not None:
            return is_public(str(ip.ipv4_mapped))
        if ip.sixtofour or ip.teredo or ip not in _GIVEN:
            return False
    return ip.is_global and not ip.is_multicast


def is_private(address: str) -> bool:
    """Return whether an address is one of a private network, or of this machine.

    Addresses at which clouds tell machines their credentials are none.

    Examples
    --------
    >>> is_private("10.0.0.7"), is_private("fd12::1"), is_private("169.254.169.254")
    (True, True, False)
    """
    try:
        ip: Address = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped is not None:
        ip = ip.ipv4_mapped
    return ip not in _OF_CLOUDS and any(ip in each for each in _PRIVATE)
