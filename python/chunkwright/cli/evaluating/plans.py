"""Plan of an evaluation, as the command's arguments choose it."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from chunkwright.cli.evaluating.named_models import NamedModels
from chunkwright.errors import ConfigError, nearest

if TYPE_CHECKING:
    from chunkwright.evaluation.run.plan import Plan

PRESET = "chroma-report"


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
