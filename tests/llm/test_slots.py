"""Requests under way: one bound for all threads, calls and loops of a runner."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from chunkwright.llm import Budget, Message, Reply, Request, Runner
from chunkwright.llm.request import plain_text
from chunkwright.llm.run.ledger import Ledger
from chunkwright.llm.run.sender import Sender
from chunkwright.llm.run.slots import Deadlines, Slots

# Long enough for any machine; nothing waits for so long unless it fails.
PATIENCE = 60


def asked(text: str) -> Request[str]:
    return Request((Message("user", text),), plain_text)


class Watched:
    """A model that sees how many calls are under way, and lets the first wait for all others."""

    def __init__(self, together: int) -> None:
        self.most = 0
        self._now = 0
        self._lock = threading.Lock()
        # Without a bound, so many would come together; with one, the first goes on alone.
        self._full = threading.Event()
        self._together = together

    def __call__(self, messages: list[dict[str, str]]) -> str:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
            if self._now == self._together:
                self._full.set()
        assert self._full.wait(PATIENCE)
        with self._lock:
            self._now -= 1
        return messages[-1]["content"].upper()


@pytest.mark.parametrize("n_each", [1, 10])
def test_threads_share_the_bound(n_each: int) -> None:
    model = Watched(together=2)
    runner = Runner(model, concurrency=2)

    def ask(thread: int) -> list[str | None]:
        requests = [asked(f"text {thread} {i}") for i in range(n_each)]
        return [answer.value for answer in runner.ask(requests)]

    with ThreadPoolExecutor(20) as pool:
        found = list(pool.map(ask, range(20)))
    assert found == [[f"TEXT {thread} {i}" for i in range(n_each)] for thread in range(20)]
    assert model.most == 2
    assert runner.ledger.outcomes == Counter(answered=20 * n_each)


def test_event_loops_share_the_bound() -> None:
    model = Watched(together=3)
    runner = Runner(model, concurrency=3)

    async def ask_in_loop(n: int) -> list[str | None]:
        calls = (asyncio.to_thread(lambda: list(runner.ask([asked("a")]))) for _ in range(n))
        return [answer.value for (answer,) in await asyncio.gather(*calls)]

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda n: asyncio.run(ask_in_loop(n)), [3] * 4))
    assert found == [["A"] * 3] * 4
    assert model.most == 3


def test_a_budget_is_kept_by_all_threads() -> None:
    runner = Runner(lambda _: "Fine.", concurrency=3, budget=Budget(calls=17))

    def ask(_: int) -> list[str]:
        return [answer.outcome for answer in runner.ask([asked("a")] * 5)]

    with ThreadPoolExecutor(10) as pool:
        outcomes = Counter(each for found in pool.map(ask, range(10)) for each in found)
    assert outcomes == Counter(answered=17, unpaid=33)
    assert runner.ledger.n_calls == 17


@pytest.mark.parametrize("concurrency", [1, 2])
@pytest.mark.parametrize("depth", [1, 5])
def test_a_function_that_asks_its_own_runner(concurrency: int, depth: int) -> None:
    now, most, lock = 0, 0, threading.Lock()

    def model(messages: list[dict[str, str]]) -> str:
        nonlocal now, most
        number = int(messages[-1]["content"])
        if number < depth:
            inner = runner.ask([asked(str(number + 1))] * 3)
            return f"{number} {[answer.value for answer in inner].pop()}"
        # Those that wait for what they ask themselves are not under way.
        with lock:
            now += 1
            most = max(most, now)
        with lock:
            now -= 1
        return str(number)

    runner = Runner(model, concurrency=concurrency)
    expected = " ".join(map(str, range(depth + 1)))
    assert [answer.value for answer in runner.ask([asked("0")] * 3)] == [expected] * 3
    assert most <= concurrency
    assert runner.ledger.outcomes == Counter(answered=sum(3**i for i in range(1, depth + 2)))


def test_two_runners_that_ask_each_other() -> None:
    def model(messages: list[dict[str, str]]) -> str:
        number = int(messages[-1]["content"])
        other = (first, second)[number % 2]
        if number == 6:
            return "6"
        (answer,) = other.ask([asked(str(number + 1))])
        return f"{number} {answer.value}"

    first, second = (Runner(model, concurrency=1) for _ in range(2))
    (answer,) = first.ask([asked("0")])
    assert answer.value == "0 1 2 3 4 5 6"


def test_a_run_that_is_closed_gives_its_slots_back() -> None:
    class Silent:
        fingerprint = ""

        def __init__(self) -> None:
            self.is_silent = True

        async def complete(self, messages: Any, **_options: Any) -> Reply:
            if self.is_silent and messages[-1].content != "first":
                await asyncio.sleep(10 * PATIENCE)
            return Reply("Fine.")

    model = Silent()
    runner = Runner(model, concurrency=2, timeout=10 * PATIENCE)
    answers = runner.ask([asked("first"), *[asked("late")] * 9])
    assert next(answers).value == "Fine."
    answers.close()  # type: ignore[attr-defined]
    model.is_silent = False
    found = [answer.value for answer in runner.ask([asked("late")] * 9)]
    assert found == ["Fine."] * 9


def test_a_long_run_lets_others_have_their_turns() -> None:
    order: list[str] = []

    class Noted:
        fingerprint = ""

        async def complete(self, messages: Any, **_options: Any) -> Reply:
            await asyncio.sleep(0)
            order.append(messages[-1].content)
            return Reply("Fine.")

    async def run() -> None:
        slots = Slots(1)
        deadlines = Deadlines(PATIENCE)
        long, short = (
            Sender(Noted(), Ledger(), slots=slots, deadlines=deadlines) for _ in range(2)
        )
        sent = [asyncio.create_task(long.send(asked("long"))) for _ in range(100)]
        await asyncio.gather(*sent, short.send(asked("short")))

    asyncio.run(run())
    assert len(order) == 101
    assert "short" in order[:3]


def test_each_task_has_its_own_deadline() -> None:
    async def run() -> list[str]:
        deadlines, early = Deadlines(0.05), Deadlines(PATIENCE)

        async def of(these: Deadlines, seconds: float) -> str:
            try:
                async with these.one():
                    await asyncio.sleep(seconds)
            except TimeoutError:
                return "late"
            return "done"

        async def outer() -> str:
            # What is cancelled from outside is not late.
            task = asyncio.create_task(of(early, 10 * PATIENCE))
            await asyncio.sleep(0)
            task.cancel()
            try:
                return await task
            except asyncio.CancelledError:
                return "cancelled"

        first = await asyncio.gather(
            of(deadlines, 10 * PATIENCE), of(early, 0), of(deadlines, 10 * PATIENCE), outer()
        )
        return [*first, await of(deadlines, 10 * PATIENCE), await of(early, 0)]

    assert asyncio.run(run()) == ["late", "done", "late", "cancelled", "late", "done"]
