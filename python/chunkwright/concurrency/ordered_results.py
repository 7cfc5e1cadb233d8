"""Work that is done by several threads, with results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from chunkwright import _core

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")
R = TypeVar("R")

# So many items are given to each thread ahead: none waits, and little is left to do if it all ends.
_AHEAD = 2


def in_threads(
    work: Callable[[T], R], items: Sequence[T], n_threads: int, *, waits: bool = True
) -> Iterator[R]:
    """Yield the result of each item, in order; the first error ends it, and what has not begun.

    Where the core runs several threads, an interrupt ends it on all of them.

    Parameters
    ----------
    work
        Is called by several threads at once.
    items
        What it is called with.
    n_threads
        How many threads at most; a single item is done by the caller's.
    waits
        Whether, when it ends early, it waits for what has begun.
    """
    n_threads = min(n_threads, len(items))
    results = map(work, items) if n_threads <= 1 else _shared(work, items, n_threads, waits)
    for result in results:
        _core.check_signals()
        yield result


def _shared(work: Callable[[T], R], items: Sequence[T], n_threads: int, waits: bool) -> Iterator[R]:
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(n_threads, thread_name_prefix="chunkwright-worker")
    begun: deque[Future[R]] = deque()
    try:
        for item in items:
            if len(begun) >= _AHEAD * n_threads:
                yield begun.popleft().result()
            begun.append(pool.submit(work, item))
        while begun:
            yield begun.popleft().result()
    finally:
        pool.shutdown(wait=waits, cancel_futures=True)
