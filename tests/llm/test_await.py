"""Strategies that are awaited: the event loop goes on, and cancelling ends the work."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Callable
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError, ModelError
from chunkwright.llm import Runner

TEXT = "A cat naps. A cat purrs. An engine hums. An engine stops."
# Long enough for any machine; nothing waits for so long unless it fails.
PATIENCE = 60


def awaited(work: Callable[[], Any]) -> Any:
    async def run() -> Any:
        async with asyncio.timeout(PATIENCE):
            return await work()

    return asyncio.run(run())


@pytest.mark.parametrize(
    "strategy",
    [
        cw.Recursive(max_chars=20),
        cw.Cluster(max_chars=30, embedder="lexical"),
        cw.LLM(max_chars=60, piece_max=12, llm=lambda _: {"starts": [3]}),
        cw.Contextual(cw.Sentence(sentences=1), llm=lambda _: "Of two."),
    ],
    ids=lambda strategy: type(strategy).__name__,
)
def test_the_same_chunks(strategy: Any) -> None:
    assert awaited(lambda: strategy.acall(TEXT, name="n")) == strategy(TEXT, name="n")
    many = awaited(lambda: strategy.abatch([TEXT, "Rain."], names=["a", None]))
    assert many == strategy.batch([TEXT, "Rain."], names=["a", None])


def test_errors_come_through() -> None:
    with pytest.raises(ConfigError, match="text must be a str"):
        awaited(lambda: cw.Recursive().acall(3))  # type: ignore[arg-type]

    def broken(_texts: list[str]) -> Any:
        raise OSError("no model")

    with pytest.raises(ModelError, match="no model"):
        awaited(lambda: cw.Cluster(max_chars=30, embedder=broken).acall(TEXT))


def test_the_loop_goes_on_meanwhile() -> None:
    answered, asked = threading.Event(), threading.Event()

    def model(_messages: Any) -> str:
        asked.set()
        assert answered.wait(PATIENCE)
        return "Fine."

    async def run() -> list[str | None]:
        writer = cw.Contextual(cw.Sentence(sentences=4), llm=model)
        task = asyncio.create_task(writer.acall(TEXT))
        # If the loop stood still until there is an answer, there would never be one.
        assert await asyncio.to_thread(asked.wait, PATIENCE)
        answered.set()
        return (await task).contexts

    assert awaited(run) == ["Fine."]


def test_an_embedder_that_waits_does_not_stop_the_loop() -> None:
    done = threading.Event()

    def slow(texts: list[str]) -> list[list[float]]:
        assert done.wait(PATIENCE)
        return [[float(len(text)), 1.0] for text in texts]

    async def run() -> int:
        task = asyncio.create_task(cw.Cluster(max_chars=30, embedder=slow).acall(TEXT))
        await asyncio.sleep(0)
        done.set()
        return len(await task)

    assert awaited(run) > 1


def test_several_at_once() -> None:
    n = 5
    together = threading.Barrier(n)

    def model(_messages: Any) -> str:
        # None of them goes on before all are there.
        together.wait(PATIENCE)
        return "Fine."

    async def run() -> list[list[str | None]]:
        writer = cw.Contextual(cw.Sentence(sentences=9), llm=Runner(model, concurrency=n))
        chunks = await asyncio.gather(*(writer.acall(f"{TEXT} {i}") for i in range(n)))
        return [each.contexts for each in chunks]

    assert awaited(run) == [["Fine."]] * n


def test_an_async_model_and_an_async_embedder() -> None:
    async def model(messages: list[dict[str, str]]) -> str:
        await asyncio.sleep(0)
        return f"{len(messages)} messages."

    async def embedder(texts: list[str]) -> list[list[float]]:
        await asyncio.sleep(0)
        return [[float("cat" in text), float("engine" in text)] for text in texts]

    strategy = cw.Cluster(max_chars=30, embedder=embedder)
    expected = strategy(TEXT).texts()
    assert expected == ["A cat naps. A cat purrs.", "An engine hums.", "An engine stops."]
    writer = cw.Contextual(strategy, llm=model)
    chunks = awaited(lambda: writer.acall(TEXT))
    assert chunks.texts() == expected
    assert chunks.contexts == ["2 messages."] * 3


def test_an_async_model_awaits_a_strategy_of_its_own_runner() -> None:
    async def model(messages: list[dict[str, str]]) -> str:
        if "cat" in messages[-1]["content"]:
            inner = await writer.acall("An engine hums.")
            return f"Beside {inner.contexts[0]}"
        return "the engine"

    writer = cw.Contextual(cw.Sentence(sentences=1), llm=Runner(model, concurrency=1))
    assert awaited(lambda: writer.acall("A cat naps.")).contexts == ["Beside the engine"]


@pytest.mark.parametrize("of", ["Contextual", "LLM"])
def test_a_cancelled_task_gives_its_requests_up(of: str) -> None:
    given_up, asked = threading.Event(), threading.Event()

    async def model(_messages: Any) -> str:
        asked.set()
        try:
            await asyncio.sleep(10 * PATIENCE)
        finally:
            given_up.set()
        return "never"

    runner = Runner(model, timeout=10 * PATIENCE)
    strategy: Any = (
        cw.Contextual(cw.Sentence(sentences=4), llm=runner)
        if of == "Contextual"
        else cw.LLM(max_chars=60, piece_max=12, llm=runner)
    )

    async def run() -> None:
        task = asyncio.create_task(strategy.abatch([TEXT]))
        assert await asyncio.to_thread(asked.wait, PATIENCE)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    awaited(run)
    assert given_up.wait(PATIENCE)
    # The thread is free again, and knows nothing of it.
    assert awaited(lambda: cw.Recursive().acall(TEXT)).texts() == [TEXT]


def test_a_cancelled_task_stops_the_core() -> None:
    begun, goes_on, ended = threading.Event(), threading.Event(), threading.Event()
    outcome: list[BaseException | None] = []

    def count(text: str) -> int:
        begun.set()
        goes_on.wait(PATIENCE)
        return len(text)

    class Noted(cw.Recursive):
        def __call__(self, *arguments: Any, **options: Any) -> Any:
            try:
                found = super().__call__(*arguments, **options)
                outcome.append(None)
            except BaseException as error:
                outcome.append(error)
                raise
            finally:
                ended.set()
            return found

    async def run() -> None:
        strategy = Noted(max_tokens=10, tokenizer=count)
        task = asyncio.create_task(strategy.acall("word " * 100_000))
        assert await asyncio.to_thread(begun.wait, PATIENCE)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        goes_on.set()

    awaited(run)
    assert ended.wait(PATIENCE)
    assert isinstance(outcome[0], KeyboardInterrupt)


def test_a_task_that_is_cancelled_before_it_begins() -> None:
    calls: list[Any] = []

    def model(messages: Any) -> str:
        calls.append(messages)
        return "Fine."

    async def run() -> None:
        task = asyncio.create_task(cw.Contextual("sentence", llm=model).acall(TEXT))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    awaited(run)
    gc.collect()
    assert calls == []
