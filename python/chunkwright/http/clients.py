"""Clients of a server: each is used by one thread at a time, in the process that made it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Generic, Protocol, TypeVar


class Closable(Protocol):
    """An object that has connections to close."""

    def close(self) -> None:
        """Close them."""


ClientT = TypeVar("ClientT", bound=Closable)


class Clients(Generic[ClientT]):
    """Clients that are idle; they are closed with the last reference to this."""

    def __init__(self) -> None:
        # With the process that made each.
        self._idle: list[tuple[int, ClientT]] = []

    @contextmanager
    def one(self, connect: Callable[[], ClientT]) -> Iterator[ClientT]:
        """Yield a client that nobody else uses meanwhile, made by ``connect`` if none is idle."""
        client = self._idle_one() or connect()
        try:
            yield client
        finally:
            self._idle.append((os.getpid(), client))

    def _idle_one(self) -> ClientT | None:
        # Another thread may have been faster.
        with suppress(IndexError):
            while True:
                pid, client = self._idle.pop()
                # A child must not use the connections of the process that it was forked from.
                if pid == os.getpid():
                    return client
                client.close()
        return None

    def __del__(self) -> None:
        for _, client in self._idle:
            client.close()
