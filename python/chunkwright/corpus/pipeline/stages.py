"""Stages of a pipeline: reading, cutting, embedding and writing, each by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias

from chunkwright.corpus.pipeline.byte_queue import ByteQueue
from chunkwright.corpus.pipeline.items import SHOWN, Begin, Cut, End, Item, Outcome, ShardResult
from chunkwright.corpus.planning.duplicates import without_duplicates
from chunkwright.corpus.reading.batch import DocumentBatch
from chunkwright.corpus.reading.units import batches_of
from chunkwright.corpus.report import Counts

if TYPE_CHECKING:
    from chunkwright.corpus.job import Job
    from chunkwright.corpus.output.failure_file import FailureFile
    from chunkwright.corpus.output.manifest import Manifest
    from chunkwright.corpus.output.sink import ShardWriter, Sink
    from chunkwright.corpus.planning.shards import Shard

Read: TypeAlias = "tuple[DocumentBatch, float] | Begin | End | None"
"""What is read: a batch and the seconds that it took, and where shards begin and end."""


@dataclass(frozen=True)
class Reader:
    """Reads shards, one batch after another.

    Parameters
    ----------
    job
        What is done.
    shards
        What is read.
    """

    job: Job
    shards: Iterable[Shard]

    def run(self, out: ByteQueue[Read]) -> None:
        """Put batches into a queue; a shard that cannot be read whole ends with an error."""
        for shard in self.shards:
            out.put(Begin(shard))
            error = None
            try:
                for batch, seconds in _timed(self._batches(shard)):
                    out.put((batch, seconds), batch.n_bytes)
            except OSError as found:
                error = found
            out.put(End(shard, error))
        out.put(None)

    def _batches(self, shard: Shard) -> Iterator[DocumentBatch]:
        batches = batches_of(shard.units, self.job.reading, self.job.carried)
        return without_duplicates(batches, shard)


@dataclass(frozen=True)
class Worker:
    """Changes what was cut, such as by embedding it, and hands it on.

    Parameters
    ----------
    stage
        Its name.
    work
        What it does with each.
    """

    stage: str
    work: Callable[[Cut], None]

    def run(self, items: ByteQueue[Item], out: ByteQueue[Item]) -> None:
        """Work until the end."""
        while (item := items.get()) is not None:
            if isinstance(item, Cut) and item.rows is not None and item.rows.num_rows:
                began = perf_counter()
                self.work(item)
                item.counts.seconds[self.stage] += perf_counter() - began
            out.put(item, item.n_bytes if isinstance(item, Cut) else 0)
        out.put(None)


@dataclass
class Writer:
    """Writes shards, and marks those that are done.

    Parameters
    ----------
    sink
        What takes the chunks.
    manifest
        What takes failures and counts.
    """

    sink: Sink
    manifest: Manifest

    def run(self, items: ByteQueue[Item], out: ByteQueue[Outcome | None]) -> None:
        """Write until the end; what is begun and cannot be ended leaves nothing."""
        while (item := items.get()) is not None:
            if isinstance(item, Begin):
                out.put(self._shard(item.shard, items, out))
        out.put(None)

    def _shard(
        self, shard: Shard, items: ByteQueue[Item], out: ByteQueue[Outcome | None]
    ) -> ShardResult:
        result = ShardResult(shard, Counts())
        began = perf_counter()
        writer, failures = self.sink.begin(shard), self.manifest.failures(shard)
        try:
            result.counts.seconds["write"] += perf_counter() - began
            while isinstance(item := items.get(), Cut):
                self._consume(item, writer, failures, result)
                for failure in item.failures[:1]:
                    out.put(failure)
                out.put(item.counts)
            assert isinstance(item, End)  # noqa: S101 - shards are not nested
            if item.error is not None:
                writer.abort()
                failures.abort()
                return replace(result, error=item.error)
            ended = self._ended(writer, failures)
            # What was read for each batch is known about: together it is the size of the inputs.
            ended.input_bytes = shard.size - result.counts.input_bytes
            result.counts.add(ended)
            self.manifest.finish(shard, result.counts)
            out.put(ended)
        except BaseException:
            writer.abort()
            failures.abort()
            raise
        return result

    @staticmethod
    def _consume(cut: Cut, writer: ShardWriter, failures: FailureFile, result: ShardResult) -> None:
        began = perf_counter()
        if cut.documents or (cut.rows is not None and cut.rows.num_rows):
            not_written = writer.consume(cut.rows, cut.documents)
            cut.failures += [replace(each, unit=cut.unit) for each in not_written]
            cut.counts.failed += len(not_written)
            cut.counts.documents -= len(not_written)
        failures.add(cut.failures)
        cut.counts.seconds["write"] += perf_counter() - began
        result.counts.add(cut.counts)
        # All of them are in the file: there may be more than memory holds.
        result.failures.extend(cut.failures[: SHOWN - len(result.failures)])

    @staticmethod
    def _ended(writer: ShardWriter, failures: FailureFile) -> Counts:
        began = perf_counter()
        ended = Counts(shards=1, output_bytes=writer.end())
        failures.end()
        ended.seconds["write"] = perf_counter() - began
        return ended


def _timed(batches: Iterator[DocumentBatch]) -> Iterator[tuple[DocumentBatch, float]]:
    began = perf_counter()
    for batch in batches:
        yield batch, perf_counter() - began
        began = perf_counter()
