"""What passes between the stages of a pipeline: batches of a shard, its beginning and its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from chunkwright.corpus.failures import Failure, Stage
from chunkwright.corpus.report import Counts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.corpus.planning.shards import Shard
    from chunkwright.corpus.reading.batch import DocumentBatch, Places
    from chunkwright.document import Document


@dataclass(frozen=True)
class Begin:
    """A shard begins."""

    shard: Shard


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
    """

    unit: str
    places: Sequence[str] | Places = ()
    files: Sequence[str] = ()
    rows: Any = None
    numbers: NDArray[np.int64] | None = None
    documents: list[Document] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    counts: Counts = field(default_factory=Counts)
    n_bytes: int = 0

    @classmethod
    def of(cls, batch: DocumentBatch) -> Cut:
        """Begin with what could not be read between the documents of a batch."""
        is_rows = batch.rows is not None
        places = batch.places if is_rows else [entry.place for entry in batch.entries]
        files = () if is_rows else [entry.name for entry in batch.entries]
        return cls(batch.unit.label, places, files, failures=list(batch.failures))

    def failure(self, error: Exception, stage: Stage, number: int) -> Failure:
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
        What failed in it.
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
