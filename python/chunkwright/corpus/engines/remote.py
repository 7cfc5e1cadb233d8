"""Shards that are made on other machines, one a task, written where all of them reach."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from chunkwright import telemetry
from chunkwright.corpus.arrow.sending import received
from chunkwright.corpus.output.manifest import Manifest
from chunkwright.corpus.output.parquet import ParquetFolder
from chunkwright.corpus.pipeline.items import ShardResult
from chunkwright.corpus.pipeline.run import run_shards
from chunkwright.errors import ConfigError

if TYPE_CHECKING:
    from chunkwright.corpus.inputs.splitting import Shard
    from chunkwright.corpus.output.sink import Sink
    from chunkwright.corpus.planning.plan import Job

WORKERS = 1
"""Threads of a task: engines give a task one processor."""


@dataclass(frozen=True)
class Task:
    """Makes one shard after another in a worker process, which loads its models once.

    Parameters
    ----------
    job
        What is done.
    folder
        The output: a path that all machines share, or an address.
    """

    job: Job
    folder: str

    def __call__(self, shard: Shard) -> ShardResult:
        """Make a shard, and mark it as done."""
        sink = ParquetFolder(self.folder, self.job.schema)
        made = run_shards(self.job, [shard], sink, Manifest(self.folder))
        result = next(each for each in made if isinstance(each, ShardResult))
        # Engines end their workers without a word.
        telemetry.flush()
        return result

    def __reduce__(self) -> tuple[Any, ...]:
        """Be the same object for all shards of a process: engines send it with each of them."""
        return received, (Task, {"job": self.job, "folder": self.folder})


def task_of(job: Job, sink: Sink, manifest: Manifest, engine: str) -> Task:
    """Return what workers of an engine do.

    Raises
    ------
    ConfigError
        If the output is none that they can write.
    """
    if not isinstance(sink, ParquetFolder):
        message = f"engine {engine!r} writes Parquet files: import into a store with engine 'local'"
        raise ConfigError(message, option="engine")
    return Task(replace(job, workers=job.workers or WORKERS), manifest.folder)
