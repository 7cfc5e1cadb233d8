"""Server that answers 503 from when it is told to end until what has begun is answered."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from math import ceil
from time import monotonic
from typing import TYPE_CHECKING

from uvicorn import Server

from chunkwright.server.connections import Connection

if TYPE_CHECKING:
    from socket import socket

    from chunkwright.server.service import Service

GRACE = 1.0
"""Seconds in which a client that has connected has to ask, once the server ends."""

# Seconds between two looks whether the server is told to end at once.
_PULSE = 0.1
# Turns of the loop from a connection that is taken to the protocol that hears of it.
_TURNS = 3


class DrainingServer(Server):
    """Lets requests that have begun end, and answers others 503 meanwhile.

    A client that is told so asks another server; one whose connection is refused, or cut off, does
    not know what has become of its request. A second SIGINT ends the server at once.
    """

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """End: say so, wait for the requests that are here, and close."""
        deadline = monotonic() + (self.config.timeout_graceful_shutdown or 0)
        if (service := self._service()) is not None:
            service.drain()
        begun = set(self.server_state.tasks)
        while begun and not self.force_exit and monotonic() < deadline:
            _, begun = await asyncio.wait(begun, timeout=_PULSE)
        await self._close_door(sockets or [])
        await self._hear_new_clients(min(deadline, monotonic() + GRACE))
        self.config.timeout_graceful_shutdown = max(1, ceil(deadline - monotonic()))
        await super().shutdown(sockets)
        for connection in list(self.server_state.connections):
            connection.transport.abort()

    async def _close_door(self, sockets: list[socket]) -> None:
        """Take those that have connected, and no more; who comes now is refused, and not reset."""
        loop = asyncio.get_running_loop()
        for door in [each for server in self.servers for each in server.sockets]:
            # Loops without readers hand over a connection in the turn that takes it.
            with suppress(NotImplementedError):
                loop.remove_reader(door.fileno())
        for _ in range(_TURNS):
            await asyncio.sleep(0)
        # Between the last that is taken and the end of the queue there must be no turn of the loop.
        last = [line for each in sockets for line in queued(each)]
        for server in self.servers:
            server.close()
        for each in sockets:
            each.close()
        made = partial(Connection, self.config, self.server_state, self.lifespan.state)
        for line in last:
            # Its client may have gone.
            with suppress(OSError):
                await loop.connect_accepted_socket(made, line)

    async def _hear_new_clients(self, deadline: float) -> None:
        """Wait for those that have connected and not asked yet: their requests are answered, too.

        A connection that is closed while its request lies unread is reset.
        """
        is_new = True
        while is_new and not self.force_exit:
            # At least once: a busy machine may have let the time pass before anything was read.
            await asyncio.sleep(_PULSE)
            is_new = monotonic() < deadline and any(
                isinstance(each, Connection) and each.cycle is None
                for each in self.server_state.connections
            )

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Be told of signals. An end in order is no failure: they are not raised once more."""
        with super().capture_signals():
            yield
            if not self.force_exit:
                self._captured_signals.clear()

    def _service(self) -> Service | None:
        app = self.config.loaded_app
        while not hasattr(app, "state") and hasattr(app, "app"):
            app = app.app
        found: Service | None = getattr(getattr(app, "state", None), "service", None)
        return found


def queued(door: socket) -> Iterator[socket]:
    """Take the connections that nobody has taken yet, as many as the process may have open."""
    with suppress(OSError):
        while True:
            line, _ = door.accept()
            line.settimeout(0)
            yield line
