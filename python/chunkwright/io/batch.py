"""Documents on their way through a strategy, a few at a time, on as many threads as are wanted."""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from chunkwright.io.entry import Entry
from chunkwright.logs import SLOW_SECONDS, timed
from chunkwright.terminal_text import counted

if TYPE_CHECKING:
    from chunkwright.chunking import AnyStrategy
    from chunkwright.chunks import Chunks

# What is read ahead, at most, of what is being cut.
SLICE_ENTRIES = 1024
SLICE_CHARS = 2**22


def cut_each(
    strategy: "AnyStrategy", entries: Iterable[Entry | None], workers: int | None
) -> Iterator[tuple[Entry, "Chunks"]]:
    """Cut one document after another; the result is the same for any number of workers.

    Parameters
    ----------
    strategy
        What cuts.
    entries
        The documents. A None says that the next one may take long to come.
    workers
        Threads; None for one for each core that may be used.

    Yields
    ------
    tuple
        Each document and its chunks, whose ``errors`` say why there are none if it failed.
    """
    for entries_ahead in _slices(entries):
        documents = [entry.document for entry in entries_ahead]
        about = f"{counted(len(documents), 'document')} from {entries_ahead[0].place!r} on"
        # Of each by itself the time is not worth taking: there may be millions.
        with timed(f"cutting and writing {about}", least=SLOW_SECONDS):
            for chunks in strategy.stream(documents, workers=workers, errors="collect"):
                yield entries_ahead.popleft(), chunks


def check_workers(strategy: "AnyStrategy", workers: int | None) -> None:
    """Check the number of workers before anything is read.

    Raises
    ------
    ConfigError
        If it makes no sense; names it.
    """
    strategy.stream((), workers=workers)


def _slices(entries: Iterable[Entry | None]) -> Iterator[deque[Entry]]:
    """Gather documents: at first one, so that the first rows come soon, then more and more."""
    ahead: deque[Entry] = deque()
    wanted, n_chars = 1, 0
    for entry in entries:
        if entry is not None:
            ahead.append(entry)
            n_chars += len(entry.text)
        if ahead and (entry is None or len(ahead) >= wanted or n_chars >= SLICE_CHARS):
            yield ahead
            ahead, n_chars, wanted = deque(), 0, min(2 * wanted, SLICE_ENTRIES)
    if ahead:
        yield ahead
