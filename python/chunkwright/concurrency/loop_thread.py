"""Event loop on a thread of its own, for callers that have none and for those that are in one."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock, RLock, Thread, current_thread
from typing import Any, TypeVar
from weakref import finalize

from chunkwright.errors import ModelError

T = TypeVar("T")

# Seconds after which an interrupt is noticed at the latest.
_GLANCE = 0.1


class Waiting:
    """Futures that the thread of a call waits for, so that another one can end it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._futures: set[Future[Any]] = set()
        self._is_over = False

    def add(self, future: Future[Any]) -> None:
        """Put down what is waited for; cancel it if all is over."""
        with self._lock:
            self._futures.add(future)
            is_over = self._is_over
        if is_over:
            future.cancel()

    def discard(self, future: Future[Any]) -> None:
        """Strike out what is waited for no more."""
        with self._lock:
            self._futures.discard(future)

    def cancel(self) -> None:
        """Cancel what is waited for, now and later."""
        with self._lock:
            self._is_over = True
            futures = list(self._futures)
        for future in futures:
            future.cancel()


WAITING: ContextVar[Waiting | None] = ContextVar("chunkwright_waiting", default=None)
"""Futures of the call that is being made; None where nobody may end it from outside."""


def waited(found: Future[T]) -> T:
    """Return what a future comes to, unless the call that waits is ended from outside.

    Raises
    ------
    concurrent.futures.CancelledError
        If it is.
    """
    waiting = WAITING.get()
    if waiting is None:
        return found.result()
    waiting.add(found)
    try:
        return found.result()
    finally:
        waiting.discard(found)


@contextmanager
def ended_by(end: Callable[[], object]) -> Iterator[None]:
    """Have a function called if the call that is being made is ended from outside meanwhile.

    Parameters
    ----------
    end
        Ends what the call waits for; it is called at most once, on another thread, and never after
        the block.
    """
    waiting = WAITING.get()
    if waiting is None:
        yield
        return
    lock, is_over = Lock(), False

    def told(future: Future[None]) -> None:
        with lock:
            if future.cancelled() and not is_over:
                end()

    waited: Future[None] = Future()
    waited.add_done_callback(told)
    waiting.add(waited)
    try:
        yield
    finally:
        with lock:
            is_over = True
        waiting.discard(waited)


class LoopThread:
    """An event loop that runs from the first call on, as long as there are references to this.

    Clients that an ``async`` function keeps are bound to the loop that they were first used on:
    all calls of one caller go to one.
    """

    def __init__(self) -> None:
        # The garbage collector may close an iterator over the same loop in between.
        self._lock = RLock()
        # With the process that it runs in: a forked one has no thread of it.
        self._running: tuple[int, asyncio.AbstractEventLoop, Thread] | None = None

    def call(self, work: Coroutine[Any, Any, T], *, is_last: bool = False) -> T:
        """Return what a coroutine returns, as the loop runs it; cancel it if interrupted.

        Parameters
        ----------
        work
            The coroutine.
        is_last
            Whether it tidies up after others, so that it runs even where these were cancelled.

        Raises
        ------
        ModelError
            If it is the loop itself that asks: it would wait for ever.
        """
        loop, thread = self._begun()
        if thread is current_thread():
            work.close()
            raise ModelError("an async model cannot wait for the runner that asks it")
        waiting = None if is_last else WAITING.get()
        future = asyncio.run_coroutine_threadsafe(work, loop)
        if waiting is not None:
            waiting.add(future)
        try:
            return _result(future)
        except BaseException:
            future.cancel()
            raise
        finally:
            if waiting is not None:
                waiting.discard(future)

    def _begun(self) -> tuple[asyncio.AbstractEventLoop, Thread]:
        with self._lock:
            if self._running is None or self._running[0] != os.getpid():
                loop = asyncio.new_event_loop()
                thread = Thread(target=_run, args=(loop,), name="chunkwright-loop", daemon=True)
                thread.start()
                # Not at the end of the process: iterators that are open by then still use it.
                finalize(self, _end, loop, os.getpid()).atexit = False
                self._running = os.getpid(), loop, thread
            return self._running[1:]


def _result(future: Future[T]) -> T:
    """Return the result of a future, and look up in between.

    A signal that comes when the main thread is about to wait for a lock, but does not yet, is
    noticed only after that wait.
    """
    while True:
        try:
            return future.result(_GLANCE)
        except TimeoutError:
            # The work itself may have raised it, or be done by now.
            if future.done():
                return future.result()


def _run(loop: asyncio.AbstractEventLoop) -> None:
    # At its end this cancels what a model left behind.
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.get_loop().run_forever()


def _end(loop: asyncio.AbstractEventLoop, pid: int) -> None:
    # A forked process shares what wakes the loop of the other.
    if pid == os.getpid():
        loop.call_soon_threadsafe(loop.stop)
