"""Run of a pipeline: its stages on threads of their own, until all shards are written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextvars import copy_context
from dataclasses import dataclass, replace
from functools import partial
from threading import Thread
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeAlias

from chunkwright import telemetry
from chunkwright.corpus.pipeline.cutting import Cutter, as_documents
from chunkwright.corpus.pipeline.items import (
    SHOWN,
    Begin,
    ByteQueue,
    ClosedError,
    Cut,
    End,
    Item,
    Outcome,
    ShardResult,
)
from chunkwright.corpus.planning.duplicates import without_duplicates
from chunkwright.corpus.reading.batch import DocumentBatch
from chunkwright.corpus.reading.units import batches_of
from chunkwright.corpus.report import Counts

if TYPE_CHECKING:
    from chunkwright.corpus.inputs.splitting import Shard
    from chunkwright.corpus.output.manifest import Manifest
    from chunkwright.corpus.output.parquet import FailureFile
    from chunkwright.corpus.output.sink import ShardWriter, Sink
    from chunkwright.corpus.planning.plan import Job


# Bytes that wait between two stages, at most, but for one batch that has more.
QUEUE_BYTES = 48 * 2**20
# Seconds that an interrupted run waits for its threads to leave nothing behind.
_PATIENCE = 10.0


def run_shards(
    job: Job, shards: Iterable[Shard], sink: Sink, manifest: Manifest
) -> Iterator[Outcome]:
    """Read, cut, embed and write shards; all stages work at once.

    Cutting is done on the thread that iterates, which signals are handled on.

    Parameters
    ----------
    job
        What is done.
    shards
        The shards, in order.
    sink
        What takes the chunks.
    manifest
        Where shards are marked as done.

    Yields
    ------
    ShardResult, Counts or Failure
        What became of each shard; in between what was done since, and a failure of it if any.

    Raises
    ------
    CorpusError
        If the output cannot be written.
    ModelError
        If a model fails for all documents.
    """
    read: ByteQueue[Read] = ByteQueue(QUEUE_BYTES)
    cut: ByteQueue[Item] = ByteQueue(QUEUE_BYTES)
    done: ByteQueue[Outcome | None] = ByteQueue(QUEUE_BYTES)
    queues: list[ByteQueue[Any]] = [read, cut, done]
    writing, embedding = cut, []
    if job.embedder is not None and sink.takes == "chunks":
        from chunkwright.corpus.pipeline.embedding import Embedding

        writing = ByteQueue(QUEUE_BYTES)
        queues.append(writing)
        embedder = Embedding(job.embedder, job)
        embedding = [(Worker("embed", embedder.add).run, cut, writing)]
    threads = [
        _begun(queues, Reader(job, shards).run, read),
        *(_begun(queues, *each) for each in embedding),
        _begun(queues, Writer(sink, manifest).run, writing, done),
    ]
    try:
        yield from _cut_all(job, sink, read, cut, done)
    except ClosedError as closed:
        raise closed.__cause__ or closed from None
    finally:
        for queue in queues:
            queue.close()
        for thread in threads[1:]:
            # The reader may be in the middle of a long file, which leaves nothing behind.
            thread.join(_PATIENCE)


def _cut_all(
    job: Job,
    sink: Sink,
    read: ByteQueue[Read],
    out: ByteQueue[Item],
    done: ByteQueue[Outcome | None],
) -> Iterator[Outcome]:
    cutter = Cutter(job) if sink.takes == "chunks" else None
    shard = telemetry.NOTHING
    while (item := read.get()) is not None:
        if isinstance(item, Begin | End):
            shard = item.span if isinstance(item, Begin) else telemetry.NOTHING
            out.put(item)
        else:
            batch, seconds = item
            began = perf_counter()
            with telemetry.span("corpus.cut", parent=shard, documents=batch.n_documents):
                made = as_documents(batch, job.reading) if cutter is None else cutter.cut(batch)
            made.counts.seconds["cut"] += perf_counter() - began
            made.counts.seconds["read"] += seconds
            made.counts.input_bytes = batch.input_bytes
            out.put(made, made.n_bytes)
        yield from filter(None, done.waiting())
    out.put(None)
    while (result := done.get()) is not None:
        yield result


def _begun(queues: list[ByteQueue[Any]], work: Callable[..., None], *of: Any) -> Thread:
    """Begin a stage on a thread; its error ends all others, and is raised where results are."""

    def run() -> None:
        try:
            work(*of)
        except ClosedError:
            pass
        except BaseException as error:  # noqa: BLE001 - it is raised on the thread that iterates
            for queue in queues:
                queue.close(error)

    # Nobody waits for a thread when the process ends.
    target = partial(copy_context().run, run)
    thread = Thread(target=target, name="chunkwright-corpus", daemon=True)
    thread.start()
    return thread


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
            span = telemetry.span("corpus.shard", shard=shard.name, bytes=shard.size)
            out.put(Begin(shard, span))
            error = None
            try:
                for batch, seconds in _timed(self._batches(shard), span):
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
        shard = telemetry.NOTHING
        while (item := items.get()) is not None:
            if isinstance(item, Begin):
                shard = item.span
            if isinstance(item, Cut) and item.rows is not None and item.rows.num_rows:
                began = perf_counter()
                with telemetry.span(f"corpus.{self.stage}", parent=shard):
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
                with item.span as span:
                    result = self._shard(item.shard, items, out)
                    _tell(span, result)
                out.put(result)
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
                with telemetry.span("corpus.write"):
                    self._consume(item, writer, failures, result)
                for failure in item.failures[:1]:
                    out.put(failure)
                out.put(item.counts)
            assert isinstance(item, End)  # noqa: S101 - shards are not nested
            if item.error is not None:
                writer.abort()
                failures.abort()
                return replace(result, error=item.error)
            with telemetry.span("corpus.end"):
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


def _timed(
    batches: Iterator[DocumentBatch], shard: telemetry.Span
) -> Iterator[tuple[DocumentBatch, float]]:
    while True:
        began = perf_counter()
        with telemetry.span("corpus.read", parent=shard) as span:
            batch = next(batches, None)
            span.set(documents=0 if batch is None else batch.n_documents)
        if batch is None:
            return
        yield batch, perf_counter() - began


def _tell(span: telemetry.Span, result: ShardResult) -> None:
    """Say of a shard's span, and in the metrics, what was made of the shard."""
    counts = result.counts
    span.set(documents=counts.documents, chunks=counts.chunks, failed=counts.failed)
    if result.error is not None:
        span.fail(type(result.error).__name__)
    telemetry.add("corpus.documents", counts.documents)
    telemetry.add("corpus.chunks", counts.chunks)
    telemetry.add("corpus.failed", counts.failed)
