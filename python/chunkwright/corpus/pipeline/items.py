"""Items between the stages of a pipeline, and queues of them that are bounded by bytes."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from threading import Condition
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from chunkwright.corpus.report import Counts, Failure, Stage
from chunkwright.telemetry import NOTHING, Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.corpus.inputs.splitting import Shard
    from chunkwright.corpus.reading.batch import DocumentBatch
    from chunkwright.document import Document
    from chunkwright.io.rows import RowNames


SHOWN = 100
"""So many failures of a shard, and of a run, are shown; all of them are in files."""
# About so many bytes a failure takes.
_FAILURE_BYTES = 1000


@dataclass(frozen=True)
class Begin:
    """A shard begins, and its span with it."""

    shard: Shard
    span: Span = NOTHING


@dataclass(frozen=True)
class End:
    """A shard has ended; ``error`` says why it is not whole, if it is not."""

    shard: Shard
    error: Exception | None = None


@dataclass(eq=False)
class Cut:
    """Documents that were cut.

    Parameters
    ----------
    unit
        Where they are from, for messages.
    places
        Where each is.
    files
        The files that they are; none if they are rows.
    rows
        A ``pyarrow.Table`` of their chunks; None if their documents go on in its place.
    numbers
        The number of the document that each row is from.
    documents
        Documents that a sink cuts itself.
    failures
        What failed.
    counts
        What was done.
    document_bytes
        About as many bytes as the documents take.
    """

    unit: str
    places: Sequence[str] | RowNames = ()
    files: Sequence[str] = ()
    rows: Any = None
    numbers: NDArray[np.int64] | None = None
    documents: list[Document] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    counts: Counts = field(default_factory=Counts)
    document_bytes: int = 0

    @property
    def n_bytes(self) -> int:
        """About as many bytes as all of it takes."""
        own = self.document_bytes if self.rows is None else int(self.rows.nbytes)
        return own + len(self.failures) * _FAILURE_BYTES

    @classmethod
    def of(cls, batch: DocumentBatch) -> Cut:
        """Begin with what could not be read between the documents of a batch."""
        is_rows = batch.rows is not None
        places = batch.places if is_rows else [entry.place for entry in batch.entries]
        files = () if is_rows else [entry.name for entry in batch.entries]
        return cls(batch.unit.label, places, files, failures=list(batch.failures))

    def failure(self, error: BaseException, stage: Stage, number: int) -> Failure:
        """Return the failure of a document."""
        unit = self.files[number] if self.files else self.unit
        failure = Failure.of(error, stage, unit, self.places[number])
        return replace(failure, document=self.files[number]) if self.files else failure


@dataclass(frozen=True)
class ShardResult:
    """What became of a shard.

    Parameters
    ----------
    shard
        The shard.
    counts
        What was done.
    failures
        The first of what failed in it, `SHOWN` at most.
    error
        Why it was given up, to be tried again in the next run; None if it is done.
    """

    shard: Shard
    counts: Counts
    failures: list[Failure] = field(default_factory=list)
    error: Exception | None = None


Item: TypeAlias = "Begin | End | Cut | None"
"""What stages hand on; None is the end."""

Outcome: TypeAlias = "ShardResult | Counts | Failure"
"""What became of a shard; and in between what was done, with the first failure of it if any."""


T = TypeVar("T")

# Seconds after which a stage that waits looks up: an interrupt may have come.
_GLANCE = 0.05


class ClosedError(Exception):
    """Nobody takes or gives anything any more."""


class ByteQueue(Generic[T]):
    """Items in order; whoever puts waits while there are too many bytes.

    An item that is larger than the bound passes when the queue is empty, so that it stalls nobody.

    Parameters
    ----------
    most
        Bytes that the items in it have together, at most.
    """

    def __init__(self, most: int) -> None:
        self._most, self._n_bytes = most, 0
        self._items: deque[tuple[T, int]] = deque()
        self._changed = Condition()
        self._is_closed = False
        self._error: BaseException | None = None

    def put(self, item: T, n_bytes: int = 0) -> None:
        """Add an item, once there is room for it.

        Raises
        ------
        ClosedError
            If nobody takes items any more; its cause is the error that is to blame.
        """
        with self._changed:
            while not self._is_closed and self._items and self._n_bytes + n_bytes > self._most:
                self._changed.wait(_GLANCE)
            self._check()
            self._items.append((item, n_bytes))
            self._n_bytes += n_bytes
            self._changed.notify_all()

    def get(self) -> T:
        """Take the next item, once there is one.

        Raises
        ------
        ClosedError
            If the queue was closed; its cause is the error that is to blame.
        """
        with self._changed:
            while not self._items and not self._is_closed:
                self._changed.wait(_GLANCE)
            self._check()
            item, n_bytes = self._items.popleft()
            self._n_bytes -= n_bytes
            self._changed.notify_all()
            return item

    def waiting(self) -> list[T]:
        """Take all items that are there."""
        with self._changed:
            items = [item for item, _ in self._items]
            self._items.clear()
            self._n_bytes = 0
            self._changed.notify_all()
            return items

    def close(self, error: BaseException | None = None) -> None:
        """Give up what is in it; whoever puts or takes next is told the error."""
        with self._changed:
            if not self._is_closed:
                self._is_closed, self._error = True, error
            self._items.clear()
            self._changed.notify_all()

    def _check(self) -> None:
        if self._is_closed:
            raise ClosedError from self._error
