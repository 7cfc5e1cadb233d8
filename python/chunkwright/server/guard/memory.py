"""Guard of memory: work that takes a process over its limit is ended, the largest body first."""

from __future__ import annotations

import asyncio
import ctypes
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import parent_process
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from chunkwright.errors import ConfigError, OptionName
from chunkwright.server.problems import Problem
from chunkwright.settings import size_text

if TYPE_CHECKING:
    from chunkwright.server.guard.requests import App, Message, Receive, Scope, Send

_STATM = Path("/proc/self/statm")
_LOG = logging.getLogger("chunkwright.server")
_PULSE = 0.02
# Seconds that ended work has to give its memory back in, before more is ended.
_REST = 0.5
# Seconds after which a process ends that is over its limit though nothing works any more, or what
# works cannot be ended.
_PATIENCE = 5.0


def resident() -> int:
    """Return how many bytes of memory this process has."""
    return int(_STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class _Work:
    """A request that is worked on."""

    def __init__(self, task: asyncio.Future[None], size: int) -> None:
        self.task = task
        self.size = size
        self.is_ended = False


class Memory:
    """Memory of a process, and the requests that may be ended for it.

    Parameters
    ----------
    limit
        Bytes that the process may have.

    Raises
    ------
    ConfigError
        If the system does not say what a process has, or it has more when it begins.
    """

    def __init__(self, limit: int) -> None:
        if not _STATM.exists():
            raise ConfigError(OptionName("max_memory"), " needs Linux, which says what there is")
        if (at_rest := resident()) >= limit:
            at_least = size_text(at_rest >> 20 << 20)
            message = f" must be more than the {at_least} of a service at rest, got "
            raise ConfigError(OptionName("max_memory"), message + size_text(limit))
        self._limit = limit
        self._works: list[_Work] = []
        self._watch: asyncio.Future[None] | None = None

    async def worked(self, app: App, scope: Scope, receive: Receive, send: Send, size: int) -> None:
        """Have a request of so many bytes answered.

        Raises
        ------
        Problem
            507, if it is ended for its memory.
        """

        async def noting_start(message: Message) -> None:
            # What is answered already is not ended.
            work.size = -1
            await send(message)

        work = _Work(asyncio.ensure_future(app(scope, receive, noting_start)), size)
        with self._watching(work):
            try:
                await work.task
            except asyncio.CancelledError:
                if not work.is_ended:
                    raise
                message = "the work took more memory than the service may have"
                raise Problem(507, "too_much_memory", message) from None

    @contextmanager
    def _watching(self, work: _Work) -> Iterator[None]:
        self._works.append(work)
        if self._watch is None or self._watch.done():
            self._watch = asyncio.ensure_future(self._run())
        try:
            yield
        finally:
            self._works.remove(work)

    async def _run(self) -> None:
        """Look at the memory while anything works, and while it is over the limit."""
        over_since: float | None = None
        while True:
            await asyncio.sleep(_PULSE)
            if resident() <= self._limit:
                over_since = None
                if not self._works:
                    return
                continue
            over_since = over_since or monotonic()
            if (work := self._largest()) is not None:
                work.is_ended = True
                work.task.cancel()
                _LOG.warning("a request of %s bytes is ended for its memory", work.size)
            await asyncio.sleep(_REST)
            _give_back()
            if monotonic() - over_since > _PATIENCE:
                self._give_up()
                return

    def _largest(self) -> _Work | None:
        found = [each for each in self._works if each.size >= 0 and not each.is_ended]
        return max(found, key=lambda each: each.size, default=None)

    def _give_up(self) -> None:
        """End the process, if another one takes its place."""
        _LOG.error("the process has %s bytes, and may have %s", resident(), self._limit)
        if parent_process() is not None:
            logging.shutdown()
            os._exit(1)


def _give_back() -> None:
    """Give memory that is free back to the system, where the C library can."""
    with suppress(OSError, AttributeError):
        trim: Any = ctypes.CDLL(None).malloc_trim
        trim(0)
