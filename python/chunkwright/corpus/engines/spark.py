"""Engine on Spark: a task for each shard, in one stage."""

from __future__ import annotations

import os
import re
import sys
from threading import Thread
from typing import TYPE_CHECKING

from chunkwright.corpus.engines.remote import task_of
from chunkwright.errors import CorpusError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chunkwright.corpus.inputs.splitting import Shard
    from chunkwright.corpus.output.manifest import Manifest
    from chunkwright.corpus.output.sink import Sink
    from chunkwright.corpus.pipeline.items import ShardResult
    from chunkwright.corpus.planning.plan import Job
    from chunkwright.corpus.report import Counts

# How Python ends what it says of an error.
_RAISED = re.compile(r"(?:\w+\.)*\w*(?:Error|Exception): ")
# Seconds between two looks at which shards are done.
_LOOK = 2.0


def run_spark(
    job: Job, shards: Sequence[Shard], sink: Sink, manifest: Manifest
) -> Iterator[ShardResult | Counts]:
    """Make shards on Spark, which tries tasks that fail again.

    The active session is used; where there is none, one is made as Spark is configured.

    Raises
    ------
    MissingExtraError
        If PySpark is not installed.
    CorpusError
        If Spark gives up.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise MissingExtraError("engine 'spark'", "spark") from error
    task = task_of(job, sink, manifest, "spark")
    if SparkSession.getActiveSession() is None:
        # Workers on this machine have the packages of this process, and not those of the system's.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    context = SparkSession.builder.getOrCreate().sparkContext
    results: list[ShardResult] = []
    problems: list[Exception] = []

    def collect() -> None:
        try:
            tasks = context.parallelize(list(shards), max(1, len(shards)))
            results.extend(tasks.map(task).collect())
        except Exception as error:  # noqa: BLE001 - raised on the thread that iterates
            problems.append(error)

    thread = Thread(target=collect, daemon=True)
    thread.start()
    try:
        yield from _watched(thread, manifest, shards)
    finally:
        if thread.is_alive():
            context.cancelAllJobs()
    if problems:
        raise CorpusError(f"Spark gave up: {_reason(problems[0])}") from problems[0]
    yield from results


def _reason(error: Exception) -> str:
    """Return what is to blame, of all that Spark says of an error."""
    lines = [line.strip() for line in str(error).splitlines()]
    raised = [line for line in lines if _RAISED.match(line)]
    reason = (raised or lines or [repr(error)])[0]
    if "No module named" in reason:
        return f"{reason}: install it on the workers, whose Python PYSPARK_PYTHON names"
    return reason


def _watched(thread: Thread, manifest: Manifest, shards: Sequence[Shard]) -> Iterator[Counts]:
    """Yield what shards were done meanwhile, until the thread has ended."""
    wanted, told = {shard.name for shard in shards}, set[str]()
    while thread.is_alive():
        thread.join(_LOOK)
        new = (manifest.done() & wanted) - told
        if new:
            told |= new
            yield manifest.counts(new)
