"""Pool of threads for requests: its limits, and calls that are ended."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Callable
from threading import Event
from typing import Any

import pytest

from chunkwright import Cluster
from chunkwright.server.pool import Pool
from chunkwright.server.problems import Problem, problem_of


async def _until(holds: Callable[[], bool]) -> None:
    while not holds():  # noqa: ASYNC110 - a thread changes it
        await asyncio.sleep(0.001)


def test_what_does_not_fit_a_thread_or_the_queue_is_sent_away() -> None:
    async def run() -> None:
        pool, go = Pool(threads=2, most_waiting=3, timeout=60), Event()
        works = [asyncio.ensure_future(pool.run(go.wait)) for _ in range(20)]
        # All at once, before any has begun.
        done, waiting = await asyncio.wait(works, return_when=asyncio.FIRST_EXCEPTION)
        problems = [work.exception() for work in done]
        assert [getattr(each, "status", None) for each in problems] == [429] * 15
        assert all(getattr(each, "headers", {}).get("Retry-After") for each in problems)
        assert (pool.n_busy, pool.n_waiting) == (2, 3)
        go.set()
        await asyncio.gather(*waiting)
        assert await pool.run(lambda: 1) == 1
        assert (pool.n_busy, pool.n_waiting) == (0, 0)

    asyncio.run(run())


def test_without_a_queue_only_what_has_a_thread_is_taken() -> None:
    async def run() -> None:
        pool, go = Pool(threads=1, most_waiting=0, timeout=60), Event()
        first = asyncio.ensure_future(pool.run(go.wait))
        await asyncio.sleep(0)
        with pytest.raises(Problem, match="too many"):
            await pool.run(lambda: 1)
        go.set()
        assert await first

    asyncio.run(run())


def test_work_that_takes_too_long_ends_and_frees_its_thread() -> None:
    async def run() -> None:
        pool = Pool(threads=1, most_waiting=1, timeout=0.05)
        text = "It rains in the hills. The river rises; nobody goes out.\n\n" * 100_000
        for _ in range(3):
            with pytest.raises(Problem, match="longer than") as caught:
                await pool.run(lambda: Cluster()(text))
            assert caught.value.status == 504
            await _until(lambda: not pool.n_busy)
        assert await pool.run(lambda: 1, timeout=60) == 1

    asyncio.run(run())


def test_work_that_cannot_be_stopped_keeps_its_thread_until_it_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def pass_by(seconds: float) -> None:
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(loop, "time", lambda now=loop.time: now() + seconds)

    async def run() -> None:
        pool, begun, go = Pool(threads=1, most_waiting=1, timeout=600), Event(), Event()

        def call() -> bool:
            begun.set()
            return go.wait(600)

        work = asyncio.ensure_future(pool.run(call))
        await _until(begun.is_set)
        pass_by(600)
        with pytest.raises(Problem, match="longer than"):
            await work
        assert pool.n_busy == 1
        # Another one waits for it in vain, and leaves nothing behind.
        work = asyncio.ensure_future(pool.run(lambda: True))
        await _until(lambda: pool.n_waiting == 1)
        pass_by(600)
        with pytest.raises(Problem, match="longer than"):
            await work
        assert (pool.n_busy, pool.n_waiting) == (1, 0)
        go.set()
        await _until(lambda: not pool.n_busy)
        assert await pool.run(lambda: 1, timeout=60) == 1

    asyncio.run(run())


def test_work_ends_when_its_client_goes() -> None:
    async def run() -> None:
        pool, gone = Pool(threads=1, most_waiting=1, timeout=60), asyncio.Event()

        async def receive() -> dict[str, Any]:
            await gone.wait()
            return {"type": "http.disconnect"}

        text = "It rains in the hills. The river rises; nobody goes out.\n\n" * 100_000
        running = asyncio.ensure_future(pool.run(lambda: Cluster()(text), receive=receive))
        await _until(lambda: bool(pool.n_busy))
        gone.set()
        with pytest.raises(Problem, match="gone"):
            await running
        await _until(lambda: not pool.n_busy)

    asyncio.run(run())


@pytest.mark.parametrize(
    ("number", "code"), [(errno.ENOSPC, "no_space"), (errno.EMFILE, "no_files"), (None, "internal")]
)
def test_what_a_machine_lacks_for_a_while_is_no_fault(number: int | None, code: str) -> None:
    error = OSError("odd") if number is None else OSError(number, "lacking")
    problem = problem_of(error)
    assert (problem.status, problem.code) == (500 if number is None else 503, code)
    assert ("Retry-After" in problem.headers) == (number is not None)
