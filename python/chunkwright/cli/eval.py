"""`chunkwright eval`: evaluation of chunkers by questions whose answers are known."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chunkwright.cli.eval_chunks import (
    measure_all,
    measure_evaluated,
    refuse_flags,
    report_chunks,
)
from chunkwright.cli.models import ROW, said
from chunkwright.cli.settings.options import configured
from chunkwright.cli.settings.table import Settings
from chunkwright.cli.show.report import Report as Progress
from chunkwright.cli.streams import piped
from chunkwright.errors import ChunkwrightError, ConfigError, MissingExtraError, nearest
from chunkwright.logs import timed
from chunkwright.terminal_text import counted

if TYPE_CHECKING:
    from chunkwright.cli.show.bars import Bars
    from chunkwright.embed import Embedder
    from chunkwright.evaluation import Evaluation
    from chunkwright.evaluation.pipeline import SharedCuts
    from chunkwright.evaluation.plan import Plan, Run
    from chunkwright.evaluation.report import Report
    from chunkwright.evaluation.run_cache import RunCache
    from chunkwright.llm import Ledger
    from chunkwright.retrieval.rerank import Reranker

PRESET = "chroma-report"
INCHES = 8, 6
# Problems of a dataset that are named; the page lists more.
MOST_NAMED = 10

What = Annotated[
    str,
    typer.Argument(
        metavar="CONFIG", help=f"A configuration file, or {PRESET}.", show_default=False
    ),
]
Data = Annotated[
    Path | None,
    typer.Option(help=f"Folder of the report's questions_df.csv and corpora ({PRESET} only)."),
]
Model = Annotated[
    str | None, typer.Option("--embedder", help=f"Folder of the model ({PRESET} only).")
]
Out = Annotated[
    Path | None,
    typer.Option(
        help="Folder for report.html and report.json; finished runs are kept there as well."
    ),
]
Fresh = Annotated[
    bool, typer.Option("--fresh/--resume", help="Do all runs again, also those that are kept.")
]
Only = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="Only the run of that name; repeat the option for more."),
]
Baseline = Annotated[
    str | None, typer.Option(metavar="NAME", help="The run that the others are compared with.")
]
RankBy = Annotated[
    str | None,
    typer.Option(
        metavar="METRIC",
        help="What runs are ranked by, as recall@500t or iou@5.",
        show_default=False,
    ),
]
Seed = Annotated[int, typer.Option(min=0, help="Where the resampling of questions starts.")]
ByCorpus = Annotated[bool, typer.Option("--by-corpus", help="Recall in each corpus as well.")]
Questions = Annotated[
    bool, typer.Option("--questions", help="Also questions.parquet: one row a run and question.")
]
Plot = Annotated[
    Path | None, typer.Option(help="Draw recall against size into a .png, .svg or .pdf.")
]


@configured("vector_cache", "quiet", "verbose", has_file=False)
def evaluate(  # noqa: PLR0913 - one a flag
    settings: Settings,
    config: What,
    *,
    data: Data = None,
    embedder: Model = None,
    out: Out = None,
    fresh: Fresh = False,
    only: Only = None,
    baseline: Baseline = None,
    rank_by: RankBy = None,
    seed: Seed = 0,
    by_corpus: ByCorpus = False,
    questions: Questions = False,
    plot: Plot = None,
) -> int:
    """Evaluate ways to cut and to find on questions whose answers are known.

    A run that is done is kept, and taken from there the next time. A table on a terminal, else
    tab-separated values. A file that names no questions has its chunks measured alone: sizes, what
    is cut apart, how much of the text they have.
    """
    _check_outputs(out, plot, questions=questions)
    progress = Progress(quiet=settings.quiet, to_stdout=False)

    def named(name: str) -> "Embedder":
        from chunkwright.cli.settings.embedder import named_embedder

        return named_embedder(name, is_cached=settings.vector_cache, progress=progress.embedded)

    ledgers: list[Ledger] = []

    def asked(ledger: "Ledger") -> None:
        ledgers[:] = [ledger]
        progress.show(ROW, ledger.outcomes.total(), said(ledger))

    from chunkwright.evaluation.twins import with_twins

    keep = _with_cache if settings.vector_cache else None
    with progress.bars() as bars:
        plan = _plan(config, data, embedder, named, keep, asked)
        if not (is_asked := plan.asks):
            of_questions = {"--baseline": baseline, "--rank-by": rank_by, "--by-corpus": by_corpus}
            refuse_flags(config, {**of_questions, "--questions": questions, "--plot": plot})
        plan = _chosen(plan, only or [], baseline)
        if is_asked:
            plan = with_twins(plan)
            plan = replace(plan, rank_by=rank_by or plan.rank_by)
            found = _evaluate_all(plan, _kept(out), progress, bars, fresh=fresh)
        else:
            measures = measure_all(plan, progress, bars)
    for ledger in ledgers:
        progress.note(f"Model: {said(ledger)}")
    if is_asked and found:
        report = _report(plan, found, seed, progress)
        _write(report, out, plot, questions=questions)
        _show(report, progress, by_corpus=by_corpus)
        _close(report, out, progress)
    elif not is_asked and measures:
        report_chunks(plan, measures, out, progress)
    return progress.exit_code


if TYPE_CHECKING:
    from collections.abc import Callable

    MakeEmbedder = Callable[[str], Embedder]
    KeepScores = Callable[[Reranker], Reranker]
    Asked = Callable[[Ledger], None]


def _check_outputs(out: Path | None, plot: Path | None, *, questions: bool) -> None:
    from chunkwright.cli.show.plotting import check_plot

    if plot is not None:
        check_plot(plot)
    if questions:
        from chunkwright.evaluation.report.parquet import check_arrow

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


def _plan(  # noqa: PLR0913, PLR0917 - what makes models
    config: str,
    data: Path | None,
    embedder: str | None,
    named: "MakeEmbedder",
    keep: "KeepScores | None",
    asked: "Asked",
) -> "Plan":
    if config == PRESET:
        return _preset(data, embedder, named)
    _refuse(config, data, embedder)
    from chunkwright.evaluation.config import read_plan

    return read_plan(config, embedder=named, reranker=keep, progress=asked)


def _preset(data: Path | None, embedder: str | None, named: "MakeEmbedder") -> "Plan":
    from chunkwright.compat.chroma.report import chroma_report

    for flag, value in (("--data", data), ("--embedder", embedder)):
        if value is None:
            raise ConfigError(f"{PRESET} needs {flag}")
    return chroma_report(str(data), named(str(embedder)))


def _refuse(config: str, data: Path | None, embedder: str | None) -> None:
    for flag, value in (("--data", data), ("--embedder", embedder)):
        if value is not None:
            raise ConfigError(f"{flag} is for {PRESET}: {config} names its own")


def _chosen(plan: "Plan", only: list[str], baseline: str | None) -> "Plan":
    names = [run.name for run in plan.runs]
    for flag, name in [*(("--only", name) for name in only), ("--baseline", baseline)]:
        if name is not None and name not in names:
            raise ConfigError(f"{flag}: no run is called {name!r}; {nearest(name, names)}")
    base = baseline or plan.baseline
    runs = tuple(run for run in plan.runs if not only or run.name in {*only, baseline})
    return replace(plan, runs=runs, baseline=base if base in {run.name for run in runs} else None)


def _note_problems(plan: "Plan", progress: Progress) -> None:
    problems = plan.dataset.problems
    for problem in problems[:MOST_NAMED]:
        progress.note(f"{problem.place}: {problem.what}")
    if len(problems) > MOST_NAMED:
        progress.note(f"... and {counted(len(problems) - MOST_NAMED, 'problem')} more")


def _kept(out: Path | None) -> "RunCache | None":
    from chunkwright.disk_cache import cache_folder_of
    from chunkwright.evaluation.run_cache import RunCache

    if out is not None:
        return RunCache(out / "runs")
    try:
        return RunCache(cache_folder_of("runs"))
    except MissingExtraError:
        # Nothing was asked for that needs it.
        return None


def _evaluate_all(
    plan: "Plan",
    kept: "RunCache | None",
    progress: Progress,
    bars: "Bars | None",
    *,
    fresh: bool,
) -> "list[Evaluation]":
    from chunkwright.evaluation.pipeline import SharedCuts

    _note_problems(plan, progress)
    found, shared = [], SharedCuts()
    for i, run in enumerate(plan.runs):
        if bars is not None:
            bars.show("runs", i, len(plan.runs), run.name)
        done = _attempt(run, plan, kept, progress, bars, shared=shared, fresh=fresh)
        if done is not None:
            found.append(done)
    return found


def _with_cache(reranker: "Reranker") -> "Reranker":
    """Return a reranker that keeps its scores."""
    from chunkwright.disk_cache import cache_folder_of
    from chunkwright.retrieval.rerank.cached import kept_scores

    return kept_scores(reranker, cache_folder_of("scores"))


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
    from chunkwright.evaluation.runs import evaluate_run

    def show(step: str, n_done: int, n_all: int) -> None:
        if bars is not None:
            bars.show("step", n_done, n_all, step)

    try:
        with timed(f"run {run.name!r}"):
            done = evaluate_run(
                run, plan, kept, shared=shared, fresh=fresh, tell=progress.note, progress=show
            )
    except ChunkwrightError as error:
        progress.fail(run.name, error)
        return None
    progress.done += 1
    return done


def _report(plan: "Plan", found: "list[Evaluation]", seed: int, progress: Progress) -> "Report":
    from chunkwright.evaluation.report import Report

    baseline = plan.baseline
    if baseline is not None and baseline not in {run.name for run in found}:
        progress.note(f"Nothing is compared with {baseline}, which failed")
        baseline = None
    measures = measure_evaluated(plan, found, progress)
    return Report(
        found, baseline, plan.settings, rank_by=plan.rank_by, seed=seed, measures=measures
    )


def _write(report: "Report", out: Path | None, plot: Path | None, *, questions: bool) -> None:
    from chunkwright.atomic import replacing
    from chunkwright.evaluation.report import to_html, to_json, write_parquet

    if out is not None:
        for name, text in (("report.json", to_json(report)), ("report.html", to_html(report))):
            with replacing(out / name) as file:
                file.write(text.encode())
    if out is not None and questions:
        with replacing(out / "questions.parquet") as file:
            write_parquet(report, file)
    if plot is not None:
        from chunkwright.cli.show.plotting import save_plot
        from chunkwright.evaluation.plots import plot_evaluations

        save_plot(lambda ax: plot_evaluations(report.evaluations, ax), plot, INCHES)


def _show(report: "Report", progress: Progress, *, by_corpus: bool) -> None:
    from chunkwright.cli.show.evaltable import say, show
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
            show(table, sys.stdout)
        sentences = report.recommendation.sentences() if report.recommendation else []
        if sys.stdout.isatty():
            say(sentences, sys.stdout)
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
