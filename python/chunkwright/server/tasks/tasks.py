"""Tasks of a service: submitted, waited for and fetched by requests, done by its workers."""

from __future__ import annotations

import asyncio
import logging
import shutil
import time
import weakref
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any, TypeVar

from chunkwright.errors import StoreError
from chunkwright.server.problems import busy
from chunkwright.server.tasks.changes import Changes
from chunkwright.server.tasks.database import OffLoop, TaskDatabase
from chunkwright.server.tasks.file import TaskFile
from chunkwright.server.tasks.leases import Leases
from chunkwright.server.tasks.task import Result, Task, TaskLimits
from chunkwright.server.tasks.worker import Handler, Runs, Worker

if TYPE_CHECKING:
    from chunkwright.server.settings import Settings

T = TypeVar("T")

LONGEST_WAIT = 120.0
"""Seconds that a request may wait for the end of a task."""
_LOG = logging.getLogger("chunkwright.server")
_UNAVAILABLE = "the tasks of the service cannot be read or kept now: try again later"


class Tasks:
    """Long work in a file that all processes of a service share.

    Each process may be asked for any task, and does any task that it has a handler for. One that
    is killed leaves its tasks to the others when their leases end. An `owner` is whatever tells
    callers apart; the tasks of other owners are not found.

    Every call may raise `Problem` with status 503 if the file cannot be read or written.

    Parameters
    ----------
    path
        The file; it is made if there is none.
    pool
        The threads that tasks are done on.
    limits
        How many tasks there may be, how large, and for how long.
    clock
        Gives the seconds since 1970.
    handlers
        What does tasks, by their kinds: functions that run on the pool's threads.

    Raises
    ------
    StoreError
        If the file cannot be opened, or holds something else.
    """

    def __init__(
        self,
        path: Path,
        pool: Runs,
        limits: TaskLimits | None = None,
        clock: Callable[[], float] = time.time,
        handlers: Mapping[str, Handler] | None = None,
    ) -> None:
        limits = limits or TaskLimits()
        self.path = path
        self._database = TaskDatabase(path)
        self._file = TaskFile(self._database, limits, clock)
        self._off_loop = OffLoop()
        self._changes = Changes(self._database, self._file.unfinished, self._off_loop)
        self._handlers: dict[str, Handler] = dict(handlers or {})
        leases = Leases(self._database, limits, clock)
        self._worker = Worker(leases, self._changes, self._handlers, pool)
        self._remove_folder: weakref.finalize[Any, Any] | None = None

    @classmethod
    def of(
        cls, settings: Settings, pool: Runs, handlers: Mapping[str, Handler] | None = None
    ) -> Tasks:
        """Return the tasks of a service; without a file for them, in one that ends with them.

        Raises
        ------
        StoreError
            If the file cannot be opened, or holds something else.
        """
        folder = mkdtemp() if settings.tasks_file is None else None
        path = Path(settings.tasks_file or "") if folder is None else Path(folder, "tasks.db")
        # One thread is left to requests, where there are several.
        limits = TaskLimits(keep=settings.keep_results, at_once=max(1, settings.threads - 1))
        tasks = cls(path, pool, limits, handlers=handlers)
        if folder is not None:
            # An application that is never started is never closed.
            tasks._remove_folder = weakref.finalize(
                tasks, shutil.rmtree, folder, ignore_errors=True
            )
        return tasks

    def handle(self, kind: str, function: Handler) -> None:
        """Have tasks of a kind done by a function, which runs on one of the pool's threads."""
        self._handlers[kind] = function

    async def submit(
        self, kind: str, request: bytes, owner: str, *, name: str | None = None
    ) -> Task:
        """Keep a task that waits for a worker.

        Parameters
        ----------
        kind
            One that there is a handler for.
        request
            What the handler is given.
        owner
            Who may see the task.
        name
            Its id, a UUID of version 4 that no other task has; None: a new one.

        Raises
        ------
        Problem
            If too many wait (429), or there is no room for the request (503, or 413 for ever).
        """
        assert kind in self._handlers, kind  # noqa: S101 - the service's own word
        task = await self._kept(lambda: self._file.submit(kind, request, owner, name))
        self._worker.wake()
        return task

    async def get(self, name: str, owner: str) -> Task:
        """Return a task by its id.

        Raises
        ------
        Problem
            404 if the owner has none of that id, or no longer, saying which.
        """
        return await self._kept(lambda: self._file.get(name, owner))

    async def wait(self, name: str, owner: str, seconds: float) -> Task:
        """Return a task when it has ended, or as it is after so many seconds or when draining ends.

        Raises
        ------
        Problem
            404 as `get`, also if the task is deleted meanwhile.
        """
        with self._changes.waiting(name) as ended:
            task = await self.get(name, owner)
            if task.is_over or seconds <= 0:
                return task
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await ended.wait()
        return await self.get(name, owner)

    async def result(self, name: str, owner: str) -> Result:
        """Return what a task gave.

        Raises
        ------
        Problem
            404 as `get`; 409 if it has not ended; if it failed, its error.
        """
        return await self._kept(lambda: self._file.result(name, owner))

    async def delete(self, name: str, owner: str) -> None:
        """Forget a task; the worker that does it stops.

        Raises
        ------
        Problem
            404 as `get`.
        """
        await self._kept(lambda: self._file.delete(name, owner))
        self._changes.ended(name)
        self._worker.wake()

    async def clear(self, owner: str, kinds: Collection[str], seconds: float) -> None:
        """Forget the tasks of an owner that ended at least so many seconds ago.

        Parameters
        ----------
        owner
            Whose tasks they are.
        kinds
            Of which kinds.
        seconds
            How long ago.
        """
        await self._kept(lambda: self._file.clear(owner, kinds, seconds))

    async def run(self) -> None:
        """Do tasks until `drain` is called; if cancelled, give back those that are not done."""
        await self._worker.run()

    async def drain(self, seconds: float) -> None:
        """Begin no more tasks, and give back to other workers what is not done in `seconds`.

        Those who wait are then told of their tasks as they are.
        """
        try:
            await self._worker.drain(seconds)
        finally:
            self._changes.release()

    def close(self) -> None:
        """Close the file, and remove it if it was a temporary one."""
        self._changes.close()
        self._database.close()
        if self._remove_folder is not None:
            self._remove_folder()

    async def _kept(self, call: Callable[[], T]) -> T:
        """Return what the file says; what is wrong with it is in the log alone."""
        try:
            return await self._off_loop(call)
        except StoreError as error:
            _LOG.error("tasks: %s", error)
            raise busy(_UNAVAILABLE, 503, code="tasks_unavailable", seconds=5) from None
