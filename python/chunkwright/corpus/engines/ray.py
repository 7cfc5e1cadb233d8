"""Engine on Ray: a task for each shard, as many at once as the cluster has processors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chunkwright.corpus.engines.remote import WORKERS, task_of
from chunkwright.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chunkwright.corpus.inputs.splitting import Shard
    from chunkwright.corpus.output.manifest import Manifest
    from chunkwright.corpus.output.sink import Sink
    from chunkwright.corpus.pipeline.items import ShardResult
    from chunkwright.corpus.planning.plan import Job
    from chunkwright.corpus.report import Counts

# So many tasks wait for each processor: none idles, and few are lost if the run ends.
_AHEAD = 2
# Of a task whose worker died.
RETRIES = 3


def run_ray(
    job: Job, shards: Sequence[Shard], sink: Sink, manifest: Manifest
) -> Iterator[ShardResult | Counts]:
    """Make shards on Ray; a task whose worker dies is tried again, three times.

    Where Ray is not running, it is started on this machine.

    Raises
    ------
    MissingExtraError
        If Ray is not installed.
    """
    try:
        import ray
    except ImportError as error:
        raise MissingExtraError("engine 'ray'", "ray") from error
    task = task_of(job, sink, manifest, "ray")
    if not ray.is_initialized():
        ray.init(log_to_driver=False, include_dashboard=False)
    run = ray.remote(num_cpus=task.job.workers or WORKERS, max_retries=RETRIES)(_make)
    sent = ray.put(task)
    resources: dict[str, float] = ray.cluster_resources()
    most = _AHEAD * max(1, int(resources.get("CPU", 1)))
    waiting, begun = list(reversed(shards)), list[Any]()
    try:
        while waiting or begun:
            while waiting and len(begun) < most:
                begun.append(run.remote(sent, waiting.pop()))
            done, begun = ray.wait(begun)
            for result in ray.get(done):
                yield result.counts
                yield result
    finally:
        for each in begun:
            ray.cancel(each, force=True)


def _make(task: Any, shard: Shard) -> ShardResult:
    result: ShardResult = task(shard)
    return result
