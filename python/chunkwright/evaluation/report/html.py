"""Report as one page of HTML that needs nothing else: no script, no font, no connection."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from chunkwright.errors import MissingExtraError
from chunkwright.evaluation.report.bars import bars
from chunkwright.evaluation.report.chunk_report import chunk_table
from chunkwright.evaluation.report.exports import facts_in_words
from chunkwright.evaluation.report.legend import (
    brief_legend,
    conclusion,
    full_legend,
    retriever_legend,
    twin_legend,
)
from chunkwright.evaluation.report.plots import plot_evaluations, svg
from chunkwright.evaluation.report.score_tables import (
    corpus_table,
    described,
    interval_cell,
    percent,
    summary_table,
)
from chunkwright.evaluation.report.twins import twin_table
from chunkwright.evaluation.report.worst_questions import Case, worst_cases
from chunkwright.evaluation.scores.cutoffs import KINDS, metric_name
from chunkwright.messages.terminal_text import counted
from chunkwright.render import page

if TYPE_CHECKING:
    from markupsafe import Markup

    from chunkwright.evaluation.report.report import Report
    from chunkwright.evaluation.report.score_tables import ReportCell
    from chunkwright.evaluation.scores.result import Evaluation

SHOWN = {"recall": "Recall", "iou": "IoU"}

Pictures: TypeAlias = "list[tuple[str, Markup]]"
"""Titles, and what is drawn."""


def to_html(report: Report, *, worst: int = 5) -> str:
    """Return a report as a page of HTML.

    Parameters
    ----------
    report
        The report.
    worst
        How many questions are shown of each run: those with the largest loss against the
        baseline, else those with the lowest recall.

    Returns
    -------
    str
        A whole document, with all that it needs in it, and everything that is a text escaped. The
        same report gives the same page. Intervals are drawn by the page itself; without Matplotlib,
        of the extra ``plots``, it has no other pictures, and says so.

    Raises
    ------
    MissingExtraError
        If Jinja2 is not installed.
    """
    dataset = report.dataset
    undrawn, scatters = "", []
    try:
        scatters = _scatters(report)
    except MissingExtraError as error:
        undrawn = str(error)
    return page(
        "report.html",
        report=report,
        title=f"Evaluation: {dataset.name}" if dataset.name else "Evaluation",
        about=_about(report),
        placements=" and ".join(dict.fromkeys(run.placement for run in report.evaluations)),
        conclusion=conclusion(report),
        summary=summary_table(report),
        legend=brief_legend(report),
        full_legend=full_legend(report),
        retriever_legend=retriever_legend(report),
        chunks=chunk_table([run.name for run in report.evaluations], report.measures),
        confidence=f"{100 * report.confidence:g} %",
        scatters=scatters,
        differences=[_differences(report, metric) for metric in report.compared],
        undrawn=undrawn,
        corpora=_corpora(report),
        twins=twin_table(report),
        twin_legend=twin_legend(report),
        recall=metric_name("recall", report.lead),
        worst=_worst(report, worst),
        problems=[f"{each.place}: {each.what} ({each.question})" for each in dataset.problems],
        **facts_in_words(report.settings),
    )


def _about(report: Report) -> str:
    dataset = report.dataset
    parts = (
        counted(len(report.evaluations), "run"),
        counted(len(dataset.questions), "question"),
        counted(dataset.n_excerpts, "excerpt"),
        counted(len(dataset.corpora), "corpus", "corpora"),
    )
    return ", ".join(parts)


def _scatters(report: Report) -> Pictures:
    if not report.dataset.questions:
        return []
    pictures = []
    for kind in (kind for kind in KINDS if kind != "precision"):
        metric = metric_name(kind, report.lead)
        title = f"{SHOWN[kind]} of {described(report.lead)} against the mean size of a chunk"
        about = [_point(run, metric) for run in report.evaluations]
        draw = partial(
            plot_evaluations, report.evaluations, metric=metric, baseline=report.baseline
        )
        drawn = svg(draw, title, n_rows=len(about), about=about)
        pictures.append((title, drawn))
    return pictures


def _point(run: Evaluation, metric: str) -> str:
    reached = f"{metric} {percent(run.mean(metric))} %"
    return f"{run.name}: {reached}, {run.mean_tokens:,.0f} tokens"


def _differences(report: Report, metric: str) -> tuple[str, list[tuple[str, ReportCell]]]:
    """Return a title, and the difference of each run but the baseline."""
    found = {run.name: report.intervals.get((run.name, metric)) for run in report.evaluations}
    known = {name: interval for name, interval in found.items() if interval is not None}
    drawn = bars(list(known.values()))
    cells = [interval_cell(*each) for each in zip(known.values(), drawn, strict=True)]
    title = f"{metric}, difference to {report.baseline}, in points"
    return title, list(zip(known, cells, strict=True))


def _corpora(report: Report) -> list[object]:
    if len(report.dataset.corpora) < 2 or not report.dataset.questions:  # noqa: PLR2004
        return []
    return [corpus_table(report, metric) for metric in report.compared[:2]]


def _worst(report: Report, most: int) -> list[tuple[Evaluation, str, list[Case]]]:
    if not report.dataset.questions or most <= 0:
        return []
    against = f"largest losses against {report.baseline}"
    return [
        (
            run,
            "lowest recall" if report.base in {None, run} else against,
            worst_cases(report, run, most),
        )
        for run in report.evaluations
    ]
