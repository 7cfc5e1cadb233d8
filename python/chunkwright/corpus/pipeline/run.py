"""Run of a pipeline: its stages on threads of their own, until all shards are written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from threading import Thread
from time import perf_counter
from typing import TYPE_CHECKING, Any

from chunkwright.corpus.pipeline.byte_queue import ByteQueue, ClosedError
from chunkwright.corpus.pipeline.cutting import Cutter
from chunkwright.corpus.pipeline.documents import as_documents
from chunkwright.corpus.pipeline.items import Begin, End, Item, Outcome
from chunkwright.corpus.pipeline.stages import Read, Reader, Worker, Writer

if TYPE_CHECKING:
    from chunkwright.corpus.job import Job
    from chunkwright.corpus.output.manifest import Manifest
    from chunkwright.corpus.output.sink import Sink
    from chunkwright.corpus.planning.shards import Shard

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
    while (item := read.get()) is not None:
        if isinstance(item, Begin | End):
            out.put(item)
        else:
            batch, seconds = item
            began = perf_counter()
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
    thread = Thread(target=run, name="chunkwright-corpus", daemon=True)
    thread.start()
    return thread
