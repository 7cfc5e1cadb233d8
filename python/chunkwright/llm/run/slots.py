"""Slots for requests under way: one bound for all calls of a runner, from whatever thread."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from weakref import WeakKeyDictionary


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
