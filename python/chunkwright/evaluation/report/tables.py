"""Tables of a report: columns of scores and differences, for the page and the command line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from chunkwright.evaluation.confidence.bootstrap import in_words
from chunkwright.evaluation.cutoffs import KINDS, cutoff_of, metric_name, tokens_name

if TYPE_CHECKING:
    from chunkwright.evaluation.confidence.bootstrap import Interval
    from chunkwright.evaluation.cutoffs import Cutoff
    from chunkwright.evaluation.report.facts import Report
    from chunkwright.evaluation.result import Evaluation

SHORT = {"recall": "R", "precision": "P", "iou": "IoU"}
ABOUT = {
    "recall": "share of the excerpts' characters that the hits hold",
    "precision": "share of the hits' characters that are the excerpts'",
    "iou": "what hits and excerpts share, of all that either holds",
}
TOKENS = "tok"
ABOUT_TOKENS = "mean tokens of all hits of a question: what has to be read"
NONE = "–"


@dataclass(frozen=True)
class Cell:
    """What stands in one place of a table.

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
    """

    text: str
    value: float | str | None = None
    note: str = ""
    kind: str = ""


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
    """

    name: str
    title: str
    cells: tuple[Cell, ...]
    group: str = ""
    about: str = ""
    alone: str = ""


@dataclass(frozen=True)
class Table:
    """Columns beside the names of the runs."""

    title: str
    names: tuple[str, ...]
    columns: tuple[Column, ...]

    @property
    def groups(self) -> list[tuple[str, list[Column]]]:
        """Neighbouring columns of one group, with its title."""
        return [(group, list(own)) for group, own in groupby(self.columns, lambda each: each.group)]


def summary_table(report: Report) -> Table:
    """Return what each run reached."""
    return Table("Runs", _names(report), tuple(_summary_columns(report)))


def corpus_table(report: Report, metric: str) -> Table:
    """Return what each run reached in each corpus, by one metric; beside recall its tokens."""
    cutoff = cutoff_of(metric)
    cost = tokens_name(cutoff) if cutoff is not None and metric.startswith("recall") else None
    by_run = [run.by_corpus(metric) for run in report.evaluations]
    corpora = [name for name in report.dataset.corpora if any(name in found for found in by_run)]
    columns = []
    for corpus in corpora:
        found = [rows.get(corpus) for rows in by_run]
        n_questions = max(row[2] for row in found if row is not None)
        cells = [_score(row[0], row[1]) if row else Cell(NONE) for row in found]
        about = f"{n_questions:,} questions about {corpus}"
        if cost is None:
            columns.append(Column(corpus, corpus, _with_best(cells), f"{metric}, %", about))
            continue
        columns.append(Column(corpus, f"{metric}, %", _with_best(cells), corpus, about, corpus))
        spent = [run.by_corpus(cost).get(corpus) for run in report.evaluations]
        tokens = tuple(_tokens(row[0], row[1]) if row else Cell(NONE) for row in spent)
        name, alone = f"{corpus}: {cost}", f"{corpus}: {TOKENS}"
        columns.append(Column(name, TOKENS, tokens, corpus, ABOUT_TOKENS, alone))
    return Table(f"{metric} by corpus", _names(report), tuple(columns))


def _names(report: Report) -> tuple[str, ...]:
    return tuple(run.name for run in report.evaluations)


def _summary_columns(report: Report) -> Iterator[Column]:
    runs = report.evaluations
    numbers = tuple(Cell(f"{run.n_chunks:,}", run.n_chunks) for run in runs)
    yield Column("chunks", "chunks", numbers, about="chunks of all corpora")
    sizes = tuple(Cell(f"{run.mean_tokens:,.0f}", run.mean_tokens) for run in runs)
    yield Column("mean_tokens", "tokens", sizes, about="mean tokens of a chunk")
    for cutoff in report.cutoffs:
        for kind in KINDS:
            cells = _metric(report, metric_name(kind, cutoff))
            name, about = metric_name(kind, cutoff), f"{kind}: {ABOUT[kind]}"
            group, alone = f"{described(cutoff)}, %", f"{SHORT[kind]}@{cutoff}"
            yield Column(name, SHORT[kind], cells, group, about, alone)
            if kind == "recall":
                name, alone = tokens_name(cutoff), f"{TOKENS}@{cutoff}"
                yield Column(name, TOKENS, _costs(report, name), group, ABOUT_TOKENS, alone)
    omega = "how well boundaries fit the excerpts, whatever is found: the IoU of all that hold one"
    yield Column("precision_omega", "Ω", _metric(report, "precision_omega"), "", omega)
    if (found := report.recommendation) is not None:
        shares = [found.probability_best[run.name] for run in runs]
        best = _with_best([Cell(percent(share), share) for share in shares])
        about = f"share of resamples of the questions in which a run has the best {found.metric}"
        yield Column("probability_best", "P(best), %", best, "", about)
    for metric in report.compared if report.base is not None else ():
        about = f"{metric} less that of {report.baseline}, with the interval it lies in, in points"
        title = f"Δ {metric}"
        yield Column(f"difference_{metric}", title, tuple(_differences(report, metric)), "", about)


def described(cutoff: Cutoff) -> str:
    """Say how many hits count."""
    shown = str(cutoff)
    if shown == "min":
        return "as many hits as needed"
    return f"{shown[:-1]} tokens" if shown.endswith("t") else f"{shown} hits"


def _metric(report: Report, metric: str) -> tuple[Cell, ...]:
    if not report.dataset.questions:
        return tuple(Cell(NONE) for _ in report.evaluations)
    return _with_best([_score(run.mean(metric), run.std(metric)) for run in report.evaluations])


def _costs(report: Report, name: str) -> tuple[Cell, ...]:
    if not report.dataset.questions:
        return tuple(Cell(NONE) for _ in report.evaluations)
    return tuple(_tokens(run.mean(name), run.std(name)) for run in report.evaluations)


def _tokens(mean: float, std: float) -> Cell:
    return Cell(f"{mean:,.0f}", mean, f"±{std:,.0f}")


def _score(mean: float, std: float) -> Cell:
    return Cell(percent(mean), mean, f"±{percent(std)}")


def _with_best(cells: list[Cell]) -> tuple[Cell, ...]:
    """Mark the best of a column, unless all are equal."""
    texts = [cell.text for cell in cells if cell.value is not None]
    best = max(texts, key=float, default=None)
    if len(set(texts)) <= 1:
        return tuple(cells)
    return tuple(Cell(c.text, c.value, c.note, "best") if c.text == best else c for c in cells)


def _differences(report: Report, metric: str) -> Iterator[Cell]:
    for run in report.evaluations:
        found = report.intervals.get((run.name, metric))
        yield Cell(_no_difference(run, report)) if found is None else interval_cell(found)


def _no_difference(run: Evaluation, report: Report) -> str:
    return "baseline" if run is report.base else NONE


def interval_cell(interval: Interval) -> Cell:
    """Show a difference and its interval, in points of percent."""
    kind = "better" if interval.low > 0 else "worse" if interval.high < 0 else ""
    return Cell(in_words(interval), interval.difference, kind=kind)


def percent(share: float) -> str:
    """Show a share as percent, with one decimal."""
    return f"{100 * share:.1f}"
