"""Refusal of all connections but those to this machine, for every Python that imports it.

Python imports a module of this name when it starts, so that the processes of the tests are held to
it as well: their ``PYTHONPATH`` begins with this folder.
"""

import sys
from ipaddress import ip_address
from typing import Any


class NetworkError(RuntimeError):
    """A test wants the network: not an ``OSError``, which code under test might expect."""


def is_own(host: object) -> bool:
    """Whether a host's name or address is one of this machine's own."""
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    if name in {None, "", "localhost"}:
        return True
    try:
        return ip_address(str(name)).is_loopback
    except ValueError:
        return False


def refuse(event: str, values: tuple[Any, ...]) -> None:
    """Raise an error where a name is looked up or a connection is made that is not this machine's.

    Raises
    ------
    NetworkError
        Names the host.
    """
    if event == "socket.getaddrinfo":
        host = values[0]
    elif event in {"socket.connect", "socket.sendto"} and isinstance(values[1], tuple):
        host = values[1][0]
    else:
        return
    if not is_own(host):
        raise NetworkError(f"tests run without network, and something asks for {host!r}")


sys.addaudithook(refuse)
