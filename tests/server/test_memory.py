"""Limit of memory: work that passes it is ended and answered 507, and the service goes on."""

from __future__ import annotations

import asyncio
import sys
from threading import Thread
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="needs the extra server")
pytest.importorskip("httptools", reason="needs the extra server")
if not sys.platform.startswith("linux"):
    pytest.skip("needs Linux, which says what memory a process has", allow_module_level=True)

from chunkwright.errors import ConfigError
from chunkwright.server import Settings, create_app
from chunkwright.server.guard import memory as guard
from chunkwright.server.problems import Problem
from tests.server.running import Answer, serving

MEGABYTE = 10**6
# A list of nothing but marks takes 70 times its size.
LARGE = {"text": "*a " * 4 * MEGABYTE, "kind": "markdown", "name": "a.md"}


def test_a_limit_below_what_a_service_takes_at_rest_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"max_memory must be more than the .* at rest, got 1MB"):
        create_app(Settings(max_memory=MEGABYTE))


def test_the_largest_body_that_is_not_answered_yet_is_ended_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guard, "resident", lambda: 1)
    monkeypatch.setattr(guard, "_REST", 0.01)
    memory = guard.Memory(2)
    ended: list[tuple[int, int]] = []
    # It is over the limit until two have ended.
    monkeypatch.setattr(guard, "resident", lambda: 3 if len(ended) < 2 else 1)

    async def sent(message: Any) -> None:
        del message

    async def one(size: int, *, is_answered: bool = False) -> None:
        async def app(scope: Any, receive: Any, send: Any) -> None:
            del scope, receive
            if is_answered:
                await send({"type": "http.response.start"})
            await until.wait()

        try:
            await memory.worked(app, {}, None, sent, size)  # type: ignore[arg-type]
        except Problem as problem:
            ended.append((problem.status, size))
            if len(ended) == 2:
                until.set()

    async def all_of_them() -> None:
        await asyncio.gather(one(10), one(30), one(99, is_answered=True), one(20))

    until = asyncio.Event()
    asyncio.run(all_of_them())
    assert ended == [(507, 30), (507, 20)]


def test_a_request_whose_client_goes_is_no_problem_of_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guard, "resident", lambda: 1)
    memory, begun = guard.Memory(2), asyncio.Event()

    async def app(*_: Any) -> None:
        begun.set()
        await asyncio.Event().wait()

    async def run() -> None:
        asked = asyncio.ensure_future(memory.worked(app, {}, None, None, 1))  # type: ignore[arg-type]
        await begun.wait()
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked

    asyncio.run(run())


@pytest.mark.slow
def test_work_that_takes_too_much_is_ended_and_others_go_on() -> None:
    found: list[Answer] = []

    def ask(path: str, body: Any) -> None:
        found.append(running.ask("POST", path, body))

    with serving("--max-memory", "400MB", "--max-body", "20MB") as running:
        asking = Thread(target=ask, args=("/v1/read", LARGE))
        asking.start()
        statuses = {running.cut().status for _ in range(20)}
        asking.join()
        assert statuses == {200}
        (answer,) = found
        assert (answer.status, answer.json["error"]["code"]) == (507, "too_much_memory")
        assert running.cut().status == 200
        assert running.stop(15) == 0
        assert "is ended for its memory" in running.log
        assert "Traceback" not in running.log
