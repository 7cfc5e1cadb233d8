"""Plan of an evaluation, as the command's arguments choose it."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from chunkwright.cli.language_model import ROW, ledger_summary
from chunkwright.cli.show.report import Report as Progress
from chunkwright.errors import ConfigError, nearest

if TYPE_CHECKING:
    from chunkwright.embed import Embedder
    from chunkwright.evaluation.run.plan import Plan
    from chunkwright.llm import Ledger
    from chunkwright.retrieval.rerank import Reranker

PRESET = "chroma-report"


class NamedModels:
    """Embedders, rerankers and language models of the runs.

    Parameters
    ----------
    progress
        Shows how far they are.
    keeps
        Whether vectors and scores are kept on disk.
    """

    def __init__(self, progress: Progress, *, keeps: bool) -> None:
        self._progress = progress
        self._keeps = keeps
        self._ledger: Ledger | None = None

    def embedder(self, name: str) -> "Embedder":
        """Return the embedder that has a name."""
        from chunkwright.cli.settings.embedder import named_embedder

        return named_embedder(name, is_cached=self._keeps, progress=self._progress.embedded)

    def reranker(self, reranker: "Reranker") -> "Reranker":
        """Return a reranker that keeps its scores, unless nothing is kept."""
        if not self._keeps:
            return reranker
        from chunkwright.files.disk_cache import cache_folder_of
        from chunkwright.retrieval.rerank.cached import with_cached_scores

        return with_cached_scores(reranker, cache_folder_of("scores"))

    def show(self, ledger: "Ledger") -> None:
        """Show how far a language model is."""
        self._ledger = ledger
        self._progress.show(ROW, ledger.outcomes.total(), ledger_summary(ledger))

    def note_calls(self) -> None:
        """Say at the end what the language model did, if there was one."""
        if self._ledger is not None:
            self._progress.note(f"Model: {ledger_summary(self._ledger)}")


def plan_of(config: str, data: Path | None, embedder: str | None, models: NamedModels) -> "Plan":
    """Return the plan of a file, or of the preset.

    Raises
    ------
    ConfigError
        If the preset lacks its data, or a file is given what only the preset takes.
    """
    if config == PRESET:
        return _preset(data, embedder, models)
    _refuse(config, data, embedder)
    from chunkwright.evaluation.run.config import read_plan

    return read_plan(
        config, embedder=models.embedder, reranker=models.reranker, progress=models.show
    )


def _preset(data: Path | None, embedder: str | None, models: NamedModels) -> "Plan":
    from chunkwright.compat.chroma.report import chroma_report

    for flag, value in (("--data", data), ("--embedder", embedder)):
        if value is None:
            raise ConfigError(f"{PRESET} needs {flag}")
    return chroma_report(str(data), models.embedder(str(embedder)))


def _refuse(config: str, data: Path | None, embedder: str | None) -> None:
    for flag, value in (("--data", data), ("--embedder", embedder)):
        if value is not None:
            raise ConfigError(f"{flag} is for {PRESET}: {config} names its own")


def chosen(plan: "Plan", only: list[str], baseline: str | None) -> "Plan":
    """Return a plan of the runs that were asked for.

    Raises
    ------
    ConfigError
        If there is no run of that name.
    """
    names = [run.name for run in plan.runs]
    for flag, name in [*(("--only", name) for name in only), ("--baseline", baseline)]:
        if name is not None and name not in names:
            raise ConfigError(f"{flag}: no run is called {name!r}; {nearest(name, names)}")
    base = baseline or plan.baseline
    runs = tuple(run for run in plan.runs if not only or run.name in {*only, baseline})
    return replace(plan, runs=runs, baseline=base if base in {run.name for run in runs} else None)


def beside_twins(plan: "Plan", rank_by: str | None) -> "Plan":
    """Return a plan with the twins of its runs, ranked by a metric of the caller's."""
    from chunkwright.evaluation.run.plan import with_twins

    plan = with_twins(plan)
    return replace(plan, rank_by=rank_by or plan.rank_by)
