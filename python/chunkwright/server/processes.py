"""Processes of a service, which share its socket, and the server in each; all end together."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from math import ceil
from multiprocessing import connection, get_context, parent_process
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

from uvicorn import Server

from chunkwright.errors import ConfigError
from chunkwright.server.connections import Connection

if TYPE_CHECKING:
    from multiprocessing.connection import Connection as Pipe
    from multiprocessing.context import SpawnProcess
    from socket import socket

    from uvicorn import Config

    from chunkwright.server.service import Service


GRACE = 1.0
"""Seconds in which a client that has connected has to ask, once the server ends."""

# Seconds between two checks whether the server is told to end at once.
_CHECK_SECONDS = 0.1
# Turns of the loop between accepting a connection and telling its protocol.
_TURNS = 3


class DrainingServer(Server):
    """Lets requests that have begun end, and answers others 503 meanwhile.

    A client that is told so asks another server; one whose connection is refused, or cut off, does
    not know what has become of its request. A second SIGINT ends the server at once.

    Parameters
    ----------
    config
        What the server is told.
    on_start
        Called when it answers; None: nothing is.
    """

    def __init__(self, config: Config, on_start: Callable[[], object] | None = None) -> None:
        super().__init__(config)
        self._on_start = on_start

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Begin to answer, and say so."""
        await super().startup(sockets)
        if self._on_start is not None and not self.should_exit:
            self._on_start()

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """End: say so, wait for the requests that are here, and close."""
        deadline = monotonic() + (self.config.timeout_graceful_shutdown or 0)
        if (service := self._service()) is not None:
            service.drain()
        begun = set(self.server_state.tasks)
        while begun and not self.force_exit and monotonic() < deadline:
            _, begun = await asyncio.wait(begun, timeout=_CHECK_SECONDS)
        await self._close_door(sockets or [])
        await self._hear_new_clients(min(deadline, monotonic() + GRACE))
        self.config.timeout_graceful_shutdown = max(1, ceil(deadline - monotonic()))
        await super().shutdown(sockets)
        for client in list(self.server_state.connections):
            client.transport.abort()

    async def _close_door(self, sockets: list[socket]) -> None:
        """Take those that have connected, and no more; who comes now is refused, and not reset."""
        loop = asyncio.get_running_loop()
        for door in [door_socket for server in self.servers for door_socket in server.sockets]:
            # Loops without readers hand over a connection in the turn that accepts it.
            with suppress(NotImplementedError):
                loop.remove_reader(door.fileno())
        for _ in range(_TURNS):
            await asyncio.sleep(0)
        # No turn of the loop may pass between the last accepted connection and the queue's end.
        last = [line for door_socket in sockets for line in queued(door_socket)]
        for server in self.servers:
            server.close()
        for door_socket in sockets:
            door_socket.close()
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
            await asyncio.sleep(_CHECK_SECONDS)
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


CANNOT_START = 3
"""The exit code of a process that could not start, and would not at another try."""

_LOG = logging.getLogger("chunkwright.server")
_PULSE = 0.2
# Least seconds between two replacements of processes that die at once.
_REST = 1.0
# Seconds that processes have to end, beyond those for their requests.
_MARGIN = 5.0


class Processes:
    """Processes that do the same; ended by SIGTERM and by SIGINT, by a second SIGINT at once.

    Parameters
    ----------
    n
        How many there are.
    work
        What each does, a function of a module.
    args
        What it is given, before a function that it calls when it has started.
    on_end
        Called with the id of each process that has ended.
    """

    def __init__(
        self,
        n: int,
        work: Callable[..., None],
        args: tuple[Any, ...],
        on_end: Callable[[int], None],
    ) -> None:
        self._n = n
        self._work = work
        self._args = args
        self._on_end = on_end
        self._processes: list[SpawnProcess] = []
        self._signals: list[int] = []
        self._rested_until = 0.0
        self._started, self._start_told = get_context("spawn").Pipe(duplex=False)

    def run(
        self,
        drain_timeout: float,
        *,
        on_start: Callable[[], object],
        on_drain: Callable[[], None],
    ) -> None:
        """Run the processes until this one is told to end.

        Parameters
        ----------
        drain_timeout
            Seconds that they have to end in.
        on_start
            Called when all have started, for the first time.
        on_drain
            Called before they are told to.

        Raises
        ------
        ConfigError
            If one cannot start.
        """
        n_started = 0
        with self._noted_signals():
            try:
                while not self._signals:
                    self._bury()
                    self._start()
                    self._wait(self._started)
                    while self._started.poll():
                        self._started.recv_bytes()
                        n_started += 1
                        if n_started == self._n:
                            on_start()
            finally:
                on_drain()
                self._end(drain_timeout)

    def _start(self) -> None:
        if len(self._processes) == self._n or monotonic() < self._rested_until:
            return
        while len(self._processes) < self._n:
            args = (self._work, self._args, self._start_told)
            process = get_context("spawn").Process(target=_child, args=args)
            process.start()
            self._processes.append(process)
        self._rested_until = monotonic() + _REST

    def _bury(self) -> None:
        """Take out the processes that have ended.

        Raises
        ------
        ConfigError
            If one could not start.
        """
        for process in self._ended():
            if process.exitcode == CANNOT_START:
                raise ConfigError("the service cannot start; its log says why")
            if not self._signals:
                _LOG.error("process %s ended with %s", process.pid, process.exitcode)

    def _ended(self) -> list[SpawnProcess]:
        """Take out the processes that have ended, and return them."""
        ended = [each for each in self._processes if not each.is_alive()]
        for process in ended:
            self._processes.remove(process)
            self._on_end(process.pid or 0)
        return ended

    def _wait(self, *others: Pipe[Any, Any]) -> None:
        ends = [each.sentinel for each in self._processes]
        connection.wait([*ends, *others], timeout=_PULSE)

    def _end(self, drain_timeout: float) -> None:
        """Tell all to end, and wait for them; pass on an interrupt that comes meanwhile."""
        n_passed = len(self._signals)
        self._tell(signal.SIGTERM)
        deadline = monotonic() + drain_timeout + _MARGIN
        while self._processes and monotonic() < deadline:
            self._wait()
            for number in self._signals[n_passed:]:
                n_passed += 1
                self._tell(number)
            self._ended()
        for process in self._processes:
            process.kill()
            process.join()

    def _tell(self, number: int) -> None:
        for process in self._processes:
            if process.pid is not None and process.is_alive():
                os.kill(process.pid, number)

    @contextmanager
    def _noted_signals(self) -> Iterator[None]:
        def note(number: int, _: object) -> None:
            self._signals.append(number)

        before = {sign: signal.signal(sign, note) for sign in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for sign, handler in before.items():
                signal.signal(sign, handler)


def _child(work: Callable[..., None], args: tuple[Any, ...], start_told: Pipe[Any, Any]) -> None:
    """Do the work of a process, which ends when the one that started it does."""
    # Ctrl-C reaches it as well; until it serves, the first process ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    # A message this short is written at once: those of several processes do not mix.
    work(*args, partial(start_told.send_bytes, b"+"))


def _end_with_parent() -> None:
    if (parent := parent_process()) is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
