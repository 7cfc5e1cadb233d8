"""Batches: groups of items, bounded by bytes and by number."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeVar

T = TypeVar("T")

MIB = 2**20


class Limits(NamedTuple):
    """Bounds of a batch; an item that is larger is a batch of its own.

    Attributes
    ----------
    n_bytes
        Most bytes of the sources, roughly.
    n
        Most items.
    """

    n_bytes: int
    n: int


FILES = Limits(8 * MIB, 256)
"""Files that are documents of a corpus."""
LINES = Limits(8 * MIB, 8192)
"""Lines of JSON: a row of a few bytes takes much more as Python's objects."""
ROWS = Limits(8 * MIB, 65_536)
"""Rows of tables: those of a few bytes are not worth more at once."""
VERSIONS = Limits(16 * MIB, 64)
"""Documents of a store, which are compared, embedded and written together."""
STREAMED = Limits(MIB, 1024)
"""Documents of a request whose chunks somebody waits for."""


def batches(items: Iterable[T], limits: Limits, size: Callable[[T], int]) -> Iterator[list[T]]:
    """Group items in order; a batch ends with the item that fills it.

    Parameters
    ----------
    items
        The items.
    limits
        Bounds of a batch.
    size
        Returns the size of an item in bytes.

    Examples
    --------
    >>> list(batches(["one", "two", "three", "four"], Limits(6, 10), len))
    [['one', 'two'], ['three', 'four']]
    """
    batch: list[T] = []
    n_bytes = 0
    for item in items:
        batch.append(item)
        n_bytes += size(item)
        if n_bytes >= limits.n_bytes or len(batch) >= limits.n:
            yield batch
            batch, n_bytes = [], 0
    if batch:
        yield batch
