"""Processes of a service, which share its socket: dead ones are replaced, and all end together."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import connection, get_context, parent_process
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

from chunkwright.errors import ConfigError

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

CANNOT_START = 3
"""The exit code of a process that could not start, and would not at another try."""

_LOG = logging.getLogger("chunkwright.server")
_PULSE = 0.2
# One that dies at once is not replaced more often than that.
_REST = 1.0
# Seconds that processes have to end in, beyond those for their requests.
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
        What it is given.
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

    def run(self, drain_timeout: float, on_drain: Callable[[], None]) -> None:
        """Run the processes until this one is told to end.

        Parameters
        ----------
        drain_timeout
            Seconds that they have to end in.
        on_drain
            Called before they are told to.

        Raises
        ------
        ConfigError
            If one cannot start.
        """
        with self._noted_signals():
            try:
                while not self._signals:
                    self._bury()
                    self._start()
                    self._wait()
            finally:
                on_drain()
                self._end(drain_timeout)

    def _start(self) -> None:
        if len(self._processes) == self._n or monotonic() < self._rested_until:
            return
        while len(self._processes) < self._n:
            process = get_context("spawn").Process(target=_child, args=(self._work, self._args))
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
        for process in [each for each in self._processes if not each.is_alive()]:
            self._processes.remove(process)
            self._on_end(process.pid or 0)
            if process.exitcode == CANNOT_START:
                raise ConfigError("the service cannot start; its log says why")
            if not self._signals:
                _LOG.error("process %s ended with %s", process.pid, process.exitcode)

    def _wait(self) -> None:
        connection.wait([each.sentinel for each in self._processes], timeout=_PULSE)

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
            for process in [each for each in self._processes if not each.is_alive()]:
                self._processes.remove(process)
                self._on_end(process.pid or 0)
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

        before = {each: signal.signal(each, note) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)


def _child(work: Callable[..., None], args: tuple[Any, ...]) -> None:
    """Do the work of a process, which ends when the one that started it does."""
    # Ctrl-C reaches it as well; until it serves, the first process ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    work(*args)


def _end_with_parent() -> None:
    if (parent := parent_process()) is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
