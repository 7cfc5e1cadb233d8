"""`chunkwright eval` without questions: measures of the chunks alone."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from chunkwright.cli.show.report import Report as Progress
from chunkwright.cli.streams import piped
from chunkwright.errors import ChunkwrightError, ConfigError
from chunkwright.messages.logs import timed
from chunkwright.messages.terminal_text import counted

if TYPE_CHECKING:
    from chunkwright.cli.show.report import Bars
    from chunkwright.evaluation import Evaluation, Measures
    from chunkwright.evaluation.run.plan import Plan


def refuse_flags(config: str, flags: dict[str, object]) -> None:
    """Raise :class:`ConfigError` if a flag is given that says something about questions."""
    for flag, value in flags.items():
        if value:
            raise ConfigError(f"{flag} needs questions: {config} names none")


def measure_all(plan: "Plan", progress: Progress, bars: "Bars | None") -> "list[Measures]":
    """Measure all runs; one that fails is named, and left out."""
    from chunkwright.evaluation.intrinsic import structures_of
    from chunkwright.evaluation.intrinsic.measures import measure_run

    structures, found = structures_of(plan.dataset, language=plan.language), []
    for i, run in enumerate(plan.runs):
        if bars is not None:
            bars.show("runs", i, len(plan.runs), run.name)
        try:
            with timed(f"run {run.name!r}"):
                found.append(measure_run(run, plan, structures))
        except ChunkwrightError as error:
            progress.fail(run.name, error.spell(str))
            continue
        progress.done += 1
    return found


def measure_evaluated(
    plan: "Plan", evaluations: "Sequence[Evaluation]", progress: Progress
) -> "list[Measures]":
    """Measure the chunks that were evaluated; one run that cannot be measured is noted."""
    from chunkwright.evaluation.intrinsic import structures_of
    from chunkwright.evaluation.intrinsic.measures import measure_evaluation

    structures, found = structures_of(plan.dataset, language=plan.language), []
    runs = {run.name: run for run in plan.runs}
    for each in evaluations:
        try:
            found.append(measure_evaluation(each, runs[each.name], plan, structures))
        except ChunkwrightError as error:
            progress.note(f"{each.name}: its chunks cannot be measured: {error}")
    return found


def report_chunks(
    plan: "Plan", measures: "Sequence[Measures]", out: Path | None, progress: Progress
) -> None:
    """Write a report of chunks alone, and show its table."""
    from chunkwright.cli.show.evaluation_tables import show
    from chunkwright.evaluation.report import ChunkReport
    from chunkwright.files.atomic import replacing

    report = ChunkReport(measures, plan.dataset, plan.settings)
    if out is not None:
        for name, text in (("report.json", report.to_json()), ("report.html", report.to_html())):
            with replacing(out / name) as file:
                file.write(text.encode())
    with piped():
        show(report.table, sys.stdout)
    where = f": {out / 'report.html'}" if out is not None else ""
    progress.close(f"{counted(len(measures), 'run')}, no questions{where}")
