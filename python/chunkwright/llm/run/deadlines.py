"""Deadlines of tasks that all have the same time: one timer for any number of them."""

from __future__ import annotations

import asyncio
from weakref import WeakKeyDictionary


class Deadlines:
    """Gives each task that stands in its block so many seconds.

    `asyncio.timeout` sets a timer for each: for a model that answers at once that takes as long as
    all else. Here the task that began first has the first deadline, so one timer is enough.

    Parameters
    ----------
    seconds
        How long a task may take.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._of_loops: WeakKeyDictionary[asyncio.AbstractEventLoop, _Watch] = WeakKeyDictionary()

    def one(self) -> Deadline:
        """Return an ``async with`` block for the task that runs, which raises `TimeoutError`."""
        loop = asyncio.get_running_loop()
        watch = self._of_loops.get(loop)
        if watch is None:
            watch = self._of_loops[loop] = _Watch(self.seconds)
        return Deadline(watch, loop)


class _Watch:
    """The deadlines of one event loop, in their order, and the timer of the first."""

    __slots__ = ("is_set", "running", "seconds")

    def __init__(self, seconds: float) -> None:
        self.seconds: float = seconds
        self.running: dict[Deadline, float] = {}
        self.is_set: bool = False

    def add(self, deadline: Deadline, loop: asyncio.AbstractEventLoop) -> None:
        """Put down a deadline, and see to it that it is looked at."""
        self.running[deadline] = loop.time() + self.seconds
        if not self.is_set:
            self.is_set = True
            loop.call_later(self.seconds, self._ring, loop)

    def _ring(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        for deadline in [each for each, end in self.running.items() if end <= now]:
            del self.running[deadline]
            deadline.ring()
        # What has ended meanwhile has left, so the timer rings once too often at most.
        self.is_set = bool(self.running)
        if self.running:
            loop.call_at(next(iter(self.running.values())), self._ring, loop)


class Deadline:
    """The time of one task: an ``async with`` block."""

    __slots__ = ("_is_over", "_loop", "_n_cancelled", "_task", "_watch")

    def __init__(self, watch: _Watch, loop: asyncio.AbstractEventLoop) -> None:
        self._watch = watch
        self._loop = loop
        self._is_over = False

    async def __aenter__(self) -> None:
        task = asyncio.current_task(self._loop)
        if task is None:
            raise RuntimeError("a deadline is that of a task")
        self._task = task
        self._n_cancelled = task.cancelling()
        self._watch.add(self, self._loop)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _trace: object
    ) -> None:
        self._watch.running.pop(self, None)
        # As in asyncio.timeout: somebody else may have cancelled the task as well.
        is_alone = self._is_over and self._task.uncancel() <= self._n_cancelled
        if is_alone and kind is asyncio.CancelledError:
            raise TimeoutError from error

    def ring(self) -> None:
        """End the task: its time is over."""
        self._is_over = True
        self._task.cancel()
