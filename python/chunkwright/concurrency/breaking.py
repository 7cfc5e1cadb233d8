"""Break of a call on another thread: an error that is raised wherever its Python code is."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from ctypes import c_ulong, py_object, pythonapi
from pathlib import PurePath
from threading import Lock, get_ident
from types import CodeType, FrameType
from typing import Any, TypeVar

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

GRACE = 0.5
"""Seconds that a call has to stop by itself, and between two tries to break it."""
# What tidies up must do so to its end, and so must what is imported: a half of a module stays.
_TIDYING = frozenset({"__exit__", "__del__", "close"})
_IMPORTING = "<frozen importlib"
_UNBROKEN: set[CodeType] = set()
# Connections to databases end their own work, and would be left within a transaction.
_DATABASE = str(PurePath("chunkwright", "store", "database"))


def unbroken(call: F) -> F:
    """Have calls of a function not be broken: what it begins, it also keeps or ends."""
    _UNBROKEN.add(call.__code__)
    return call


class _Broken(BaseException):
    """Raised in the call; no ``except Exception`` of a library takes it for its own."""


class Breaker:
    """Ends a call that goes on in Python's own loops though nobody waits for it.

    What runs in a library in C comes back first. Nothing is raised while modules are imported,
    while something is closed, and within a database.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._thread: int | None = None
        self._is_cancelled = False

    def run(self, call: Callable[[], T]) -> T:
        """Return what a call returns, on the thread that makes it.

        Raises
        ------
        concurrent.futures.CancelledError
            If it is broken, or was cancelled before it began.
        """
        with self._lock:
            if self._is_cancelled:
                raise CancelledError
            self._thread = get_ident()
        try:
            try:
                return call()
            finally:
                self._leave()
        except _Broken:
            self._leave()
            raise CancelledError from None

    def _leave(self) -> None:
        with self._lock:
            thread, self._thread = self._thread, None
        if thread is not None:
            # What was raised, and has not come yet, is for no call that follows.
            pythonapi.PyThreadState_SetAsyncExc(c_ulong(thread), None)

    def cancel(self) -> bool:
        """Have the call not begin any more; return whether it is under way."""
        with self._lock:
            self._is_cancelled = True
            return self._thread is not None

    def strike(self) -> bool:
        """Break the call if it may be broken where it is; return whether it was under way."""
        with self._lock:
            if self._thread is None:
                return False
            if _may_break(self._thread):
                pythonapi.PyThreadState_SetAsyncExc(c_ulong(self._thread), py_object(_Broken))
            return True

    def strike_until_over(self, loop: asyncio.AbstractEventLoop) -> None:
        """Break the call once it has had time to stop by itself, and again if it goes on."""

        def again() -> None:
            if self.strike():
                self.strike_until_over(loop)

        loop.call_later(GRACE, again)


def _may_break(thread: int) -> bool:
    return not any(
        frame.f_code.co_name in _TIDYING
        or frame.f_code in _UNBROKEN
        or frame.f_code.co_filename.startswith(_IMPORTING)
        or _DATABASE in frame.f_code.co_filename
        for frame in _frames(thread)
    )


def _frames(thread: int) -> Iterator[FrameType]:
    frame = sys._current_frames().get(thread)  # noqa: SLF001 - documented, for debuggers and this
    while frame is not None:
        yield frame
        frame = frame.f_back
