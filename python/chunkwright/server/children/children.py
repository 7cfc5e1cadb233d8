"""Child of a worker: work is done in it, watched, and done again where others ended the process."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from multiprocessing import parent_process
from threading import Event, Lock, Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from chunkwright.concurrency.breaking import unbroken
from chunkwright.errors import ChunkwrightError, ConfigError, OptionName
from chunkwright.server.children.child import Child
from chunkwright.server.children.memory import give_back, is_known, own_memory, tree_memory
from chunkwright.server.children.turns import Turns
from chunkwright.server.children.work import ChildEndedError, Work
from chunkwright.server.problems import Problem, draining
from chunkwright.settings import size_text

if TYPE_CHECKING:
    from chunkwright.server.settings import Settings

_LOG = logging.getLogger("chunkwright.server")
# Seconds between two looks while something works, and while nothing does.
_PULSE, _REST = 0.02, 0.2
# Seconds after which a worker ends that is over the limit by itself, which streams alone can do.
_PATIENCE = 5.0
# Bytes that a process may keep of what it has done, and hold nothing of it.
_CLEAN = 32_000_000


class Children:
    """A process of a worker for work of unbounded cost, and those that take its place.

    The limit is for the worker and the process together. Where several pieces of work are under
    way when the process ends, nobody knows which one is to blame: each is done once more, alone in
    a process that holds nothing of others. The one that ends that is to blame.

    Parameters
    ----------
    settings
        What the service is started with; there is a limit.
    on_chunks
        Called with how many chunks were made.

    Raises
    ------
    ConfigError
        If the system does not say what a process has, or both have more when they begin.
    ChunkwrightError, Problem
        As :class:`Child`.
    """

    def __init__(self, settings: Settings, on_chunks: Callable[[int], None]) -> None:
        if not is_known():
            raise ConfigError(OptionName("max_memory"), " needs Linux, which says what there is")
        assert settings.max_memory is not None  # noqa: S101 - as documented
        self._limit = settings.max_memory
        self._settings = replace(settings, max_memory=None)
        self._on_chunks = on_chunks
        self._turns = Turns()
        self._lock = Lock()
        self._has_ended = False
        self._over_since: float | None = None
        self._worked = Event()
        self._child = self._started()
        if (at_rest := self._taken()) >= self._limit:
            self.close()
            at_least = size_text(at_rest >> 20 << 20)
            message = f" must be more than the {at_least} of a service at rest, got "
            raise ConfigError(OptionName("max_memory"), message + size_text(self._limit))
        self._at_rest = own_memory(self._child.pid)
        # Between two pieces of work it may keep half of what it may take.
        self._most_kept = self._at_rest + (self._limit - at_rest) // 2
        Thread(target=self._watch, name="memory", daemon=True).start()

    def do(self, work: Work) -> Any:
        """Return what work comes to; raise what it raises.

        Raises
        ------
        Problem
            507, if it takes too much memory; 500, if a library ends the process.
        concurrent.futures.CancelledError
            If the call is cancelled; the work is told to stop.
        """
        with self._turns.together():
            try:
                return self._asked(work, self._most_kept)
            except ChildEndedError as error:
                ended = error
        if ended.is_clear:
            raise ended.problem
        with self._turns.alone():
            try:
                return self._asked(work, self._at_rest + _CLEAN, is_alone=True)
            except ChildEndedError as error:
                raise error.problem from None

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._has_ended = True
            self._child.end()

    def _asked(self, work: Work, most_kept: int, *, is_alone: bool = False) -> Any:
        with self._lock:
            child = self._usable(most_kept, is_alone=is_alone)
        self._worked.set()
        return child.ask(work)

    @unbroken
    def _usable(self, most_kept: int, *, is_alone: bool) -> Child:
        """Return a process that can be asked; one that keeps more than that is replaced.

        What is asked alone is not to be ended for what others have left there.
        """
        child = self._child
        is_left = is_alone and child.is_working
        is_worn = is_left or (not child.is_busy and tree_memory(child.pid) > most_kept)
        if not child.is_alive or is_worn:
            child.end()
            self._child = self._started()
        return self._child

    def _started(self) -> Child:
        if self._has_ended:
            raise draining()
        return Child(self._settings, self._on_chunks, self._replace)

    def _replace(self, ended: Child, code: int) -> None:
        """Start another process in the place of one that has ended, before it is asked."""
        with self._lock:
            if self._has_ended or ended is not self._child:
                return
            _LOG.warning("the process %s for work ended with %s", ended.pid, code)
            # The next piece of work tries again.
            with suppress(ChunkwrightError, Problem, OSError):
                self._child = self._started()

    def _taken(self) -> int:
        return own_memory() + tree_memory(self._child.pid)

    def _watch(self) -> None:
        """Look at the memory while anything works."""
        while not self._has_ended:
            child = self._child
            if child.is_working:
                sleep(_PULSE)
            else:
                self._worked.wait(_REST)
                self._worked.clear()
            if child.is_stuck and child.is_alive:
                # It keeps threads from others: what works beside it is done once more.
                _LOG.warning("work is ended that nobody waits for: process %s", child.pid)
                child.kill(is_over=False)
            elif self._taken() > self._limit and child.is_alive:
                self._end_work(child)
            else:
                self._watch_itself()

    def _end_work(self, child: Child) -> None:
        if child.is_working:
            _LOG.warning("work is ended for its memory: %s bytes", self._taken())
            child.kill(is_over=True)
        else:
            give_back()

    def _watch_itself(self) -> None:
        """End this process if another one takes its place, and it is over the limit by itself."""
        if (taken := own_memory()) <= self._limit:
            self._over_since = None
            return
        self._over_since = self._over_since or monotonic()
        if monotonic() > self._over_since + _PATIENCE and parent_process() is not None:
            _LOG.error("the process has %s bytes, and may have %s", taken, self._limit)
            logging.shutdown()
            os._exit(1)
