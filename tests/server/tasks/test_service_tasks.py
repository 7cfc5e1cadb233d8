"""Tasks of a service: what becomes of them when it ends, and where they are kept."""

from __future__ import annotations

import asyncio
import gc
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from chunkwright.server.pool import Pool
from chunkwright.server.settings import Settings
from chunkwright.server.tasks import Tasks
from tests.server.tasks.running import LONG, awaited, echo, made, working


def test_draining_lets_tasks_end_and_begins_no_more(path: Path) -> None:
    async def run() -> None:
        tasks, held = made(path)
        work = asyncio.create_task(tasks.run())
        names = [(await tasks.submit("held", b"", "")).id for _ in range(2)]
        await held.wait()
        drain = asyncio.create_task(tasks.drain(LONG))
        await asyncio.sleep(0)
        held.goes_on.set()
        await drain
        await work
        states = [(await tasks.get(name, "")).state for name in names]
        assert states == ["success", "pending"]
        assert held.n_begun == 1
        tasks.close()

    awaited(run)


@pytest.mark.parametrize("is_cancelled", [False, True])
def test_what_is_not_done_when_draining_ends_is_given_back(
    path: Path, *, is_cancelled: bool
) -> None:
    async def run() -> None:
        tasks, held = made(path)
        work = asyncio.create_task(tasks.run())
        task = await tasks.submit("held", b"asked", "")
        await held.wait()
        if is_cancelled:
            work.cancel()
        else:
            await tasks.drain(0)
        await asyncio.wait([work])
        assert await tasks.get(task.id, "") == task
        held.goes_on.set()
        tasks.close()
        # The next worker does it.
        others, held = made(path)
        held.goes_on.set()
        async with working(others):
            assert (await others.wait(task.id, "", LONG)).state == "success"
        assert held.n_begun == 1

    awaited(run)


def test_who_waits_is_told_when_draining_ends(path: Path) -> None:
    async def run() -> None:
        tasks, held = made(path)
        work = asyncio.create_task(tasks.run())
        task = await tasks.submit("held", b"", "")
        await held.wait()
        wait = asyncio.create_task(tasks.wait(task.id, "", LONG))
        await asyncio.sleep(0)
        await tasks.drain(0)
        await work
        assert (await wait).id == task.id
        assert await tasks.wait(task.id, "", LONG) == task
        held.goes_on.set()
        tasks.close()

    awaited(run)


def test_tasks_of_a_service_have_its_settings_and_a_file_that_ends_with_it() -> None:
    async def run() -> None:
        settings = Settings(threads=1, keep_results=7)
        tasks = Tasks.of(settings, Pool(1, 8, LONG))
        tasks.handle("echo", echo)
        file = tasks.path
        async with working(tasks):
            task = await tasks.submit("echo", b"", "")
            assert (await tasks.wait(task.id, "", LONG)).state == "success"
            assert file.exists()
        assert not file.parent.exists()

    awaited(run)


def test_tasks_of_a_service_stay_in_the_file_that_is_named(path: Path) -> None:
    async def run(is_first: bool) -> None:
        settings = replace(Settings(), tasks_file=str(path))
        async with working(Tasks.of(settings, Pool(1, 8, LONG))) as tasks:
            tasks.handle("echo", echo)
            if is_first:
                names.append((await tasks.submit("echo", b"asked", "")).id)
                await tasks.wait(names[0], "", LONG)
            assert (await tasks.result(names[0], "")).body == b"asked"

    names: list[str] = []
    for is_first in (True, False):
        awaited(lambda is_first=is_first: run(is_first))  # type: ignore[misc]
    assert path.exists()


def test_a_service_that_never_starts_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("fastapi", reason="the service needs the extra server")
    from chunkwright.server import create_app

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    made = [create_app(Settings())]
    assert list(tmp_path.rglob("tasks.db"))
    made.clear()
    gc.collect()
    assert not list(tmp_path.iterdir())
