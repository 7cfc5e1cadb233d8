"""Changes of the file of tasks by any process, for those of this one who wait for them."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Lock

from chunkwright.errors import StoreError
from chunkwright.server.tasks.database import OffLoop, TaskDatabase

# Seconds between two looks at the file: while requests wait for tasks, and while none do.
_PERIOD = 0.05
_QUIET_PERIOD = 0.2


class Changes:
    """Looks at the file again and again, as long as anybody waits for a change.

    SQLite has a number that each commit of another connection changes. To look at it takes some
    microseconds, and is done once for all who wait.

    Parameters
    ----------
    database
        The file.
    unfinished
        Returns which of some ids are of tasks that have not ended.
    off_loop
        Makes calls that block.
    """

    def __init__(
        self,
        database: TaskDatabase,
        unfinished: Callable[[Iterable[str]], set[str]],
        off_loop: OffLoop,
    ) -> None:
        self._unfinished = unfinished
        self._off_loop = off_loop
        self._version = _Version(database)
        self._listeners: set[asyncio.Event] = set()
        self._waiters: dict[str, set[asyncio.Event]] = {}
        self._looking: asyncio.Task[None] | None = None
        self._is_over = False

    @contextmanager
    def listening(self, event: asyncio.Event) -> Iterator[None]:
        """Set an event at each change."""
        self._listeners.add(event)
        self._look()
        try:
            yield
        finally:
            self._listeners.discard(event)

    @contextmanager
    def waiting(self, name: str) -> Iterator[asyncio.Event]:
        """Give an event that is set when the task of an id ends, or nobody is to wait any more."""
        event = asyncio.Event()
        if self._is_over:
            event.set()
        self._waiters.setdefault(name, set()).add(event)
        self._look()
        try:
            yield event
        finally:
            events = self._waiters.get(name, set())
            events.discard(event)
            if not events:
                self._waiters.pop(name, None)

    def ended(self, name: str) -> None:
        """Tell those at once who wait for a task that this process has ended."""
        for event in self._waiters.pop(name, ()):
            event.set()

    def release(self) -> None:
        """Tell all who wait for tasks, now and later, that they are not to wait."""
        self._is_over = True
        for name in list(self._waiters):
            self.ended(name)

    def close(self) -> None:
        """Close the connection to the file."""
        self._version.close()

    def _look(self) -> None:
        if self._looking is None or self._looking.done():
            self._looking = asyncio.ensure_future(self._look_again())

    async def _look_again(self) -> None:
        while self._listeners or self._waiters:
            await asyncio.sleep(_PERIOD if self._waiters else _QUIET_PERIOD)
            try:
                if await self._off_loop(self._version.is_changed):
                    await self._tell()
            except StoreError:
                # Those who wait read the file at the end of their time, and learn of it then.
                self._version.forget()

    async def _tell(self) -> None:
        for event in self._listeners:
            event.set()
        if names := list(self._waiters):
            unfinished = await self._off_loop(lambda: self._unfinished(names))
            for name in set(names) - unfinished:
                self.ended(name)


class _Version:
    """Number of the file's commits, as one connection sees it that makes none."""

    def __init__(self, database: TaskDatabase) -> None:
        self._database = database
        self._lock = Lock()
        self._connection: sqlite3.Connection | None = None
        self._last: int | None = None
        self._is_closed = False

    def is_changed(self) -> bool:
        """Return whether anything was committed since the last call that returned.

        Raises
        ------
        StoreError
            If the file cannot be read.
        """
        with self._lock, self._database.told():
            if self._is_closed:
                return False
            if self._connection is None:
                self._connection = self._database.connected()
            (version,) = self._connection.execute("PRAGMA data_version").fetchone()
            is_changed, self._last = version != self._last, version
            return bool(is_changed)

    def forget(self) -> None:
        """Take the next look for one that finds a change."""
        self._last = None

    def close(self) -> None:
        """Close the connection; from now on nothing changes."""
        with self._lock:
            self._is_closed = True
            if self._connection is not None:
                self._connection.close()
