"""`chunkwright eval`: evaluation of chunkers by questions whose answers are known."""

from pathlib import Path
from typing import Annotated

import typer

from chunkwright.cli.evaluating.chunk_measures import measure_all, refuse_flags, report_chunks
from chunkwright.cli.evaluating.plans import PRESET, NamedModels, beside_twins, chosen, plan_of
from chunkwright.cli.evaluating.results import check_outputs, report_of, show, write
from chunkwright.cli.evaluating.runs import evaluate_all, run_cache_of
from chunkwright.cli.settings.flags import calling
from chunkwright.cli.settings.table import Settings
from chunkwright.cli.show.report import Report as Progress
from chunkwright.cli.syntax.options import configured

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
        help="What runs are ranked by, as recall@500t (the default where sizes differ) or iou@5.",
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
    """Run `chunkwright eval`; return its exit code."""
    check_outputs(out, plot, questions=questions)
    progress = Progress(quiet=settings.quiet, to_stdout=False)
    models = NamedModels(progress, keeps=settings.vector_cache)
    with progress.bars() as bars, calling(None):
        plan = plan_of(config, data, embedder, models)
        if not plan.asks:
            of_questions = {"--baseline": baseline, "--rank-by": rank_by, "--by-corpus": by_corpus}
            refuse_flags(config, {**of_questions, "--questions": questions, "--plot": plot})
        plan = chosen(plan, only or [], baseline)
        if plan.asks:
            plan = beside_twins(plan, rank_by)
            found = evaluate_all(plan, run_cache_of(out), progress, bars, fresh=fresh)
        else:
            measures = measure_all(plan, progress, bars)
    models.note_calls()
    if plan.asks and found:
        report = report_of(plan, found, seed, progress)
        write(report, out, plot, questions=questions)
        show(report, out, progress, by_corpus=by_corpus)
    elif not plan.asks and measures:
        report_chunks(plan, measures, out, progress)
    return progress.exit_code
