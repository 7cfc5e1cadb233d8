"""Slots and deadlines of requests under way: one bound and one timer for all calls of a runner."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
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
        # Tasks that have ended are gone, so the timer rings once too often at most.
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


class Slots:
    """So many requests at once, at most.

    A function that answers a request may ask the same runner something. It has a slot and waits, so
    the request that it makes must not wait for one: it takes the place of the request that waits
    for it. Of several of them one does at a time.

    Parameters
    ----------
    n
        How many there are.
    """

    def __init__(self, n: int) -> None:
        self.n = n
        # A forked process has a loop of its own, and none of what is under way.
        self._of_loops: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = (
            WeakKeyDictionary()
        )

    def one(self) -> _Slot:
        """Return what waits for a slot, and has it in an ``async with`` block."""
        loop = asyncio.get_running_loop()
        outer = _HOLDER.get()
        holder = outer
        while holder is not None and not holder.lends(self, loop):
            holder = holder.outer
        free = self._of_loop(loop) if holder is None else holder.lent
        return _Slot(free, _Holder(self, loop, outer))

    def _of_loop(self, loop: asyncio.AbstractEventLoop) -> asyncio.Semaphore:
        found = self._of_loops.get(loop)
        if found is None:
            found = self._of_loops[loop] = asyncio.Semaphore(self.n)
        return found


class _Holder:
    """A request that has a slot, which what is asked on its behalf may take in its place.

    It goes with the context of the call, onto the thread that answers it.
    """

    __slots__ = ("_lent", "_loop", "_slots", "is_over", "outer")

    def __init__(
        self, slots: Slots, loop: asyncio.AbstractEventLoop, outer: _Holder | None
    ) -> None:
        self.is_over: bool = False
        # That of another runner, for which this one is asked.
        self.outer: _Holder | None = outer
        self._slots = slots
        self._loop = loop
        self._lent: asyncio.Semaphore | None = None

    def lends(self, slots: Slots, loop: asyncio.AbstractEventLoop) -> bool:
        """Return whether it has one of these slots, on this loop, and still waits."""
        return self._slots is slots and self._loop is loop and not self.is_over

    @property
    def lent(self) -> asyncio.Semaphore:
        """The place that it lends."""
        self._lent = self._lent or asyncio.Semaphore(1)
        return self._lent


class _Slot:
    """A slot that is waited for and given back."""

    __slots__ = ("_free", "_holder", "_token")

    def __init__(self, free: asyncio.Semaphore, holder: _Holder) -> None:
        self._free = free
        self._holder = holder

    async def __aenter__(self) -> None:
        await self._free.acquire()
        self._token = _HOLDER.set(self._holder)

    async def __aexit__(self, *_error: object) -> None:
        self._holder.is_over = True
        _HOLDER.reset(self._token)
        self._free.release()


_HOLDER: ContextVar[_Holder | None] = ContextVar("chunkwright_llm_slot", default=None)
