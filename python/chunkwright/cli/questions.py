"""`chunkwright questions`: questions about one's own documents, for evaluations."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from chunkwright.cli.language_model import Asking, write_estimate
from chunkwright.cli.settings.embedder import named_embedder
from chunkwright.cli.settings.flags import calling
from chunkwright.cli.settings.model import MODEL
from chunkwright.cli.settings.table import Settings
from chunkwright.cli.show.report import Report
from chunkwright.cli.syntax.options import PATHS_HELP, configured
from chunkwright.evaluation.synthetic import QuestionGenerator, filter_duplicates, filter_excerpts
from chunkwright.llm import Prompt
from chunkwright.messages.terminal_text import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from chunkwright.embed import Embedder
    from chunkwright.evaluation.synthetic import Filtered, GenerationCounts

FLAGS = {
    "mode": "--mode",
    "window_chars": "--window-chars",
    "max_excerpts": "--max-excerpts",
    "n_shown": "--n-shown",
    "seed": "--seed",
    "rounds": "--rounds",
    "per_corpus_and_round": "--per-round",
}

Corpora = Annotated[
    list[str],
    typer.Argument(
        help=PATHS_HELP.replace(", or - for standard input", ""),
        metavar="CORPUS",
        show_default=False,
    ),
]
Out = Annotated[
    Path,
    typer.Option(
        "--out",
        "-o",
        metavar="FILE",
        help="File of questions, .csv. Questions in it are kept; a .journal beside it records what "
        "was asked.",
        show_default=False,
    ),
]
Rounds = Annotated[
    int, typer.Option(help="Number of rounds, including those of earlier runs.", show_default=False)
]
PerRound = Annotated[int, typer.Option(help="Questions about each document in a round.")]
Mode = Annotated[
    str,
    typer.Option(
        help="exact: the model copies the answering passages; approximate: it names numbered "
        "pieces, for models that do not copy well."
    ),
]
WindowChars = Annotated[
    int, typer.Option(help="Size of the part that the model is shown, in code points.")
]
MaxExcerpts = Annotated[int, typer.Option(help="Most passages of one question.")]
Shown = Annotated[
    int, typer.Option("--n-shown", help="Most earlier questions that the model is shown.")
]
Seed = Annotated[
    int, typer.Option(help="Seed that draws the parts and the questions that are shown.")
]
PromptFile = Annotated[
    Path | None,
    typer.Option("--prompt", metavar="FILE", help="File with a prompt of your own."),
]
ExcerptThreshold = Annotated[
    float | None,
    typer.Option(
        help="At the end, drop questions whose worst excerpt has a lower cosine similarity."
    ),
]
DuplicateThreshold = Annotated[
    float | None,
    typer.Option(
        help="At the end, drop questions with a higher cosine similarity to an earlier one."
    ),
]
Model = Annotated[
    str,
    typer.Option(
        "--embedder", help="Embedder for both thresholds: lexical, or the path of a model's folder."
    ),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Estimate the requests, tokens and costs; send nothing.")
]


@configured(*MODEL, "vector_cache", "quiet", "verbose")
def questions(  # noqa: PLR0913 - one a flag
    settings: Settings,
    corpora: Corpora,
    *,
    out: Out,
    rounds: Rounds,
    per_round: PerRound = 5,
    mode: Mode = "exact",
    window_chars: WindowChars = 4000,
    max_excerpts: MaxExcerpts = 5,
    n_shown: Shown = 20,
    seed: Seed = 0,
    prompt: PromptFile = None,
    excerpt_threshold: ExcerptThreshold = None,
    duplicate_threshold: DuplicateThreshold = None,
    embedder: Model = "lexical",
    dry_run: DryRun = False,
) -> int:
    """Run `chunkwright questions`; return its exit code."""
    report = Report(quiet=settings.quiet, to_stdout=dry_run)
    asking = Asking(settings, report)
    counts = {"rounds": rounds, "per_corpus_and_round": per_round}
    with calling(FLAGS):
        generator = QuestionGenerator(
            corpora,
            llm=asking.runner,
            mode=cast("Any", mode),
            window_chars=window_chars,
            max_excerpts=max_excerpts,
            n_shown=n_shown,
            seed=seed,
            prompt=None if prompt is None else Prompt.read(prompt),
        )
        if dry_run:
            write_estimate(generator.estimate(out, **counts))
            return 0
        with asking.told(), report.bars():
            report.note(_summary(generator.generate(out, **counts), out))
    _Filters(out, settings, report, embedder).run_all(excerpt_threshold, duplicate_threshold)
    return asking.exit_code()


def _summary(done: "GenerationCounts", out: Path) -> str:
    parts = [
        f"{done.n_new:,} new",
        *([f"{done.n_repeated:,} repeated"] if done.n_repeated else []),
        *([f"{done.n_rejected:,} rejected"] if done.n_rejected else []),
        *([f"{done.n_given_up:,} given up"] if done.n_given_up else []),
    ]
    return f"{counted(done.n_questions, 'question')} in {out}: {', '.join(parts)}"


@dataclass(frozen=True)
class _Filters:
    """Filters of the questions in a file.

    Parameters
    ----------
    out
        The file.
    settings
        Say whether vectors are kept.
    report
        Is told what is left out.
    embedder
        The name of what gives vectors.
    """

    out: Path
    settings: Settings
    report: Report
    embedder: str

    def run_all(self, excerpts: float | None, duplicates: float | None) -> None:
        """Leave out the questions that fall short of a threshold."""
        self._run("--excerpt-threshold", filter_excerpts, excerpts)
        self._run("--duplicate-threshold", filter_duplicates, duplicates)

    def _run(self, flag: str, filtered: "Callable[..., Filtered]", threshold: float | None) -> None:
        """Leave out what a filter leaves out, if there is a threshold for it."""
        if threshold is None:
            return
        with calling({"threshold": flag}), self.report.bars():
            found = filtered(self.out, self._embedder, threshold=threshold)
        for each in found.dropped:
            self.report.note(f"Dropped by {flag}, {each.similarity:.2f}: {each.question.text}")

    @cached_property
    def _embedder(self) -> "Embedder":
        is_cached, progress = self.settings.vector_cache, self.report.embedded
        return named_embedder(self.embedder, is_cached=is_cached, progress=progress)
