"""Table of a report: runs beside their twins, by retrieval failures."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chunkwright.evaluation.confidence.bootstrap import points
from chunkwright.evaluation.confidence.failures import METRIC, TOP, Failures, compare_failures
from chunkwright.evaluation.report.bars import bars
from chunkwright.evaluation.report.score_tables import (
    NONE,
    Column,
    ReportCell,
    ReportTable,
    interval_cell,
    percent,
)

if TYPE_CHECKING:
    from chunkwright.evaluation.report.report import Report
    from chunkwright.evaluation.scores.result import Evaluation

Pair = tuple["Evaluation", "Evaluation", Failures]


def twin_pairs(report: Report) -> list[Pair]:
    """Return each run with each of its twins that is in the report, and what failed.

    Of no questions, or without the first 20 hits, there is nothing to say.
    """
    if not report.dataset.questions or TOP not in report.cutoffs:
        return []
    by_name = {run.name: run for run in report.evaluations}
    pairs = ((run, by_name[n]) for run in report.evaluations for n in run.twins if n in by_name)
    return [(run, twin, compare_failures(run, twin, **report.resampling)) for run, twin in pairs]


def twin_table(report: Report) -> ReportTable | None:
    """Return what fails in each run and in its twins; None if none has one."""
    pairs = twin_pairs(report)
    if not pairs:
        return None
    compared = [missed.interval for *_, missed in pairs]
    of_run = f"share of the excerpts' characters that the first {TOP} hits do not hold"
    columns = (
        Column("twin", "twin", tuple(ReportCell(twin.name, twin.name) for _, twin, _ in pairs)),
        Column(METRIC, METRIC, tuple(_share(missed.share) for *_, missed in pairs), "", of_run),
        Column(
            f"{METRIC}_of_twin",
            "of the twin",
            tuple(_share(missed.of_twin) for *_, missed in pairs),
        ),
        Column(
            "reduction",
            "reduction",
            tuple(_reduction(missed) for *_, missed in pairs),
            about="what is less than the twin's share, as a part of that",
        ),
        Column(
            f"difference_{METRIC}",
            f"Δ {METRIC}",
            tuple(map(partial(interval_cell, is_less_better=True), compared, bars(compared))),
            about="the share less the twin's, with the interval it lies in, in points",
        ),
    )
    return ReportTable("Twins", tuple(run.name for run, *_ in pairs), columns)


def _share(share: float) -> ReportCell:
    return ReportCell(percent(share), share)


def _reduction(found: Failures) -> ReportCell:
    if found.reduction is None:
        return ReportCell(NONE)
    return ReportCell(f"{points(found.reduction)} %", found.reduction)
