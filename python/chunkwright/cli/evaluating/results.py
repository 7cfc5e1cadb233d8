"""Results of an evaluation: a report as files, as a plot, and on the terminal."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from chunkwright.cli.evaluating.chunk_measures import measure_evaluated
from chunkwright.cli.show.report import Report as Progress
from chunkwright.cli.streams import piped
from chunkwright.errors import ConfigError
from chunkwright.messages.terminal_text import counted

if TYPE_CHECKING:
    from chunkwright.evaluation import Evaluation
    from chunkwright.evaluation.report import Report
    from chunkwright.evaluation.run.plan import Plan

_INCHES = 8, 6


def check_outputs(out: Path | None, plot: Path | None, *, questions: bool) -> None:
    """Check before anything runs that the results can be written, and make their folder.

    Raises
    ------
    ConfigError
        If they cannot.
    """
    from chunkwright.cli.show.plotting import check_plot

    if plot is not None:
        check_plot(plot)
    if questions:
        from chunkwright.evaluation.report.exports import check_arrow

        if out is None:
            raise ConfigError("--questions needs a folder: name one with --out")
        check_arrow()
    if out is None:
        return
    from chunkwright.render import check_pages

    check_pages()
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"cannot write {out}: {error.strerror or error}") from error


def report_of(plan: "Plan", found: "list[Evaluation]", seed: int, progress: Progress) -> "Report":
    """Return the report of the runs, each beside the baseline if that did not fail."""
    from chunkwright.evaluation.report import Report

    baseline = plan.baseline
    if baseline is not None and baseline not in {run.name for run in found}:
        progress.note(f"Nothing is compared with {baseline}, which failed")
        baseline = None
    measures = measure_evaluated(plan, found, progress)
    return Report(
        found, baseline, plan.settings, rank_by=plan.rank_by, seed=seed, measures=measures
    )


def write(report: "Report", out: Path | None, plot: Path | None, *, questions: bool) -> None:
    """Write the files and the plot that were asked for."""
    from chunkwright.evaluation.report import to_html, to_json, write_parquet
    from chunkwright.files.atomic import replacing

    if out is not None:
        for name, text in (("report.json", to_json(report)), ("report.html", to_html(report))):
            with replacing(out / name) as file:
                file.write(text.encode())
    if out is not None and questions:
        with replacing(out / "questions.parquet") as file:
            write_parquet(report, file)
    if plot is not None:
        from chunkwright.cli.show.plotting import save_plot
        from chunkwright.evaluation.report.plots import plot_evaluations

        save_plot(lambda ax: plot_evaluations(report.evaluations, ax), plot, _INCHES)


def show(report: "Report", out: Path | None, progress: Progress, *, by_corpus: bool) -> None:
    """Show the tables and the recommendation, and close with what was done."""
    _show_tables(report, progress, by_corpus=by_corpus)
    _close(report, out, progress)


def _show_tables(report: "Report", progress: Progress, *, by_corpus: bool) -> None:
    from chunkwright.cli.show import evaluation_tables as evaltable
    from chunkwright.evaluation.report import chunk_table, corpus_table, summary_table, twin_table

    summary = summary_table(report)
    known = {column.name for column in summary.columns}
    chunks = chunk_table(summary.names, report.measures)
    beside = [column for column in chunks.columns if column.name not in known]
    tables = [replace(summary, columns=(*summary.columns, *beside))]
    if (twins := twin_table(report)) is not None:
        tables.append(twins)
    if by_corpus:
        tables.append(corpus_table(report, report.compared[0]))
    with piped():
        for table in tables:
            evaltable.show(table, sys.stdout)
        sentences = report.recommendation.sentences() if report.recommendation else []
        sentences = [*([note] if (note := report.ranking_note) else []), *sentences]
        if sys.stdout.isatty():
            evaltable.say(sentences, sys.stdout)
            return
    # Elsewhere programs read the table.
    for sentence in sentences:
        progress.note(sentence)


def _close(report: "Report", out: Path | None, progress: Progress) -> None:
    dataset = report.dataset
    parts = [counted(len(report.evaluations), "run"), counted(len(dataset.questions), "question")]
    if dataset.problems:
        parts.append(counted(len(dataset.problems), "problem"))
    where = f": {out / 'report.html'}" if out is not None else ""
    progress.close(f"{', '.join(parts)}{where}")
