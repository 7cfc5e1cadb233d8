"""Calls that an event loop awaits while another thread makes them, and that end when cancelled."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import TypeVar

from chunkwright import _core
from chunkwright.concurrency.daemon_threads import in_thread
from chunkwright.concurrency.loop_thread import WAITING, Waiting

T = TypeVar("T")


async def in_background(call: Callable[[], T]) -> T:
    """Return what a call returns, as another thread makes it; the event loop goes on meanwhile.

    If the task is cancelled, the core stops what it does for the call within a pulse, and requests
    to language models that it waits for are given up. A function of the caller's (a model, an
    embedder, a tokenizer) runs to its end on its thread; nobody waits for it.
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
