"""Files of tasks that are damaged, of another kind, locked or too large for their disk."""

from __future__ import annotations

import asyncio
import multiprocessing
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from chunkwright.errors import StoreError
from chunkwright.server.problems import Problem
from chunkwright.server.tasks import Result, TaskLimits, Tasks
from chunkwright.server.tasks.database import TaskDatabase
from chunkwright.server.tasks.file import TaskFile
from tests.server.tasks.running import LONG, PATIENCE, Threads, awaited, echo, working

resource = pytest.importorskip("resource", reason="limits of files are of Unix alone")


def opened(path: Path, **limits: Any) -> Tasks:
    tasks = Tasks(path, Threads(), TaskLimits(**limits))
    tasks.handle("echo", echo)
    return tasks


def test_a_file_of_another_kind_is_refused_and_left_alone(path: Path) -> None:
    path.write_text("my notes")
    with pytest.raises(StoreError, match="it is no file of tasks, and no database"):
        TaskDatabase(path)
    assert path.read_text() == "my notes"


def test_a_database_of_another_kind_is_refused_and_left_alone(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE mine (value)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="a database of SQLite that holds no tasks"):
        TaskDatabase(path)
    assert path.read_bytes() == before


def test_a_file_of_a_later_version_is_refused(path: Path) -> None:
    TaskDatabase(path).close()
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version = 7")
    other.close()
    with pytest.raises(StoreError, match="as version 7 does, this is version 1"):
        TaskDatabase(path)


@pytest.mark.parametrize("where", ["folder", "absent/tasks.db", "folder/\0"])
def test_what_can_be_no_file_is_refused(tmp_path: Path, where: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreError, match=r"a folder|No such file|null byte"):
        TaskDatabase(tmp_path / where)


def test_a_file_that_is_cut_short_is_refused(path: Path) -> None:
    TaskDatabase(path).close()
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(StoreError, match=r"malformed|SQLITE_"):
        TaskDatabase(path)


def damage(path: Path) -> bytes:
    """Write nonsense behind the header of a file, and return what was there."""
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    other.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:100] + b"\xff" * (len(whole) - 100))
    return whole


def test_a_file_that_is_damaged_meanwhile_is_unavailable_until_it_is_whole(path: Path) -> None:
    async def run() -> None:
        async with working(opened(path, at_once=0)) as tasks:
            task = await tasks.submit("echo", b"asked", "me")
            whole = damage(path)
            for call in (
                tasks.get(task.id, "me"),
                tasks.wait(task.id, "me", 0.01),
                tasks.submit("echo", b"", "me"),
            ):
                with pytest.raises(Problem, match="cannot be read or kept now") as raised:
                    await call
                assert (raised.value.status, raised.value.code) == (503, "tasks_unavailable")
                assert str(path) not in raised.value.message
            await asyncio.to_thread(path.write_bytes, whole)
            assert await tasks.get(task.id, "me") == task

    awaited(run)


def test_a_file_that_another_program_locks_is_unavailable_until_it_lets_go(path: Path) -> None:
    database = TaskDatabase(path, patience=0.01)
    file = TaskFile(database, TaskLimits())
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match=r"tasks.db: database is locked \(SQLITE_BUSY\)"):
        file.submit("echo", b"", "")
    other.execute("ROLLBACK")
    other.close()
    assert file.submit("echo", b"", "").position == 1
    database.close()


def test_a_worker_goes_on_when_a_file_was_locked(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = asyncio.Event()
    connected = TaskDatabase._connected

    def impatient(self: TaskDatabase) -> sqlite3.Connection:
        self._patience = 0.01
        return connected(self)

    async def run() -> None:
        tasks = opened(path)
        task = await tasks.submit("echo", b"asked", "")
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(
            "chunkwright.server.tasks.worker._LOG.warning",
            lambda *_: loop.call_soon(refused.set),
        )
        async with working(tasks):
            await refused.wait()
            other.execute("ROLLBACK")
            other.close()
            assert (await tasks.wait(task.id, "", LONG)).state == "success"

    with monkeypatch.context() as patch:
        patch.setattr(TaskDatabase, "_connected", impatient)
        awaited(run)


def test_a_closed_file_is_unavailable(path: Path) -> None:
    async def run() -> None:
        async with working(opened(path)) as tasks:
            task = await tasks.submit("echo", b"", "")
        with pytest.raises(Problem) as raised:
            await tasks.get(task.id, "")
        assert raised.value.status == 503

    awaited(run)


def _fill(path: Path, said: Any) -> None:
    """Have tasks in a file that can have so many bytes, as on a disk that is full."""
    most = 400_000
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    asyncio.run(_fill_it(path, most, said))


async def _fill_it(path: Path, most: int, said: Any) -> None:
    tasks = opened(path, lease=0.5)
    tasks.handle("grow", lambda _: Result("text/plain", b"x" * most))
    async with working(tasks):
        try:
            await tasks.submit("echo", b"x" * most, "")
        except Problem as problem:
            said.put((problem.status, problem.code))
        # What is small is still taken, and done.
        task = await tasks.submit("echo", b"asked", "")
        said.put((await tasks.wait(task.id, "", LONG)).state)
        task = await tasks.submit("grow", b"", "")
        done = await tasks.wait(task.id, "", LONG)
        said.put((done.state, done.error and done.error.code))
        task = await tasks.submit("echo", b"asked", "")
        await tasks.wait(task.id, "", LONG)
        said.put((await tasks.result(task.id, "")).body)


def test_a_full_disk_refuses_what_is_large_and_goes_on(path: Path) -> None:
    starts = multiprocessing.get_context("spawn")
    said = starts.SimpleQueue()
    child = starts.Process(target=_fill, args=(path, said))
    child.start()
    child.join(PATIENCE)
    child.kill()
    assert child.exitcode == 0
    assert said.get() == (503, "tasks_unavailable")
    assert said.get() == "success"
    assert said.get() == ("failure", "not_kept")
    assert said.get() == b"asked"
    said.close()
    child.close()
