"""Tables of a report: columns of scores and differences, for the page and the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from chunkwright.evaluation.confidence.bootstrap import in_words
from chunkwright.evaluation.report.bars import bars
from chunkwright.evaluation.scores.cutoffs import (
    KINDS,
    cutoff_of,
    is_filled,
    metric_name,
    tokens_name,
)

if TYPE_CHECKING:
    from chunkwright.evaluation.confidence.bootstrap import Interval
    from chunkwright.evaluation.report.bars import Bar
    from chunkwright.evaluation.report.report import Report
    from chunkwright.evaluation.scores.cutoffs import Cutoff
    from chunkwright.evaluation.scores.result import Evaluation


SHORT = {"recall": "R", "precision": "P", "iou": "IoU"}
TITLES = {"recall": "recall, %", "precision": "precision, %", "iou": "IoU, %"}
ABOUT = {
    "recall": "share of the answer's characters that the hits hold",
    "precision": "share of the hits' characters that belong to the answer",
    "iou": "characters that hits and answer share, divided by those of both together",
}
TOKENS = "tok"
TOKENS_READ = "tokens read"
ABOUT_TOKENS = "mean tokens of all hits of a question: what has to be read"
ABOUT_OMEGA = "how well boundaries fit the answer, whatever is found: the IoU of all that hold some"
NONE = "–"


@dataclass(frozen=True)
class ReportCell:
    """Content of one place of a table.

    Parameters
    ----------
    text
        For people.
    value
        For programs, in full; None where there is none.
    note
        How much the value varies, for people who have room for it.
    kind
        ``"best"`` of its column, ``"better"`` or ``"worse"`` than the baseline, or ``""``.
    bar
        The interval that the text says, to be drawn; None for what is no interval.
    """

    text: str
    value: float | str | None = None
    note: str = ""
    kind: str = ""
    bar: Bar | None = None


@dataclass(frozen=True)
class Column:
    """A column, one cell a run.

    Parameters
    ----------
    name
        For programs, and for columns that stand alone.
    title
        For people, under the title of the group.
    cells
        From top to bottom.
    group
        What neighbouring columns have in common; empty for none.
    about
        What it counts.
    alone
        The title where groups are not shown; empty: the title.
    is_detail
        Whether a first reader can do without it.
    """

    name: str
    title: str
    cells: tuple[ReportCell, ...]
    group: str = ""
    about: str = ""
    alone: str = ""
    is_detail: bool = False


@dataclass(frozen=True)
class ReportTable:
    """Columns beside the names of the runs."""

    title: str
    names: tuple[str, ...]
    columns: tuple[Column, ...]

    @property
    def groups(self) -> list[tuple[str, list[Column]]]:
        """Neighbouring columns of one group, with its title."""
        return [(group, list(own)) for group, own in groupby(self.columns, lambda each: each.group)]

    @property
    def brief(self) -> ReportTable:
        """The table of what a first reader needs, without how much values vary."""
        columns = (
            replace(column, cells=tuple(replace(cell, note="") for cell in column.cells))
            for column in self.columns
            if not column.is_detail
        )
        return replace(self, columns=tuple(columns))


def summary_table(report: Report) -> ReportTable:
    """Return what each run reached."""
    return ReportTable("Runs", _names(report), tuple(_summary_columns(report)))


def corpus_table(report: Report, metric: str) -> ReportTable:
    """Return what each run reached in each corpus, by one metric; beside recall its tokens."""
    cutoff = cutoff_of(metric)
    cost = tokens_name(cutoff) if cutoff is not None and metric.startswith("recall") else None
    by_run = [run.by_corpus(metric) for run in report.evaluations]
    corpora = [name for name in report.dataset.corpora if any(name in scores for scores in by_run)]
    columns = []
    for corpus in corpora:
        scores = [rows.get(corpus) for rows in by_run]
        n_questions = max(row[2] for row in scores if row is not None)
        cells = [_score(row[0], row[1]) if row else ReportCell(NONE) for row in scores]
        about = f"{n_questions:,} questions about {corpus}"
        if cost is None:
            columns.append(Column(corpus, corpus, _with_best(cells), f"{metric}, %", about))
            continue
        columns.append(Column(corpus, f"{metric}, %", _with_best(cells), corpus, about, corpus))
        spent = [run.by_corpus(cost).get(corpus) for run in report.evaluations]
        tokens = tuple(_tokens(row[0], row[1]) if row else ReportCell(NONE) for row in spent)
        name, alone = f"{corpus}: {cost}", f"{corpus}: {TOKENS}"
        columns.append(Column(name, TOKENS_READ, tokens, corpus, ABOUT_TOKENS, alone))
    return ReportTable(f"{metric} by corpus", _names(report), tuple(columns))


def _names(report: Report) -> tuple[str, ...]:
    return tuple(run.name for run in report.evaluations)


def _summary_columns(report: Report) -> Iterator[Column]:
    runs, compared = report.evaluations, report.compared if report.base is not None else []
    # Whether a run is better than the baseline is what a reader asks first.
    for metric in sorted(compared, key=lambda each: each != report.led_by):
        is_brief = metric == report.led_by or metric.startswith("recall")
        yield _difference(report, metric, is_detail=not is_brief)
    numbers = tuple(ReportCell(f"{run.n_chunks:,}", run.n_chunks) for run in runs)
    yield Column("chunks", "chunks", numbers, about="chunks of all corpora")
    sizes = tuple(ReportCell(f"{run.mean_tokens:,.0f}", run.mean_tokens) for run in runs)
    about = "mean tokens of a chunk"
    yield Column("mean_tokens", "size, tokens", sizes, about=about, alone="tokens")
    essential = {cutoff_of(metric) for metric in (report.ranked_by, *report.compared)}
    for cutoff in report.cutoffs:
        yield from _columns_of(report, cutoff, is_detail=cutoff not in essential)
    omega = _with_best(_cells(report, "precision_omega", _score))
    yield Column("precision_omega", "Ω, %", omega, "", ABOUT_OMEGA, "Ω", is_detail=True)
    if (best := report.recommendation) is not None:
        shares = [best.probability_best[run.name] for run in runs]
        cells = _with_best([ReportCell(percent(share), share) for share in shares])
        about = f"share of resamples of the questions in which a run has the best {best.metric}"
        yield Column("probability_best", "P(best), %", cells, "", about, is_detail=True)


def _columns_of(report: Report, cutoff: Cutoff, *, is_detail: bool) -> Iterator[Column]:
    """Yield what is known at one cutoff; recall and its tokens are for the first reader."""
    group, ranked = described(cutoff), report.ranked_by
    for kind in KINDS:
        name = metric_name(kind, cutoff)
        yield Column(
            name,
            TITLES[kind],
            _with_best(_cells(report, name, _score)),
            group,
            f"{kind}: {ABOUT[kind]}",
            f"{SHORT[kind]}@{cutoff}",
            is_detail=name != ranked and (is_detail or kind != "recall"),
        )
        if kind == "recall":
            name, alone = tokens_name(cutoff), f"{TOKENS}@{cutoff}"
            cells = tuple(_cells(report, name, _tokens))
            yield Column(name, TOKENS_READ, cells, group, ABOUT_TOKENS, alone, is_detail=is_detail)


def _difference(report: Report, metric: str, *, is_detail: bool = False) -> Column:
    about = f"{metric} less that of {report.baseline}, with the interval it lies in, in points"
    cells = tuple(_differences(report, metric))
    return Column(f"difference_{metric}", f"Δ {metric}", cells, "", about, is_detail=is_detail)


def described(cutoff: Cutoff) -> str:
    """Say how many hits count."""
    shown = str(cutoff)
    if shown == "min":
        return "as many hits as chunks hold the answer"
    if is_filled(cutoff):
        return f"{shown[:-1]} tokens, filled"
    return f"{shown[:-1]} tokens" if shown.endswith("t") else f"{shown} hits"


def _cells(
    report: Report, name: str, show: Callable[[float, float], ReportCell]
) -> list[ReportCell]:
    if not report.dataset.questions:
        return [ReportCell(NONE)] * len(report.evaluations)
    return [show(run.mean(name), run.std(name)) for run in report.evaluations]


def _tokens(mean: float, std: float) -> ReportCell:
    return ReportCell(f"{mean:,.0f}", mean, f"±{std:,.0f}")


def _score(mean: float, std: float) -> ReportCell:
    return ReportCell(percent(mean), mean, f"±{percent(std)}")


def _with_best(cells: list[ReportCell]) -> tuple[ReportCell, ...]:
    """Mark the best of a column, unless all are equal."""
    texts = [cell.text for cell in cells if cell.value is not None]
    best = max(texts, key=float, default=None)
    if len(set(texts)) <= 1:
        return tuple(cells)
    return tuple(
        ReportCell(c.text, c.value, c.note, "best") if c.text == best else c for c in cells
    )


def _differences(report: Report, metric: str) -> Iterator[ReportCell]:
    found = [report.intervals.get((run.name, metric)) for run in report.evaluations]
    for run, interval, bar in zip(report.evaluations, found, bars(found), strict=True):
        if interval is None:
            yield ReportCell(_no_difference(run, report))
        else:
            yield interval_cell(interval, bar)


def _no_difference(run: Evaluation, report: Report) -> str:
    return "baseline" if run is report.base else NONE


def interval_cell(
    interval: Interval, bar: Bar | None = None, *, is_less_better: bool = False
) -> ReportCell:
    """Show a difference and its interval, in points of percent."""
    more, less = ("worse", "better") if is_less_better else ("better", "worse")
    kind = more if interval.low > 0 else less if interval.high < 0 else ""
    return ReportCell(in_words(interval), interval.difference, kind=kind, bar=bar)


def percent(share: float) -> str:
    """Show a share as percent, with one decimal."""
    return f"{100 * share:.1f}"
