"""Tasks of one process: done, waited for, deleted, drained, on threads that may be busy."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

import chunkwright as cw
from chunkwright.server.pool import Pool
from chunkwright.server.problems import Problem, busy
from chunkwright.server.tasks import Result, TaskLimits, Tasks
from tests.server.tasks.running import (
    LONG,
    PATIENCE,
    Clock,
    Held,
    Threads,
    awaited,
    echo,
    made,
    working,
)

T = TypeVar("T")


def test_a_task_is_done_and_its_result_fetched_more_than_once(path: Path) -> None:
    async def run() -> None:
        async with working(made(path)[0]) as tasks:
            task = await tasks.submit("echo", b"asked", "me")
            done = await tasks.wait(task.id, "me", LONG)
            assert (done.state, done.attempts, done.error) == ("success", 1, None)
            for _ in range(2):
                assert await tasks.result(task.id, "me") == Result("text/plain", b"asked")
            with pytest.raises(Problem, match="there is no task"):
                await tasks.wait(task.id, "other", LONG)

    awaited(run)


def test_an_error_of_a_task_names_the_field(path: Path) -> None:
    async def run() -> None:
        async with working(made(path)[0]) as tasks:
            task = await tasks.submit("refuse", b"0", "")
            done = await tasks.wait(task.id, "", LONG)
            assert done.state == "failure"
            assert done.error is not None
            assert done.error.status == 422
            assert done.error.row == {
                "code": "invalid_value",
                "message": "max_chars is 0",
                "field": "max_chars",
            }

    awaited(run)


def test_a_fault_of_a_handler_tells_clients_nothing(path: Path) -> None:
    def fault(request: bytes) -> Result:
        raise ZeroDivisionError(request)

    async def run() -> None:
        tasks, _ = made(path)
        tasks.handle("fault", fault)
        async with working(tasks):
            task = await tasks.submit("fault", b"a secret", "")
            done = await tasks.wait(task.id, "", LONG)
            assert done.error is not None
            assert (done.error.status, done.error.code) == (500, "internal")
            assert "secret" not in done.error.message
            other = await tasks.submit("echo", b"asked", "")
            assert (await tasks.wait(other.id, "", LONG)).state == "success"

    awaited(run)


def test_a_wait_ends_with_its_time(path: Path) -> None:
    async def run() -> None:
        tasks, held = made(path)
        async with working(tasks):
            task = await tasks.submit("held", b"", "")
            await held.wait()
            for seconds in (0, 0.01):
                assert (await tasks.wait(task.id, "", seconds)).state == "started"
            held.goes_on.set()
            assert (await tasks.wait(task.id, "", LONG)).state == "success"
            assert (await tasks.wait(task.id, "", LONG)).state == "success"

    awaited(run)


def test_many_wait_for_one_task_and_one_for_many(path: Path) -> None:
    async def run() -> None:
        async with working(made(path)[0]) as tasks:
            names = [(await tasks.submit("echo", str(i).encode(), "")).id for i in range(40)]
            waits = [tasks.wait(name, "", LONG) for name in names * 3]
            assert {task.state for task in await asyncio.gather(*waits)} == {"success"}
            results = await asyncio.gather(*(tasks.result(name, "") for name in names))
            assert [int(result.body) for result in results] == list(range(40))

    awaited(run)


def test_no_more_tasks_are_done_at_once_than_the_limit(path: Path) -> None:
    async def run() -> None:
        tasks, held = made(path, at_once=2)
        async with working(tasks):
            names = [(await tasks.submit("held", b"", "")).id for _ in range(4)]
            for _ in range(2):
                await held.wait()
            states = [(await tasks.get(name, "")).state for name in names]
            assert states == ["started", "started", "pending", "pending"]
            assert (await tasks.get(names[3], "")).position == 2
            assert held.n_begun == 2
            held.goes_on.set()
            for name in names:
                assert (await tasks.wait(name, "", LONG)).state == "success"

    awaited(run)


def test_who_waits_for_a_task_that_is_deleted_is_told(path: Path) -> None:
    async def run() -> None:
        tasks, held = made(path)
        async with working(tasks):
            task = await tasks.submit("held", b"", "")
            await held.wait()
            wait = asyncio.create_task(tasks.wait(task.id, "", LONG))
            await asyncio.sleep(0)
            await tasks.delete(task.id, "")
            with pytest.raises(Problem, match="was deleted"):
                await wait
            # The worker is free for others, though the thread of the first has not ended.
            other = await tasks.submit("echo", b"", "")
            assert (await tasks.wait(other.id, "", LONG)).state == "success"
            held.goes_on.set()

    awaited(run)


def test_a_deleted_task_stops_in_the_core(path: Path) -> None:
    begun, ended = threading.Event(), threading.Event()

    def spin(_request: bytes) -> Result:
        begun.set()
        try:
            while True:
                cw.chunk("A word, and another. " * 1000, strategy="recursive", max_chars=100)
        finally:
            ended.set()

    async def run() -> None:
        tasks, _ = made(path, Pool(1, 0, LONG))
        tasks.handle("spin", spin)
        async with working(tasks):
            task = await tasks.submit("spin", b"", "")
            assert await asyncio.to_thread(begun.wait, PATIENCE)
            await tasks.delete(task.id, "")
            assert await asyncio.to_thread(ended.wait, PATIENCE)

    awaited(run)


def test_a_task_whose_time_is_up_has_failed(path: Path) -> None:
    async def run() -> None:
        tasks, held = made(path, Pool(2, 0, LONG), timeout=0.01)
        async with working(tasks):
            # Half of the seconds may be over before it begins, and it is tried again.
            task = await tasks.submit("held", b"", "")
            done = await tasks.wait(task.id, "", LONG)
            assert done.error is not None
            assert (done.error.status, done.error.code) == (504, "timeout")
            held.goes_on.set()

    awaited(run)


def test_an_error_with_a_surrogate_is_told(path: Path) -> None:
    async def run() -> None:
        async with working(made(path)[0]) as tasks:
            tasks.handle("odd", lambda _: echo_odd())
            task = await tasks.submit("odd", b"", "")
            done = await tasks.wait(task.id, "", LONG)
            assert done.error is not None
            assert done.error.row == {
                "code": "unreadable",
                "message": "no \\udcff",
                "field": None,
            }

    def echo_odd() -> Result:
        raise cw.ReadError("no \udcff")

    awaited(run)


class BusyAtFirst(Threads):
    """Threads that requests have taken, until they are free."""

    def __init__(self, problem: Problem) -> None:
        self.problem: Problem | None = problem
        self.refused = asyncio.Event()

    async def run(self, call: Callable[[], T], *, timeout: float | None) -> T:  # noqa: ASYNC109
        if self.problem is not None:
            self.refused.set()
            raise self.problem
        return await super().run(call, timeout=timeout)


@pytest.mark.parametrize("problem", [busy("all wait"), Problem(504, "timeout", "too long")])
def test_a_task_that_got_no_thread_waits_on(path: Path, problem: Problem) -> None:
    async def run() -> None:
        pool = BusyAtFirst(problem)
        async with working(made(path, pool)[0]) as tasks:
            task = await tasks.submit("echo", b"asked", "")
            await pool.refused.wait()
            pool.problem = None
            done = await tasks.wait(task.id, "", LONG)
            assert (done.state, done.attempts) == ("success", 1)

    awaited(run)


def test_tasks_expire_by_the_clock_while_nobody_asks(path: Path, clock: Clock) -> None:
    async def run() -> None:
        tasks = Tasks(path, Threads(), TaskLimits(keep=60, lease=0.05), clock)
        tasks.handle("echo", echo)
        async with working(tasks):
            task = await tasks.submit("echo", b"asked", "")
            await tasks.wait(task.id, "", LONG)
            clock.now += 61
            await asyncio.to_thread(wait_until, tasks, "SELECT count(*) = 0 FROM tasks")
            with pytest.raises(Problem, match="has expired"):
                await tasks.get(task.id, "")

    awaited(run)


def wait_until(tasks: Tasks, query: str) -> None:
    """Wait until a query says so."""
    deadline = time.monotonic() + PATIENCE
    is_so = False
    while not is_so:
        assert time.monotonic() < deadline, query
        time.sleep(0.01)
        with tasks._database.reading() as connection:
            (is_so,) = connection.execute(query).fetchone()


def test_leases_are_renewed_while_tasks_are_done(path: Path, clock: Clock) -> None:
    async def run() -> None:
        tasks, held = Tasks(path, Threads(), TaskLimits(lease=0.1), clock), Held()
        tasks.handle("held", held)
        async with working(tasks):
            task = await tasks.submit("held", b"", "")
            await held.wait()
            for _ in range(3):
                clock.now += 5
                query = f"SELECT lease_ends >= {clock.now} FROM tasks"
                await asyncio.to_thread(wait_until, tasks, query)
            held.goes_on.set()
            done = await tasks.wait(task.id, "", LONG)
            assert (done.state, done.attempts) == ("success", 1)

    awaited(run)
