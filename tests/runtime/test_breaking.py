"""Breaks of calls: Python's own loops end when nobody waits, and what tidies up is left alone."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from functools import partial
from threading import Event, Lock, get_ident
from types import ModuleType
from typing import Any

import pytest

from chunkwright.concurrency import breaking
from chunkwright.concurrency.background import in_background, in_time
from chunkwright.concurrency.breaking import Breaker, unbroken

# For what hangs, on the busiest of machines.
PATIENCE = 60.0


@pytest.fixture(autouse=True)
def _no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(breaking, "GRACE", 0.02)


def for_ever(begun: Event) -> None:
    """Go on in Python, as a library does that takes every error for its own."""
    deadline = time.monotonic() + PATIENCE
    begun.set()
    while time.monotonic() < deadline:
        with suppress(Exception):
            sum(range(100))


async def until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so() and time.monotonic() < deadline:  # noqa: ASYNC110 - of threads
        await asyncio.sleep(0.005)


def left(call: Callable[[], Any], begun: Event) -> Breaker:
    """Make a call in the background, leave it once it has begun, and wait until it is over."""
    breaker = Breaker()

    async def leave() -> None:
        waited = asyncio.ensure_future(in_background(partial(breaker.run, call), breaker))
        await until(begun.is_set)
        waited.cancel()
        await until(lambda: not breaker.cancel())

    asyncio.run(leave())
    return breaker


def test_a_loop_in_python_ends_when_nobody_waits_and_gives_back_what_it_holds() -> None:
    lock, ended, begun = Lock(), [], Event()

    @contextmanager
    def counted() -> Iterator[None]:
        try:
            yield
        finally:
            ended.append(True)

    def call() -> None:
        with lock, counted():
            for_ever(begun)

    before = time.monotonic()
    breaker = left(call, begun)
    assert time.monotonic() - before < PATIENCE / 2
    assert not breaker.cancel()
    assert ended == [True]
    assert not lock.locked()


def test_what_returns_is_returned_and_no_call_that_follows_is_broken() -> None:
    breaker, first, second = Breaker(), Event(), Breaker()

    async def both() -> tuple[int, int]:
        return (
            await in_background(partial(breaker.run, get_ident), breaker),
            await in_background(partial(second.run, get_ident), second),
        )

    one, other = asyncio.run(both())
    assert one == other
    assert not breaker.strike()
    with pytest.raises(CancelledError):
        breaker.run(first.set)
    assert not first.is_set()


@unbroken
def kept(begun: Event, ended: list[bool]) -> None:
    begun.set()
    deadline = time.monotonic() + 0.3
    while time.monotonic() < deadline:
        pass
    ended.append(True)


class Kept:
    """What takes its time to be closed."""

    def __init__(self, *told: Any) -> None:
        self._told = told

    def close(self) -> None:
        kept(*self._told)


def test_what_must_not_be_broken_goes_on_to_its_end() -> None:
    for call in (kept, lambda *told: Kept(*told).close()):
        begun, ended = Event(), list[bool]()
        left(partial(call, begun, ended), begun)
        assert ended == [True]


def test_no_module_is_left_half_imported(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    slow = "import time\nend = time.monotonic() + 0.3\nbegun.set()\n"
    slow += "while time.monotonic() < end: pass\nis_whole = True\n"
    (tmp_path / "slow_to_import.py").write_text(f"from told_begun import begun\n{slow}")
    told: Any = ModuleType("told_begun")
    told.begun = Event()
    monkeypatch.setitem(sys.modules, "told_begun", told)

    def call() -> None:
        __import__("slow_to_import")
        for_ever(told.begun)

    left(call, told.begun)
    assert sys.modules.pop("slow_to_import").is_whole


def test_a_call_with_a_time_to_end_in_leaves_no_thread() -> None:
    begun, ended = Event(), list[bool]()

    def call() -> None:
        try:
            for_ever(begun)
        finally:
            ended.append(True)

    with pytest.raises(TimeoutError):
        in_time(call, 0.2)
    assert ended == [True]
