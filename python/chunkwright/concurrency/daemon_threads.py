"""Threads for calls that block, which the end of the process does not wait for long."""

from __future__ import annotations

import asyncio
import atexit
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from queue import Empty, SimpleQueue
from threading import Semaphore, Thread, current_thread
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")

# Seconds after which a thread ends that has nothing to do.
_IDLE = 1.0
# Seconds that the end of the process waits for calls, and how often it looks.
_GRACE = 1.0
_LOOK = 0.005


def in_thread(call: Callable[[], T]) -> asyncio.Future[T]:
    """Return what will be the result of a call on another thread.

    The standard library's threads would not do: the end of a process waits for them, so that an
    interrupted run would last as long as its slowest request. It waits a second for these.
    """
    loop = asyncio.get_running_loop()
    threads = _OF_LOOPS.get(loop)
    if threads is None:
        threads = _OF_LOOPS[loop] = _Threads()
    return threads.begin(call, loop.create_future())


class _Threads:
    """Daemon threads of an event loop: as many as there are calls at once.

    A call that nobody waits for any more, since its time is over, keeps its thread, and the next
    one gets another.
    """

    def __init__(self) -> None:
        self._calls: SimpleQueue[tuple[asyncio.Future[Any], Callable[[], Any]]] = SimpleQueue()
        # How many threads wait for a call that is not there yet.
        self._free = Semaphore(0)
        self._done: deque[tuple[asyncio.Future[Any], Any, BaseException | None]] = deque()
        self._is_told = False

    def begin(self, call: Callable[[], T], future: asyncio.Future[T]) -> asyncio.Future[T]:
        """Give a call to a thread, and return the future of its result."""
        self._calls.put((future, partial(copy_context().run, call)))
        if not self._free.acquire(blocking=False):
            Thread(target=self._work, name="chunkwright-call", daemon=True).start()
        return future

    def _work(self) -> None:
        while True:
            try:
                future, call = self._calls.get(timeout=_IDLE)
            except Empty:
                if self._free.acquire(blocking=False):
                    return
                # Somebody counts on this thread: there is a call for it.
                continue
            _BUSY.add(current_thread())
            try:
                self._done.append((future, call(), None))
            except StopIteration as error:
                # A future takes any other error, and whoever waits for it would wait for ever.
                self._done.append((future, None, RuntimeError(repr(error))))
            except BaseException as error:  # noqa: BLE001 - it is raised where the result is awaited
                self._done.append((future, None, error))
            finally:
                _BUSY.discard(current_thread())
            self._free.release()
            self._tell(future.get_loop())
            del future, call

    def _tell(self, loop: asyncio.AbstractEventLoop) -> None:
        """Wake the event loop, once for all that is done until it looks."""
        if not self._is_told:
            self._is_told = True
            # The loop may have ended meanwhile.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._settle)

    def _settle(self) -> None:
        self._is_told = False
        while self._done:
            future, result, error = self._done.popleft()
            if future.done():
                continue
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)


def _wait() -> None:
    """Let the threads finish what they do: the interpreter kills them wherever they are.

    A thread that dies within a library in C++, as while it imports NumPy, takes the process along.
    """
    end = time.monotonic() + _GRACE
    while _BUSY and time.monotonic() < end:
        time.sleep(_LOOK)


atexit.register(_wait)
# The threads that make a call now.
_BUSY: set[Thread] = set()
_OF_LOOPS: WeakKeyDictionary[asyncio.AbstractEventLoop, _Threads] = WeakKeyDictionary()
