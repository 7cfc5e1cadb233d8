"""Runs of an evaluation, one after the other, each kept on disk as soon as it is done."""

from pathlib import Path
from typing import TYPE_CHECKING

from chunkwright.cli.show.report import Report as Progress
from chunkwright.errors import ChunkwrightError, MissingExtraError
from chunkwright.messages.logs import timed
from chunkwright.messages.terminal_text import counted

if TYPE_CHECKING:
    from chunkwright.cli.show.report import Bars
    from chunkwright.evaluation import Evaluation
    from chunkwright.evaluation.chunkers.cache import SharedCuts
    from chunkwright.evaluation.run.cache import RunCache
    from chunkwright.evaluation.run.plan import Plan, Run

# Problems of a dataset that are named; the page lists more.
_MOST_NAMED = 10


def run_cache_of(out: Path | None) -> "RunCache | None":
    """Return the cache of finished runs; None without the package that knows its folder."""
    from chunkwright.evaluation.run.cache import RunCache
    from chunkwright.files.disk_cache import cache_folder_of

    if out is not None:
        return RunCache(out / "runs")
    try:
        return RunCache(cache_folder_of("runs"))
    except MissingExtraError:
        # Nothing was asked for that needs it.
        return None


def evaluate_all(
    plan: "Plan",
    kept: "RunCache | None",
    progress: Progress,
    bars: "Bars | None",
    *,
    fresh: bool,
) -> "list[Evaluation]":
    """Evaluate all runs; one that fails is named, and left out."""
    from chunkwright.evaluation.chunkers.cache import SharedCuts

    _note_problems(plan, progress)
    found, shared = [], SharedCuts()
    for i, run in enumerate(plan.runs):
        if bars is not None:
            bars.show("runs", i, len(plan.runs), run.name)
        done = _attempt(run, plan, kept, progress, bars, shared=shared, fresh=fresh)
        if done is not None:
            found.append(done)
    return found


def _attempt(  # noqa: PLR0913 - what a run needs
    run: "Run",
    plan: "Plan",
    kept: "RunCache | None",
    progress: Progress,
    bars: "Bars | None",
    *,
    shared: "SharedCuts",
    fresh: bool,
) -> "Evaluation | None":
    from chunkwright.evaluation.run.stored_runs import evaluate_run

    def show(step: str, n_done: int, n_all: int) -> None:
        if bars is not None:
            bars.show("step", n_done, n_all, step)

    try:
        with timed(f"run {run.name!r}"):
            done = evaluate_run(
                run, plan, kept, shared=shared, fresh=fresh, tell=progress.note, progress=show
            )
    except ChunkwrightError as error:
        progress.fail(run.name, error.spell(str))
        return None
    progress.done += 1
    return done


def _note_problems(plan: "Plan", progress: Progress) -> None:
    problems = plan.dataset.problems
    for problem in problems[:_MOST_NAMED]:
        progress.note(f"{problem.place}: {problem.what}")
    if len(problems) > _MOST_NAMED:
        progress.note(f"... and {counted(len(problems) - _MOST_NAMED, 'problem')} more")
