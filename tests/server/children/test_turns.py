"""Turns of calls: many together, one alone, and a wait that is cancelled."""

from concurrent.futures import CancelledError
from threading import Event, Thread
from time import monotonic, sleep

import pytest

from chunkwright.concurrency.loop_thread import WAITING, Waiting
from chunkwright.server.children.turns import Turns

PATIENCE = 120.0


def until(is_so: Event) -> None:
    assert is_so.wait(PATIENCE)


def until_waiting(turns: Turns, n_alone: int, n_together: int) -> None:
    """Wait until so many have asked for a turn that they do not have."""
    deadline = monotonic() + PATIENCE
    while (len(turns._alone), len(turns._together)) != (n_alone, n_together):
        assert monotonic() < deadline
        sleep(0.001)


class Turn(Thread):
    """A turn on a thread of its own."""

    def __init__(self, turns: Turns, *, is_alone: bool) -> None:
        super().__init__(daemon=True)
        self._turn = turns.alone if is_alone else turns.together
        self.waiting = Waiting()
        self.is_in, self.may_go, self.is_cancelled = Event(), Event(), Event()
        self.start()

    def run(self) -> None:
        WAITING.set(self.waiting)
        try:
            with self._turn():
                self.is_in.set()
                self.may_go.wait(PATIENCE)
        except CancelledError:
            self.is_cancelled.set()

    def end(self) -> None:
        self.may_go.set()
        self.join(PATIENCE)


def test_many_are_together_and_one_is_alone_before_those_that_come_later() -> None:
    turns = Turns()
    first, second = Turn(turns, is_alone=False), Turn(turns, is_alone=False)
    until(first.is_in)
    until(second.is_in)
    alone = Turn(turns, is_alone=True)
    until_waiting(turns, 1, 0)
    later = Turn(turns, is_alone=False)
    until_waiting(turns, 1, 1)
    first.end()
    assert not alone.is_in.is_set()
    second.end()
    until(alone.is_in)
    assert not later.is_in.is_set()
    alone.end()
    until(later.is_in)
    later.end()


def test_a_wait_that_is_cancelled_lets_the_others_in() -> None:
    turns = Turns()
    first = Turn(turns, is_alone=False)
    until(first.is_in)
    alone = Turn(turns, is_alone=True)
    until_waiting(turns, 1, 0)
    later = Turn(turns, is_alone=False)
    until_waiting(turns, 1, 1)
    assert not later.is_in.is_set()
    alone.waiting.cancel()
    until(alone.is_cancelled)
    until(later.is_in)
    first.end()
    later.end()


def test_an_error_in_a_turn_ends_it() -> None:
    turns = Turns()
    with pytest.raises(ValueError, match="fault"), turns.alone():
        raise ValueError("fault")
    begun = monotonic()
    with turns.alone():
        assert monotonic() < begun + PATIENCE
