"""Calls of native libraries that answer by a future, from threads of their own."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context
from threading import get_ident
from typing import TypeVar

Result = TypeVar("Result")
_PAUSE = 0.0005


def awaited(call: Callable[[], Coroutine[object, object, Result]]) -> Result:
    """Return what a call of a native library answers, once its threads are out of Python.

    A thread of such a library that still runs Python code when the interpreter ends takes the
    process down with it: so each that has answered is waited for.

    Parameters
    ----------
    call
        Makes the coroutine, in a thread in which no event loop runs.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_run, call).result()


def _run(call: Callable[[], Coroutine[object, object, Result]]) -> Result:
    loop = _Loop()
    try:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            return runner.run(call())
    finally:
        while loop.callers & sys._current_frames().keys():  # noqa: SLF001 - the way to see them
            time.sleep(_PAUSE)


class _Loop(asyncio.SelectorEventLoop):
    """An event loop that knows the threads that called it."""

    def __init__(self) -> None:
        super().__init__()
        self.callers: set[int] = set()
        self._own = get_ident()

    def call_soon_threadsafe(
        self, callback: Callable[..., object], *args: object, context: Context | None = None
    ) -> asyncio.Handle:
        """Call from another thread, which is remembered."""
        if get_ident() != self._own:
            self.callers.add(get_ident())
        return super().call_soon_threadsafe(callback, *args, context=context)
