"""Pool of the connections to a database that no thread uses."""

from __future__ import annotations

import os
import threading
from typing import Generic, Protocol, TypeVar

from chunkwright.errors import StoreError

# Connections that are kept open when nothing needs them.
_MOST_IDLE = 8


class Connection(Protocol):
    """What a pool keeps."""

    def close(self) -> None:
        """Close the connection."""


Kept = TypeVar("Kept", bound=Connection)


class Pool(Generic[Kept]):
    """Connections that are open and not used: each is used by one thread at a time.

    A child of a fork opens its own.

    Parameters
    ----------
    name
        Of the database, for messages.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._idle: list[Kept] = []
        self._parents: list[Kept] = []
        self._process = os.getpid()
        self._is_closed = False

    def take(self) -> Kept | None:
        """Return a connection; None if a new one has to be opened.

        Raises
        ------
        StoreError
            If the pool is closed.
        """
        with self._lock:
            if self._is_closed:
                raise StoreError("the store is closed", store=self._name)
            self._look_for_fork()
            return self._idle.pop() if self._idle else None

    def give_back(self, connection: Kept) -> None:
        """Keep a connection, or close it if there are enough."""
        with self._lock:
            self._look_for_fork()
            if not self._is_closed and len(self._idle) < _MOST_IDLE:
                self._idle.append(connection)
                return
        connection.close()

    def close(self) -> None:
        """Close all connections that are not used now, and the others when they no longer are."""
        with self._lock:
            self._is_closed = True
            self._look_for_fork()
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _look_for_fork(self) -> None:
        if self._process != os.getpid():
            self._process = os.getpid()
            # Not closed either: that would end what the parent does with them.
            self._parents, self._idle = self._idle, []
