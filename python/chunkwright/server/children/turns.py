"""Turns of calls: many at once, or one alone; a wait ends when its call is cancelled."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, suppress
from threading import Lock

from chunkwright.concurrency.loop_thread import waited


class Turns:
    """Turns of calls; those that want to be alone come first."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._n_here = 0
        self._is_alone = False
        self._together: deque[Future[None]] = deque()
        self._alone: deque[Future[None]] = deque()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Take a turn beside others, and wait for those that are alone."""
        with self._turn(self._together):
            yield

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Take a turn when nobody else has one."""
        with self._turn(self._alone):
            yield

    @contextmanager
    def _turn(self, queue: deque[Future[None]]) -> Iterator[None]:
        mine: Future[None] = Future()
        with self._lock:
            queue.append(mine)
            self._admit()
        try:
            waited(mine)
        except CancelledError:
            with self._lock, suppress(ValueError):
                queue.remove(mine)
                self._admit()
            raise
        try:
            yield
        finally:
            with self._lock:
                self._n_here -= 1
                self._is_alone = False
                self._admit()

    def _admit(self) -> None:
        while not self._is_alone and self._alone and not self._n_here:
            self._is_alone = self._let_in(self._alone.popleft())
        while not self._is_alone and not self._alone and self._together:
            self._let_in(self._together.popleft())

    def _let_in(self, one: Future[None]) -> bool:
        if not one.set_running_or_notify_cancel():
            return False
        self._n_here += 1
        one.set_result(None)
        return True
