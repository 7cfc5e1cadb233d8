"""Work that threads share."""

from __future__ import annotations

import threading
import time

import pytest

from chunkwright.concurrency.ordered_results import in_threads


@pytest.mark.parametrize("n_threads", [1, 2, 8])
def test_results_are_in_order(n_threads: int) -> None:
    def work(i: int) -> int:
        time.sleep(0.001 * (i % 3))
        return i * i

    assert list(in_threads(work, range(50), n_threads)) == [i * i for i in range(50)]
    assert list(in_threads(work, [], n_threads)) == []


@pytest.mark.parametrize("n_threads", [1, 3])
def test_the_first_error_ends_what_has_not_begun(n_threads: int) -> None:
    begun: list[int] = []
    has_ended = threading.Event()

    def work(i: int) -> int:
        begun.append(i)
        if i == 2:
            raise ValueError(i)
        if i > 2:
            # None of these ends before it is known that one has failed.
            has_ended.wait(60)
        return i

    try:
        with pytest.raises(ValueError, match="2"):
            list(in_threads(work, range(1000), n_threads, waits=False))
    finally:
        has_ended.set()
    assert len(begun) < 10


@pytest.mark.parametrize("waits", [True, False])
def test_what_has_begun_is_waited_for_if_asked(waits: bool) -> None:
    both, go_on, ended = threading.Barrier(2, timeout=60), threading.Event(), threading.Event()

    def work(i: int) -> None:
        both.wait()
        if i == 0:
            raise ValueError
        # Where it is waited for, nobody is there to say so before the time is over.
        go_on.wait(0.2 if waits else 60)
        ended.set()

    try:
        with pytest.raises(ValueError):  # noqa: PT011 - it is the one above
            list(in_threads(work, [0, 1], 2, waits=waits))
        assert ended.is_set() is waits
    finally:
        go_on.set()
