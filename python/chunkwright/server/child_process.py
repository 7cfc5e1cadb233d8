"""Process that does work for a worker: it loads the models, and then answers what it is asked."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

from chunkwright import telemetry
from chunkwright.concurrency.cores import yield_sooner
from chunkwright.errors import ChunkwrightError
from chunkwright.server.children.memory import give_back, offer_to_end
from chunkwright.server.children.work import RequestWork, TaskWork, Work
from chunkwright.server.guard.metrics import Metrics
from chunkwright.server.log_lines import log_to_stderr
from chunkwright.server.problems import problem_of

if TYPE_CHECKING:
    from chunkwright.server.guard.requests import App, Message, Receive
    from chunkwright.server.service import Service
    from chunkwright.server.settings import Settings

# Seconds between two looks whether work that was left has stopped.
_PULSE = 0.1


class _Counted(Metrics):
    """Chunks that were made and not told yet; the worker counts the rest."""

    def __init__(self) -> None:
        super().__init__()
        self._n = 0
        self._counting = Lock()

    def chunks(self, n: int) -> None:
        with self._counting:
            self._n += n

    def taken(self) -> int:
        """Return how many there are, and count from 0 again."""
        with self._counting:
            taken, self._n = self._n, 0
        return taken


class _Worker:
    """Does work on an event loop, and says what it comes to."""

    def __init__(self, line: Connection, app: App, service: Service) -> None:
        self._line = line
        self._app = app
        self._service = service
        self._metrics = service.metrics = _Counted()
        self._sending = Lock()
        self._senders = ThreadPoolExecutor(1)
        self._left: dict[int, asyncio.Event] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Do what comes, until the worker closes the line."""
        loop, is_over = asyncio.get_running_loop(), asyncio.Event()

        def hear() -> None:
            with suppress(EOFError, OSError):
                while True:
                    number, work = pickle.loads(self._line.recv_bytes())  # noqa: S301 - the worker's own
                    loop.call_soon_threadsafe(self._take, number, work)
            loop.call_soon_threadsafe(is_over.set)

        Thread(target=hear, daemon=True).start()
        await is_over.wait()

    def _take(self, number: int, work: Work | None) -> None:
        if work is not None:
            self._left[number] = asyncio.Event()
            self._tasks[number] = asyncio.ensure_future(self._do(number, work))
        elif number in self._tasks:
            self._left[number].set()

    async def _do(self, number: int, work: Work) -> None:
        left = self._left[number]
        is_right, value = False, None
        try:
            with telemetry.within(work.trace):
                value = await self._done(work, left)
            is_right = True
        except Exception as error:  # noqa: BLE001 - the worker is told
            value = error if isinstance(error, ChunkwrightError) else problem_of(error)
        if left.is_set():
            await self._stopped()
        del self._left[number], self._tasks[number]
        message = (number, is_right, value, self._metrics.taken())
        await asyncio.get_running_loop().run_in_executor(self._senders, self._send, message)
        if not self._tasks:
            give_back()

    async def _done(self, work: Work, left: asyncio.Event) -> Any:
        if isinstance(work, TaskWork):
            return await self._task(work, left)
        return await self._request(work, left)

    async def _task(self, work: TaskWork, left: asyncio.Event) -> Any:
        handler = self._service.handlers[work.kind]

        # How long it may take is the worker's to say, which tells when it is left.
        forever = float(sys.maxsize)
        call = self._service.pool.run(
            lambda: handler(work.request), timeout=forever, receive=_until(left)
        )
        return await call

    async def _request(self, work: RequestWork, left: asyncio.Event) -> list[Message]:
        from chunkwright.server.dialects import dialect_of
        from chunkwright.server.guard.requests import path_in, replaying

        scope = {**work.scope, "state": {**work.scope["state"]}}
        scope["state"]["dialect"] = dialect_of(path_in(scope))
        answer: list[Message] = []

        async def send(message: Message) -> None:
            answer.append(message)

        message = {"type": "http.request", "body": work.body, "more_body": False}
        await self._app(scope, replaying(message, _until(left)), send)
        return answer

    async def _stopped(self) -> None:
        """Wait until no thread works for those who have left."""
        pool = self._service.pool
        # A thread in another library tells nobody that it has stopped. Who waits has none.
        while pool.n_busy + pool.n_waiting > self._n_wanted():  # noqa: ASYNC110 - see above
            await asyncio.sleep(_PULSE)

    def _n_wanted(self) -> int:
        return sum(not each.is_set() for each in self._left.values())

    def _send(self, message: tuple[int, bool, Any, int]) -> None:
        try:
            data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        except Exception as error:  # noqa: BLE001 - an error may hold what is no value
            value = message[2] if isinstance(message[2], Exception) else error
            data = pickle.dumps((message[0], False, problem_of(value), message[3]))
        with suppress(OSError):
            self._line.send_bytes(data)


def _until(left: asyncio.Event) -> Receive:
    """Return what says that the client has gone, once nobody waits for the work."""

    async def receive() -> Message:
        await left.wait()
        return {"type": "http.disconnect"}

    return receive


def main(number: int) -> None:
    """Do work for the process that has started this one, by a line of this number."""
    # Whoever ends the service tells the worker, which lets work end and then closes the line. It
    # has started this process as the first of a group.
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, signal.SIG_IGN)
    offer_to_end()
    log_to_stderr()
    yield_sooner()
    line = Connection(number)
    try:
        settings: Settings = line.recv()
    except (EOFError, OSError):
        return
    failure: Exception | None = None
    try:
        app, service = _opened(settings)
    except ChunkwrightError as error:
        failure = error
    line.send(failure)
    if failure is None:
        asyncio.run(_Worker(line, app, service).run())
        telemetry.flush()
    # Threads that are left in a library need not end, nor programs that a reader has started.
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def _opened(settings: Settings) -> tuple[App, Service]:
    from chunkwright.server.app import routed_app

    app = routed_app(settings)
    service: Service = app.state.service
    service.models.load()
    return app, service
