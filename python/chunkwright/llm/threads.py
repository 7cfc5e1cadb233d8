"""Threads for calls that nobody waits for when the process ends."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from threading import Semaphore, Thread
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class DaemonPool(ThreadPoolExecutor):
    """A pool of daemon threads, as the default executor of an event loop.

    The end of a process waits for the threads of the base class: an interrupted run would last as
    long as its slowest request. An event loop takes no executor of another class.

    There are as many threads as calls at once. A call that nobody waits for any more, since its
    time is over, keeps its thread, and the next one gets another.
    """

    def __init__(self) -> None:
        super().__init__(1)
        self._calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._free = Semaphore(0)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call a function on one of the threads; this is called by the event loop's alone."""
        future: Future[T] = Future()
        self._calls.put(lambda: _settle(future, lambda: fn(*args, **kwargs)))
        if not self._free.acquire(blocking=False):
            Thread(target=self._work, name="chunkwright-llm", daemon=True).start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002 - as the base class has it
        """End each thread after the call that it is in; nobody waits for it."""
        self._calls.put(None)

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            call()
            self._free.release()
        # The next thread ends too.
        self._calls.put(None)


def _settle(future: Future[T], call: Callable[[], T]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(call())
    except BaseException as error:  # noqa: BLE001 - it is raised where the result is asked for
        future.set_exception(error)
