"""Result of a run, and the status of an output."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from chunkwright import __version__
from chunkwright.corpus.output.lock import holder
from chunkwright.corpus.output.manifest import Manifest
from chunkwright.corpus.output.staging import Staging
from chunkwright.corpus.report import Counts
from chunkwright.errors import CorpusError

if TYPE_CHECKING:
    from chunkwright.corpus.planning.plan import Job
    from chunkwright.corpus.report import Failure


@dataclass(frozen=True)
class Result:
    """The result of a run, and the state of its output.

    Attributes
    ----------
    folder
        The output.
    counts
        The counts of all finished shards of the output, by whichever run.
    n_shards, n_skipped, n_made
        The number of all shards, of those that were done before, and of those that this run made.
    given_up
        Why some shards are not done, for example because a file is gone; the next run tries again.
    problems
        Why some inputs cannot be read.
    failures
        The first hundred documents and inputs that failed in this run. The folder ``_errors`` of
        the output has all of them, as Parquet files.
    seconds
        The duration of the run.
    made
        The counts of this run.
    is_pending
        Whether the output is still that of other settings, because the new one is not complete.
    """

    folder: str
    counts: Counts
    n_shards: int
    n_skipped: int
    n_made: int
    given_up: Sequence[str] = ()
    problems: Sequence[str] = ()
    failures: Sequence[Failure] = ()
    seconds: float = 0.0
    made: Counts = field(default_factory=Counts)
    is_pending: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether all shards are done, all inputs were there, and no document failed."""
        return not (self.given_up or self.problems or self.counts.failed)

    @property
    def has_all(self) -> bool:
        """Whether all shards are done, and all inputs were there."""
        return not (self.given_up or self.problems)

    def to_dict(self, job: Job) -> dict[str, Any]:
        """Return the report that ``run.json`` holds."""
        seconds = max(self.seconds, 1e-9)
        return {
            "chunkwright": __version__,
            "ended": datetime.now(UTC).isoformat(timespec="seconds"),
            "fingerprint": job.fingerprint,
            "settings": dict(job.settings),
            "shards": {
                "all": self.n_shards,
                "done_before": self.n_skipped,
                "made": self.n_made,
                "given_up": list(self.given_up),
            },
            "problems": list(self.problems),
            "counts": self.counts.to_dict(),
            "this_run": {
                "seconds": round(self.seconds, 3),
                "documents_per_second": round(self.made.documents / seconds, 1),
                "input_bytes_per_second": round(self.made.input_bytes / seconds),
                "busy_share": {
                    stage: round(busy / seconds, 4) for stage, busy in self.made.seconds.items()
                },
            },
        }


@dataclass(frozen=True)
class Status:
    """The progress of the run of an output.

    Attributes
    ----------
    folder
        The output.
    n_shards, n_done
        The number of shards, and of those that are done.
    size, size_done
        The bytes of their inputs.
    counts
        The counts of finished shards.
    running
        The run that writes the output now, in words; None if there is none.
    following
        The progress of the run that rebuilds this output with other settings; None if there is
        none.
    """

    folder: str
    n_shards: int
    n_done: int
    size: int
    size_done: int
    counts: Counts
    running: str | None
    following: Status | None = None


def status(folder: str | os.PathLike[str]) -> Status:
    """Return the progress of the run of an output, also while it runs.

    Parameters
    ----------
    folder
        The output folder: a path or an address.

    Raises
    ------
    CorpusError
        If the folder is not the output of a run.
    """
    folder = os.fspath(folder)
    manifest, staging = Manifest(folder), Staging(folder)
    running = holder(manifest.lock_path)
    if manifest.settings() is None and not manifest.is_begun():
        raise CorpusError(f"{folder} is not the output of a run over a corpus")
    if staging.is_switching:
        return _status(folder, [staging.manifest, manifest], running)
    following = None
    if staging.manifest.settings() is not None:
        following = _status(staging.manifest.folder, [staging.manifest], running)
    return replace(_status(folder, [manifest], running), following=following)


def _status(folder: str, of: Sequence[Manifest], running: str | None) -> Status:
    """Return how far a run is, of whose manifests the first one with a plan says what it makes."""
    plan = next(filter(None, (each.plan() for each in of)), [])
    marked = [each.done() & {name for name, _ in plan} for each in of]
    done = set().union(*marked)
    return Status(
        folder,
        len(plan),
        len(done),
        sum(size for _, size in plan),
        sum(size for name, size in plan if name in done),
        Counts.sum([each.counts(names) for each, names in zip(of, marked, strict=True)]),
        running,
    )
