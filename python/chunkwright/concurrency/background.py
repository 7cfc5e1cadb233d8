"""Calls that another thread makes: awaited by an event loop, or given a time to end in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from contextvars import copy_context
from threading import Lock, Thread
from time import monotonic
from typing import TypeVar

from chunkwright import _core
from chunkwright.concurrency.breaking import GRACE, Breaker, unbroken
from chunkwright.concurrency.daemon_threads import in_thread
from chunkwright.concurrency.loop_thread import WAITING, Waiting

T = TypeVar("T")


async def in_background(call: Callable[[], T], breaker: Breaker | None = None) -> T:
    """Return what a call returns, as another thread makes it; the event loop goes on meanwhile.

    If the task is cancelled, the core stops what it does for the call within a pulse, and requests
    to language models that it waits for are given up. A function of the caller's (a model, an
    embedder, a tokenizer) runs to its end on its thread; nobody waits for it.

    Parameters
    ----------
    call
        The call.
    breaker
        What the call runs in, as far as Python's own loops are to end, too; None: they need not.
    """
    stop, waiting = _core.Stop(), Waiting()
    # A thread that has not begun the call when it is cancelled must not begin it.
    lock, is_over = Lock(), False

    def obedient() -> T:
        stop.obey()
        WAITING.set(waiting)
        try:
            with lock:
                is_late = is_over
            if is_late:
                raise RuntimeError("the call was cancelled before it began")
            return call()
        finally:
            # The thread is used again, for calls that this one's end does not concern.
            _core.Stop().obey()

    try:
        return await in_thread(obedient)
    finally:
        with lock:
            is_over = True
        stop.set()
        waiting.cancel()
        if breaker is not None and breaker.cancel():
            breaker.strike_until_over(asyncio.get_running_loop())


def in_time(call: Callable[[], T], seconds: float) -> T:
    """Return what a call returns, as another thread makes it, if it takes no longer than it may.

    When the time is up, or the caller's own call is cancelled, the core stops what it does for the
    call within a pulse, requests to language models are given up, and loops in Python are broken.
    What runs in a library in C is waited for until it comes back.

    Raises
    ------
    TimeoutError
        If the time is up.
    concurrent.futures.CancelledError
        If the caller's own call is cancelled.
    """
    stop, waiting, outer = _core.Stop(), Waiting(), WAITING.get()
    found: Future[T] = Future()
    breaker = Breaker()

    def obedient() -> None:
        stop.obey()
        WAITING.set(waiting)
        try:
            result = breaker.run(call)
        except BaseException as error:  # noqa: BLE001 - the caller is told
            # Whoever was cancelled waits no more.
            with suppress(InvalidStateError):
                found.set_exception(error)
        else:
            with suppress(InvalidStateError):
                found.set_result(result)

    thread = Thread(target=copy_context().run, args=(obedient,), daemon=True)
    if outer is not None:
        outer.add(found)
    began = monotonic()
    thread.start()
    try:
        result = found.result(seconds)
        if monotonic() - began > seconds:
            raise TimeoutError
        return result
    finally:
        if outer is not None:
            outer.discard(found)
        stop.set()
        waiting.cancel()
        _end(thread, breaker)


@unbroken
def _end(thread: Thread, breaker: Breaker) -> None:
    """Wait until a thread ends that nobody waits for."""
    thread.join(GRACE)
    while thread.is_alive():
        breaker.strike()
        thread.join(GRACE)
