"""Worker that takes tasks from the file, does them on the service's threads and keeps results."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Protocol, TypeAlias, TypeVar

from chunkwright.errors import StoreError
from chunkwright.server.problems import Problem, problem_of
from chunkwright.server.tasks.changes import Changes
from chunkwright.server.tasks.database import OffLoop
from chunkwright.server.tasks.leases import Leases
from chunkwright.server.tasks.task import Claim, Result

T = TypeVar("T")
Handler: TypeAlias = Callable[[bytes], Result]

_LOG = logging.getLogger("chunkwright.server")
# Seconds between looks for leases of killed workers, of which no change tells.
_PERIOD = 1.0
# Renewals of a lease, and tries to write a result, in the time that a lease lasts.
_BEATS = 5
_TRIES = 3
# Errors of the file or the machine, which may pass.
_TROUBLE = (StoreError, MemoryError)
_NOT_KEPT = Problem(503, "not_kept", "the result could not be kept: the disk may be full")


class Runs(Protocol):
    """Threads that make the calls of requests, and of tasks."""

    async def run(self, call: Callable[[], T], *, timeout: float | None) -> T:  # noqa: ASYNC109 - as the pool has it
        """Return what a call returns; raise a `Problem` if there is no thread, or no time left."""


class Worker:
    """Does tasks, some at once, until it is drained.

    Parameters
    ----------
    leases
        Of the tasks in the file.
    changes
        Of the file.
    handlers
        The functions that do tasks, by kind. Tasks of other kinds are left to other workers.
    pool
        Makes the calls.
    """

    def __init__(
        self,
        leases: Leases,
        changes: Changes,
        handlers: Mapping[str, Handler],
        pool: Runs,
    ) -> None:
        self._leases = leases
        self._changes = changes
        self._handlers = handlers
        self._pool = pool
        # Of its own, so that leases are renewed however many requests wait for the file.
        self._off_loop = OffLoop()
        self._limits = leases.limits
        self._running: dict[str, asyncio.Task[None]] = {}
        self._woken = asyncio.Event()
        self._is_draining = False
        self._renewed = self._not_before = 0.0

    async def run(self) -> None:
        """Do tasks until `drain` is called; if cancelled, give back those that are not done."""
        period = min(_PERIOD, self._limits.lease / _BEATS)
        try:
            with self._changes.listening(self._woken):
                while self._running or not self._is_draining:
                    self._woken.clear()
                    await self._tend()
                    with suppress(TimeoutError):
                        async with asyncio.timeout(period):
                            await self._woken.wait()
        finally:
            await self._give_up()

    def wake(self) -> None:
        """Look for tasks now."""
        self._woken.set()

    async def drain(self, seconds: float) -> None:
        """Take no more tasks; give back what is not done after so many seconds."""
        self._is_draining = True
        self.wake()
        if self._running:
            await asyncio.wait(self._running.values(), timeout=seconds)
        await self._give_up()

    async def _give_up(self) -> None:
        running = list(self._running.values())
        for each in running:
            each.cancel()
        if running:
            await asyncio.wait(running)

    async def _tend(self) -> None:
        """Keep the leases that are held, leave what was deleted, and take new tasks."""
        try:
            if self._running:
                await self._renew()
                await self._leave_lost()
            await self._off_loop(self._leases.sweep)
            await self._take()
        except _TROUBLE as error:
            _LOG.warning("tasks wait: %r", error)
            self._rest()

    async def _renew(self) -> None:
        now = asyncio.get_running_loop().time()
        if now >= self._renewed + self._limits.lease / _BEATS:
            leases = list(self._running)
            await self._off_loop(lambda: self._leases.renew(leases))
            self._renewed = now

    async def _leave_lost(self) -> None:
        leases = list(self._running)
        held = await self._off_loop(lambda: self._leases.held(leases))
        for lease in leases:
            if lease not in held and lease in self._running:
                self._running[lease].cancel()

    def _rest(self) -> None:
        """Take no task for a while."""
        self._not_before = asyncio.get_running_loop().time() + _PERIOD

    def _may_take(self) -> bool:
        is_rested = asyncio.get_running_loop().time() >= self._not_before
        return is_rested and not self._is_draining and len(self._running) < self._limits.at_once

    async def _take(self) -> None:
        claim_next = partial(self._leases.claim, list(self._handlers))
        while self._may_take():
            claiming = asyncio.ensure_future(self._off_loop(claim_next))
            try:
                claim = await asyncio.shield(claiming)
            except asyncio.CancelledError:
                if (claim := await claiming) is not None:
                    await self._give_back(claim)
                raise
            if claim is None:
                return
            if self._is_draining:
                await self._give_back(claim)
                return
            self._begin(claim)

    def _begin(self, claim: Claim) -> None:
        work = asyncio.ensure_future(self._do(claim))
        self._running[claim.lease] = work

        def end(_: asyncio.Task[None]) -> None:
            del self._running[claim.lease]
            self.wake()

        work.add_done_callback(end)

    async def _do(self, claim: Claim) -> None:
        is_begun = False

        def call() -> Result:
            nonlocal is_begun
            is_begun = True
            return self._handlers[claim.kind](claim.request)

        try:
            result = await self._pool.run(call, timeout=self._limits.timeout)
        except asyncio.CancelledError:
            await self._give_back(claim)
            raise
        except Exception as error:  # noqa: BLE001 - the client is told of it
            if is_begun:
                problem = problem_of(error)
                await self._kept(claim, lambda: self._leases.fail(claim.lease, problem))
            else:
                # The threads are busy with requests, or the service is about to end.
                await self._give_back(claim)
                self._rest()
        else:
            await self._kept(claim, lambda: self._leases.succeed(claim.lease, result))

    async def _kept(self, claim: Claim, write: Callable[[], bool]) -> None:
        """Write how a task has ended; where that cannot be done, it fails, or is tried again."""
        for _ in range(_TRIES):
            try:
                if not await self._off_loop(write):
                    _LOG.info("the result of task %s is dropped: nobody has it", claim.id)
            except _TROUBLE as error:
                _LOG.warning("the result of task %s: %r", claim.id, error)
                await asyncio.sleep(self._limits.lease / _BEATS)
            else:
                self._changes.ended(claim.id)
                return
        with suppress(*_TROUBLE):
            await self._off_loop(lambda: self._leases.fail(claim.lease, _NOT_KEPT))

    async def _give_back(self, claim: Claim) -> None:
        # Where the file cannot be written, the task is free again when its lease ends.
        with suppress(*_TROUBLE):
            await self._off_loop(lambda: self._leases.give_back(claim.lease))
