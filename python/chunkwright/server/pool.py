"""Pool of threads for the work of requests: bounded, and with an end for each call."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from functools import partial
from threading import Lock
from typing import Any, TypeVar

from chunkwright.concurrency.background import in_background
from chunkwright.concurrency.breaking import Breaker
from chunkwright.server.problems import Problem, busy, client_gone

T = TypeVar("T")
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]


class Pool:
    """Threads that make calls for requests, as many at once as there are cores for.

    A call has ended only when its thread has: one that does not stop at once, since it is in a
    library in C, keeps its seat meanwhile, so that there are never more threads than seats.

    Parameters
    ----------
    threads
        Calls at once.
    most_waiting
        Calls that wait for a seat; one more is a problem of status 429.
    timeout
        Seconds after which a call is ended, its wait included.
    """

    def __init__(self, threads: int, most_waiting: int, timeout: float) -> None:
        self._threads = threads
        self._seats = asyncio.Semaphore(threads)
        self._most_waiting = most_waiting
        self._timeout = timeout
        self._waiting: set[asyncio.Future[Any]] = set()
        self._watchers: list[Callable[[], None]] = []
        self.n_busy: int = 0

    @property
    def n_waiting(self) -> int:
        """Calls that wait for a thread."""
        return len(self._waiting)

    def watch(self, watcher: Callable[[], None]) -> None:
        """Have a function called when there are more or fewer calls, on the event loop."""
        self._watchers.append(watcher)

    async def run(
        self,
        call: Callable[[], T],
        *,
        timeout: float | None = None,  # noqa: ASYNC109 - the limit is ours
        receive: Receive | None = None,
        is_short: bool = False,
    ) -> T:
        """Return what a call returns; the event loop goes on meanwhile.

        Parameters
        ----------
        call
            The call.
        timeout
            Seconds for it; None: those of the pool.
        receive
            Gives the next message of the request, whose body has been read: what comes is that the
            client has gone, and the call is ended.
        is_short
            Whether the call takes less time than the way to a thread and back: it is made at once,
            and the event loop waits.

        Raises
        ------
        Problem
            If too many calls wait (429), the time is up (504) or the client has gone.
        """
        if self.n_waiting + self.n_busy >= self._threads + self._most_waiting:
            raise busy("the service is busy: too many requests wait")
        if is_short:
            return call()
        seconds = self._timeout if timeout is None else timeout
        work = asyncio.ensure_future(self._seated(call))
        # Count it now, not when the task begins: calls at the same time must see it.
        self._waiting.add(work)
        self._tell()
        gone = None if receive is None else asyncio.ensure_future(_gone(receive))
        try:
            waited_for = {work} if gone is None else {work, gone}
            await asyncio.wait(waited_for, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                return work.result()
            if gone is not None and gone.done():
                raise client_gone()
            raise Problem(504, "timeout", f"the work took longer than {seconds:g} seconds")
        finally:
            self._waits_no_more(work)
            for each in (work, gone):
                if each is not None and not each.done():
                    each.cancel()

    async def _seated(self, call: Callable[[], T]) -> T:
        await self._seats.acquire()
        self.n_busy += 1
        self._waits_no_more(asyncio.current_task())
        breaker = Breaker()
        seat = _Seat(partial(breaker.run, call), self._free)
        try:
            return await in_background(seat.call, breaker)
        finally:
            seat.leave()

    def _waits_no_more(self, work: asyncio.Future[Any] | None) -> None:
        if work in self._waiting:
            self._waiting.remove(work)
            self._tell()

    def _free(self) -> None:
        self.n_busy -= 1
        self._seats.release()
        self._tell()

    def _tell(self) -> None:
        for watcher in self._watchers:
            watcher()


class _Seat:
    """A call's seat, which is free again when the call has ended, or can no longer begin."""

    def __init__(self, call: Callable[[], Any], free: Callable[[], None]) -> None:
        self._call = call
        self._free = free
        self._loop = asyncio.get_running_loop()
        self._lock = Lock()
        self._is_taken = self._is_left = False

    def call(self) -> Any:
        """Make the call, on a thread of its own."""
        with self._lock:
            if self._is_left:
                raise RuntimeError("nobody waits for the call")
            self._is_taken = True
        try:
            return self._call()
        finally:
            self._tell()

    def leave(self) -> None:
        """Free the seat of a call that has not begun; called on the event loop."""
        with self._lock:
            self._is_left = True
            is_taken = self._is_taken
        if not is_taken:
            self._free()

    def _tell(self) -> None:
        try:
            self._loop.call_soon_threadsafe(self._free)
        except RuntimeError:
            # The event loop has ended, so there are no seats to give back.
            return


async def _gone(receive: Receive) -> None:
    """Return when the client has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
