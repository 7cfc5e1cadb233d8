"""Changes of a file: who listens is told of commits, and who waits of the ends of tasks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from chunkwright.server.tasks import Result, TaskLimits
from chunkwright.server.tasks.changes import Changes
from chunkwright.server.tasks.database import OffLoop, TaskDatabase
from chunkwright.server.tasks.file import TaskFile
from chunkwright.server.tasks.leases import Leases
from tests.server.tasks.running import PATIENCE, awaited


def test_who_listens_is_told_of_each_commit(database: TaskDatabase) -> None:
    file = TaskFile(database, TaskLimits())
    event = asyncio.Event()

    async def run() -> None:
        changes = Changes(database, file.unfinished, OffLoop())
        with changes.listening(event):
            for _ in range(3):
                await asyncio.to_thread(file.submit, "echo", b"", "")
                await event.wait()
                event.clear()
        changes.close()

    awaited(run)


def test_who_waits_is_told_of_the_end_and_of_nothing_else(database: TaskDatabase) -> None:
    file, leases = TaskFile(database, TaskLimits()), Leases(database, TaskLimits())
    asked: list[list[str]] = []

    async def run() -> None:
        loop, has_looked = asyncio.get_running_loop(), asyncio.Event()

        def unfinished(names: Iterable[str]) -> set[str]:
            asked.append(list(names))
            loop.call_soon_threadsafe(has_looked.set)
            return file.unfinished(names)

        changes = Changes(database, unfinished, OffLoop())
        first, second = (file.submit("echo", b"", "").id for _ in range(2))
        claim = leases.claim(["echo"])
        assert claim is not None
        with changes.waiting(first) as ended, changes.waiting(second) as other:
            # The first look, which finds both as they were.
            await has_looked.wait()
            leases.succeed(claim.lease, Result("text/plain", b""))
            await asyncio.wait_for(ended.wait(), PATIENCE)
            assert not other.is_set()
        assert {frozenset(names) for names in asked} == {frozenset({first, second})}
        changes.close()

    awaited(run)


def test_nobody_waits_any_more_once_released(database: TaskDatabase) -> None:
    async def run() -> None:
        file = TaskFile(database, TaskLimits())
        changes = Changes(database, file.unfinished, OffLoop())
        name = file.submit("echo", b"", "").id
        with changes.waiting(name) as before:
            changes.release()
            assert before.is_set()
        with changes.waiting(name) as after:
            assert after.is_set()
        changes.close()

    awaited(run)
