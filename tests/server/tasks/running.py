"""Tasks that tests run: in this process with a clock of their own, and in worker processes."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import chunkwright as cw
from chunkwright.concurrency.background import in_background
from chunkwright.server.tasks import Result, TaskLimits, Tasks
from chunkwright.server.tasks.worker import Handler

T = TypeVar("T")

# Seconds for what comes at once unless something hangs.
PATIENCE = 60.0
# Seconds that nobody waits for.
LONG = 10 * PATIENCE
# Seconds since 1970 at which the clocks of tests begin.
START = 1_000_000.0
_STARTS = multiprocessing.get_context("spawn")


@dataclass
class Clock:
    """Clock that stands still until it is set."""

    now: float = START

    def __call__(self) -> float:
        return self.now


class Threads:
    """Threads without a bound."""

    async def run(self, call: Callable[[], T], *, timeout: float | None) -> T:  # noqa: ASYNC109
        async with asyncio.timeout(timeout):
            return await in_background(call)


def awaited(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Return what a coroutine returns, which has to end in time."""
    return asyncio.run(asyncio.wait_for(work(), PATIENCE))


def echo(request: bytes) -> Result:
    """Give back what was asked."""
    return Result("text/plain", request)


def refuse(request: bytes) -> Result:
    """Refuse a request as a strategy refuses an option."""
    raise cw.ConfigError(f"max_chars is {request.decode()}", option="max_chars")


class Held:
    """Handler that begins, and goes on when it is told to."""

    def __init__(self) -> None:
        self.begun, self.goes_on = threading.Semaphore(0), threading.Event()
        self.n_begun = 0

    def __call__(self, request: bytes) -> Result:
        self.n_begun += 1
        self.begun.release()
        self.goes_on.wait(PATIENCE)
        return Result("text/plain", request)

    async def wait(self) -> None:
        """Wait until it has begun."""
        assert await asyncio.to_thread(self.begun.acquire, timeout=PATIENCE)


def made(path: Path, pool: Any = None, **limits: Any) -> tuple[Tasks, Held]:
    """Return tasks with the handlers `echo`, `refuse` and `held`."""
    tasks, held = Tasks(path, pool or Threads(), TaskLimits(**limits)), Held()
    tasks.handle("echo", echo)
    tasks.handle("refuse", refuse)
    tasks.handle("held", held)
    return tasks, held


@asynccontextmanager
async def working(tasks: Tasks) -> AsyncIterator[Tasks]:
    """Have tasks done within the block, and close the file behind it."""
    run = asyncio.create_task(tasks.run())
    try:
        yield tasks
    finally:
        await tasks.drain(0)
        await run
        tasks.close()


class WorkerProcess:
    """Process with tasks in a file, which does what it is asked.

    Its handlers are `echo`, `pid`, `meet` (see `Meeting`), `spin` (in the core, until it is
    stopped), `die` and `refuse`.
    """

    def __init__(self, path: Path, clock: Any, limits: TaskLimits | None = None) -> None:
        self._connection, theirs = _STARTS.Pipe()
        self.process = _STARTS.Process(
            target=_serve, args=(theirs, path, clock, limits or TaskLimits()), daemon=True
        )
        self.process.start()
        theirs.close()

    @property
    def pid(self) -> int:
        assert self.process.pid is not None
        return self.process.pid

    def ask(self, method: str, *options: object) -> Any:
        """Return what a method of its `Tasks` returns, or raise what it raises."""
        return self.ask_all([(method, *options)])[0]

    def ask_all(self, calls: list[tuple[Any, ...]]) -> list[Any]:
        """Return what methods of its `Tasks` return, which it calls at once."""
        self._connection.send(calls)
        assert self._connection.poll(PATIENCE), "the process does not answer"
        answers = self._connection.recv()
        for answer in answers:
            if isinstance(answer, BaseException):
                raise answer
        return list(answers)

    def end(self) -> int:
        """Have it end its work in order, and return its exit code."""
        if self.process.is_alive():
            self._connection.send(None)
        return self.ended()

    def ended(self) -> int:
        """Wait until it has ended, and return its exit code."""
        self.process.join(PATIENCE)
        code = self.process.exitcode
        assert code is not None, "the process does not end"
        return code

    def kill(self) -> None:
        """End it now, if it has not ended."""
        self.process.kill()
        self.process.join()
        self._connection.close()


def shared_clock() -> Any:
    """Return a clock that processes share: a value that the test sets."""
    return _STARTS.Value("d", START)


def _serve(connection: Any, path: Path, clock: Any, limits: TaskLimits) -> None:
    asyncio.run(_answer(connection, Tasks(path, Threads(), limits, lambda: clock.value)))


async def _answer(connection: Any, tasks: Tasks) -> None:
    for kind, function in HANDLERS.items():
        tasks.handle(kind, function)
    async with working(tasks):
        while (calls := await in_background(connection.recv)) is not None:
            answers = [getattr(tasks, method)(*options) for method, *options in calls]
            connection.send(await asyncio.gather(*answers, return_exceptions=True))


class Meeting:
    """Pipes in the file system by which a test and a task `meet` wait for one another."""

    def __init__(self, folder: Path) -> None:
        self._begun, self._goes_on = folder / "begun", folder / "goes_on"
        for pipe in (self._begun, self._goes_on):
            os.mkfifo(pipe)
        self.request = str(folder).encode()

    def begun(self) -> int:
        """Wait until the task has begun; return the id of its process."""
        return int(self._begun.read_text())

    def go_on(self) -> None:
        """Let the task end."""
        self._goes_on.write_text("on")


def _meet(request: bytes) -> Result:
    folder = Path(request.decode())
    (folder / "begun").write_text(str(os.getpid()))
    (folder / "goes_on").read_text()
    return Result("text/plain", b"met")


def _spin(request: bytes) -> Result:
    begun, ended = map(Path, request.decode().split("\n"))
    text = "A word, and another. " * 1000
    begun.write_text("begun")
    try:
        while True:
            cw.chunk(text, strategy="recursive", max_chars=100)
    finally:
        ended.write_text("ended")


def _die(_request: bytes) -> Result:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


HANDLERS: dict[str, Handler] = {
    "echo": echo,
    "pid": lambda _: Result("text/plain", str(os.getpid()).encode()),
    "meet": _meet,
    "spin": _spin,
    "die": _die,
    "refuse": refuse,
}
