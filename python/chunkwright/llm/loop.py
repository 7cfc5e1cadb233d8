"""Event loop on a thread of its own, for callers that have none and for those that are in one."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from threading import Thread
from types import TracebackType
from typing import Any, Self, TypeVar

from chunkwright.llm.threads import DaemonPool

T = TypeVar("T")


class LoopThread:
    """An event loop that runs while the ``with`` statement does.

    What is under way at its end is cancelled; what threads of the loop do is not waited for.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._loop.set_default_executor(DaemonPool())
        self._thread = Thread(target=self._loop.run_forever, name="chunkwright-llm", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Return what a coroutine returns, as the loop runs it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.call(_cancel_others())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _cancel_others() -> None:
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
