"""Execution of a plan: what is done is skipped, the rest is made, and all of it is told."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeAlias

from chunkwright import telemetry
from chunkwright.checks import checked_name
from chunkwright.corpus.inputs.splitting import lacking_extras
from chunkwright.corpus.output.manifest import Manifest
from chunkwright.corpus.pipeline.items import SHOWN, ShardResult
from chunkwright.corpus.report import Beginning, Counts, Failure
from chunkwright.corpus.result import Result
from chunkwright.corpus.settings import ENGINES
from chunkwright.errors import CorpusError, OptionName
from chunkwright.io.missing import LookedThrough, Place
from chunkwright.messages.terminal_text import counted

if TYPE_CHECKING:
    from chunkwright.corpus.inputs.splitting import Shard
    from chunkwright.corpus.output.sink import Sink
    from chunkwright.corpus.pipeline.items import Outcome
    from chunkwright.corpus.planning.plan import Job, Plan
    from chunkwright.corpus.report import CorpusProgress

    Made: TypeAlias = Iterator[Outcome]

Engine: TypeAlias = "Callable[[Job, Sequence[Shard], Sink, Manifest], Made]"
"""Makes shards, each whole or not at all, and marks those that are done.

It yields what became of each, in any order; and what was done since, as often as it is known.
"""


def engine_of(name: str) -> Engine:
    """Return the engine of that name.

    Raises
    ------
    ConfigError
        If there is none.
    """
    module, _, function = ENGINES[checked_name("engine", name, list(ENGINES))].partition(":")
    found: Engine = getattr(import_module(f"chunkwright.corpus.{module}"), function)
    return found


@dataclass(eq=False)
class Execution:
    """Runs a plan.

    Parameters
    ----------
    plan
        The plan.
    sink
        What takes the chunks.
    manifest
        Where shards are marked as done.
    progress
        Is told how far the run is.
    max_errors
        So many failures end the run; None: none do.
    folder
        The output.
    replaced
        The shards of the output that the new ones take the place of when all of them are there;
        None: those are not of other settings, and go before.
    changes
        Which settings have changed, in words.
    force
        Whether shards are removed although inputs could not be read, of which they may be.
    """

    plan: Plan
    sink: Sink
    manifest: Manifest
    progress: CorpusProgress
    max_errors: int | None = None
    folder: str = field(kw_only=True)
    replaced: Collection[str] | None = field(default=None, kw_only=True)
    changes: Sequence[str] = field(default=(), kw_only=True)
    force: bool = field(default=False, kw_only=True)
    _failures: list[Failure] = field(default_factory=list)
    _n_failed: int = 0
    _first: Failure | None = None
    _given_up: list[ShardResult] = field(default_factory=list)

    def run(self, engine: Engine) -> Result:
        """Make the shards that are not done.

        Raises
        ------
        CorpusError
            If the output has files of others or cannot be written, or if more fails than may.
        ModelError
            If a model fails for all documents.
        """
        with telemetry.span("corpus.run", shards=len(self.plan.shards)):
            result = self._run(engine)
        self.manifest.write_report(result.to_dict(self.plan.job))
        return result

    def _run(self, engine: Engine) -> Result:
        began = perf_counter()
        wanted = [shard.name for shard in self.plan.shards]
        before = self._begin(set(wanted))
        for problem in self.plan.problems:
            self._fail([Failure.of(problem, "read", "inputs")])
        self._check(len(self.plan.problems))
        todo = [shard for shard in self.plan.shards if shard.name not in before]
        # Of shards that are made their failures are in files, and would take memory here.
        made = [each.counts for each in self._made(engine, todo)] if todo else []
        of_this_run = Counts.sum(made)
        return Result(
            self.folder,
            Counts.sum([*before.values(), of_this_run]),
            n_shards=len(wanted),
            n_skipped=len(before),
            n_made=len(made),
            given_up=[_words(each) for each in self._given_up],
            problems=[str(problem) for problem in self.plan.problems],
            failures=self._failures,
            seconds=perf_counter() - began,
            made=of_this_run,
            is_pending=self.replaced is not None,
        )

    def _begin(self, wanted: set[str]) -> dict[str, Counts]:
        """Say what will be done, remove what is of other inputs or settings; return what is done.

        Raises
        ------
        CorpusError
            If the output has files of others, or none of the inputs is there any more.
        """
        there = self.sink.sizes()
        whole = self.manifest.whole(there)
        done = {name: counts for name, counts in whole.items() if name in wanted}
        if there and self.manifest.settings() is None:
            # They are somebody else's, and would be removed.
            raise CorpusError(
                f"{self.folder} has files that no run over a corpus has written, such as"
                f" part-{min(there)}.parquet: name another folder"
            )
        stale = (self.manifest.done() | set(there or ())) - done.keys()
        self._check_inputs(wanted, stale)
        sizes = {shard.name: shard.size for shard in self.plan.shards}
        self.progress(
            Beginning(
                len(wanted),
                len(done),
                len(stale - wanted if self.replaced is None else self.replaced),
                self.plan.size,
                sum(sizes[name] for name in done),
                self.changes,
                is_staged=self.replaced is not None,
                lacking=lacking_extras(
                    unit
                    for shard in self.plan.shards
                    if shard.name not in done
                    for unit in shard.units
                ),
            ).step()
        )
        self.manifest.tidy()
        self.manifest.remove(stale)
        self.sink.remove(stale)
        self.manifest.write_settings(self.plan.job.settings)
        self.manifest.write_plan(self.plan.shards)
        return done

    def _check_inputs(self, wanted: set[str], stale: set[str]) -> None:
        """Check that what goes is not of inputs that were not looked through.

        Raises
        ------
        CorpusError
            If it may be.
        """
        going = stale - wanted if self.replaced is None else set(self.replaced)
        looked = LookedThrough(self.plan.folders)
        gone = {looked.gone(file) for file in Manifest(self.folder).files(going)}
        places = sorted(f"{each.name}: {each.why}" for each in gone if isinstance(each, Place))
        problems = "; ".join([*map(str, self.plan.problems), *places])
        if (stale or going) and not wanted:
            # A disk that is not mounted, say: it will be there again.
            raise CorpusError(f"{self.folder} is left as it is, for no input is: {problems}")
        if going and problems and not self.force:
            raise CorpusError(
                f"{self.folder} is left as it is: {counted(len(going), 'shard')} would go, and may"
                f" be of inputs that cannot be read: {problems}"
            )

    def _made(self, engine: Engine, shards: list[Shard]) -> Iterator[ShardResult]:
        """Yield the shards that were made whole."""
        running: Any = engine(self.plan.job, shards, self.sink, self.manifest)
        try:
            for each in running:
                if isinstance(each, Failure):
                    self._first = self._first or each
                    continue
                if isinstance(each, Counts):
                    self.progress(each.step())
                    self._check(each.failed)
                    continue
                self._fail(each.failures)
                if each.error is None:
                    yield each
                else:
                    self._given_up.append(each)
                    failure = Failure.of(each.error, "read", each.shard.units[0].label)
                    self._first = self._first or failure
                    self.progress(failure.step())
                    self._check(1)
        finally:
            running.close()
            # A worker elsewhere may have been killed, and another have done its work.
            self.manifest.tidy()

    def _fail(self, failures: list[Failure]) -> None:
        for failure in failures:
            self._first = self._first or failure
            self.progress(failure.step())
        self._failures += failures[: SHOWN - len(self._failures)]

    def _check(self, n_failed: int) -> None:
        self._n_failed += n_failed
        if self.max_errors is not None and self._n_failed > self.max_errors:
            raise CorpusError(
                f"{self._n_failed} documents and inputs failed, and {self.max_errors} may (",
                OptionName("max_errors"),
                ")",
                *_told(self._first),
                ": what is done stays, and another run goes on behind it",
            )


def _told(failure: Failure | None) -> tuple[object, ...]:
    if failure is None:
        return ()
    return (f", the first of them {failure.place} (", *failure.parts, ")")


def _words(result: ShardResult) -> str:
    return f"{result.shard.name}: {result.error}"
