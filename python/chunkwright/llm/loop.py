"""Event loop on a thread of its own, for callers that have none and for those that are in one."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine
from threading import RLock, Thread, current_thread
from typing import Any, TypeVar
from weakref import finalize

from chunkwright.errors import ModelError

T = TypeVar("T")


class LoopThread:
    """An event loop that runs from the first call on, as long as there are references to this.

    Clients that an ``async`` function keeps are bound to the loop that they were first used on:
    all calls of a runner go to one.
    """

    def __init__(self) -> None:
        # The garbage collector may close an iterator of the same runner in between.
        self._lock = RLock()
        # With the process that it runs in: a forked one has no thread of it.
        self._running: tuple[int, asyncio.AbstractEventLoop, Thread] | None = None

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Return what a coroutine returns, as the loop runs it; cancel it if interrupted.

        Raises
        ------
        ModelError
            If it is the loop itself that asks: it would wait for ever.
        """
        loop, thread = self._begun()
        if thread is current_thread():
            work.close()
            raise ModelError("an async model cannot wait for the runner that asks it")
        future = asyncio.run_coroutine_threadsafe(work, loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def _begun(self) -> tuple[asyncio.AbstractEventLoop, Thread]:
        with self._lock:
            if self._running is None or self._running[0] != os.getpid():
                loop = asyncio.new_event_loop()
                thread = Thread(target=_run, args=(loop,), name="chunkwright-llm-loop", daemon=True)
                thread.start()
                # Not at the end of the process: iterators that are open by then still use it.
                finalize(self, _end, loop, os.getpid()).atexit = False
                self._running = os.getpid(), loop, thread
            return self._running[1:]


def _run(loop: asyncio.AbstractEventLoop) -> None:
    # At its end this cancels what a model left behind.
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.get_loop().run_forever()


def _end(loop: asyncio.AbstractEventLoop, pid: int) -> None:
    # A forked process shares what wakes the loop of the other.
    if pid == os.getpid():
        loop.call_soon_threadsafe(loop.stop)
