"""Calls that block on the file of tasks, off the event loop and a few at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from chunkwright.concurrency.daemon_threads import in_thread

T = TypeVar("T")

# One process at a time writes to the file: more threads would only wait.
_AT_ONCE = 4


class OffLoop:
    """Threads for calls that wait for the disk or for another process."""

    def __init__(self) -> None:
        self._seats = asyncio.Semaphore(_AT_ONCE)

    async def __call__(self, call: Callable[[], T]) -> T:
        """Return what a call returns; the event loop goes on meanwhile."""
        async with self._seats:
            return await in_thread(call)
