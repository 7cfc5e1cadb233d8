"""Many documents of elements at once, each cut as a whole by one of several threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING, Any

from chunkwright import _core
from chunkwright.chunking.batch import checked_names
from chunkwright.document import Document
from chunkwright.element_columns import Cut
from chunkwright.errors import ConfigError

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

# Documents that are read ahead for each worker.
AHEAD = 2

Done = tuple[Cut, Exception | None]


@dataclass(frozen=True)
class Work:
    """A strategy as its batches and streams need it.

    Parameters
    ----------
    cut
        Cuts one document, given with its name.
    workers
        Threads.
    collects
        Whether an error is a result, too.
    """

    cut: Callable[[Any, str | None], Cut]
    workers: int
    collects: bool

    def all(
        self, documents: object, names: Iterable[str | None] | None
    ) -> tuple[list[Cut], dict[int, Exception]]:
        """Cut all documents; return what came of them, and why some failed, by their numbers."""
        gathered = list(_items(documents))
        nameless: list[str | None] = [None] * len(gathered)
        given = nameless if names is None else checked_names(names, nameless)
        done = list(self._cut_each(zip(gathered, given, strict=True)))
        failed = {at: error for at, (_, error) in enumerate(done) if error is not None}
        return [cut for cut, _ in done], failed

    def each(self, documents: object) -> Iterator[Done]:
        """Cut one document after another."""
        return self._cut_each(zip(_items(documents), repeat(None), strict=False))

    def _cut_each(self, documents: Iterable[tuple[object, str | None]]) -> Iterator[Done]:
        if self.workers == 1:
            yield from (self._done(document, name) for document, name in documents)
            return
        from concurrent.futures import ThreadPoolExecutor

        stop = _core.Stop()
        with ThreadPoolExecutor(self.workers, "chunkwright", initializer=stop.obey) as pool:
            try:
                yield from self._in_order(self._submitted(pool, documents))
            finally:
                # Whoever stops early, as by Ctrl-C, does not wait for what is being cut.
                stop.set()
                pool.shutdown(wait=False, cancel_futures=True)

    def _in_order(self, futures: Iterable[Future[Done]]) -> Iterator[Done]:
        ahead: deque[Future[Done]] = deque()
        for future in futures:
            ahead.append(future)
            if len(ahead) >= AHEAD * self.workers:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()

    def _submitted(
        self, pool: ThreadPoolExecutor, documents: Iterable[tuple[object, str | None]]
    ) -> Iterator[Future[Done]]:
        try:
            for document, name in documents:
                yield pool.submit(self._done, document, name)
        except Exception as error:  # noqa: BLE001 - raised again behind the documents before it
            from concurrent.futures import Future

            failed: Future[Done] = Future()
            failed.set_exception(error)
            yield failed

    def _done(self, document: object, name: str | None) -> Done:
        try:
            return self.cut(document, name), None
        except Exception as error:
            if not self.collects:
                raise
            return self.cut([], name), error


def _items(documents: object) -> Iterable[object]:
    # The characters of a str, and the elements of a document, are no documents.
    is_one = isinstance(documents, str | bytes | bytearray | dict | Document)
    if is_one or not isinstance(documents, Iterable):
        kind = type(documents).__name__
        raise ConfigError(f"documents must be an iterable of documents, got {kind}")
    return documents
