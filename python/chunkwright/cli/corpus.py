"""`chunkwright corpus`: cut documents that outgrow memory, in runs that can be resumed."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chunkwright.checks import checked_number
from chunkwright.cli.files import reading_of
from chunkwright.cli.language_model import Asking
from chunkwright.cli.settings.embedder import named_embedder, takes_embedder
from chunkwright.cli.settings.flags import calling, read_size
from chunkwright.cli.settings.model import MODEL
from chunkwright.cli.settings.strategy import describe, strategy_of, takes_model
from chunkwright.cli.settings.table import DROP, READING, ROWS, Settings, cutting
from chunkwright.cli.show.report import Report
from chunkwright.cli.syntax.options import configured
from chunkwright.corpus.settings import CORPUS, LOCAL
from chunkwright.errors import ConfigError, CorpusError
from chunkwright.io.sources import ADDRESS, PAGED, Reading
from chunkwright.messages.terminal_text import lasting, sized

if TYPE_CHECKING:
    from chunkwright.corpus import Corpus, Result
    from chunkwright.embed import Embedder

FLAGS = {"inputs": "INPUT", "price": "--price"}
ABOUT = {
    "embedder": "Embedder of a strategy that compares texts, as for chunk; for other strategies, "
    "the same as --vectors.",
    "workers": "Number of threads, on ray and spark in each task. Default: one a core; one.",
    "fail_fast": "Stop at the first document that fails: as --max-errors 0.",
}

Inputs = Annotated[
    list[str] | None,
    typer.Argument(
        help="Files, folders (the files and tables in them that can be read), globs, and addresses "
        "of any of these, such as s3://bucket/folder.",
        metavar="INPUT",
        show_default=False,
    ),
]
Out = Annotated[
    str | None,
    typer.Option(
        "--out",
        "-o",
        metavar="DIR",
        help="Folder of the Parquet files to write, or its address. Finished files in it are kept.",
        show_default=False,
    ),
]
Wait = Annotated[bool, typer.Option("--wait", help="Wait while another run writes the output.")]
Force = Annotated[
    bool,
    typer.Option(
        "--force",
        help="Replace an output of other settings; the old one stays until the new one is whole.",
    ),
]
AllowErrors = Annotated[
    bool,
    typer.Option(
        "--allow-errors",
        help="Exit with 0 although documents failed, unless more than --max-errors did.",
    ),
]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Cut a sample, estimate time, size and cost; write nothing."),
]
Price = Annotated[
    float | None,
    typer.Option(
        "--price",
        metavar="NUMBER",
        help="For --dry-run: price of the embedder for a million tokens.",
    ),
]
ShowStatus = Annotated[
    str | None,
    typer.Option(
        "--status", metavar="DIR", help="Show the progress of the run of an output, and exit."
    ),
]


@configured(
    *CORPUS,
    *cutting(),
    *MODEL,
    *READING,
    *DROP,
    *PAGED,
    *ROWS,
    *("root", "vector_cache", "workers", "fail_fast", "quiet", "verbose"),
    about=ABOUT,
)
def corpus(  # noqa: PLR0913 - one a flag
    settings: Settings,
    paths: Inputs = None,
    *,
    out: Out = None,
    wait: Wait = False,
    force: Force = False,
    allow_errors: AllowErrors = False,
    dry_run: DryRun = False,
    price: Price = None,
    status: ShowStatus = None,
) -> int:
    """Run `chunkwright corpus`; return its exit code."""
    if status is not None:
        return _show_status(status, paths)
    if price is not None and not dry_run:
        raise ConfigError("--price is for --dry-run")
    job = Job.of(_with_vectors(settings), paths or [], out, is_dry_run=dry_run)
    return (
        job.estimate(price)
        if dry_run
        else job.write(waits=wait, force=force, allows_errors=allow_errors)
    )


@dataclass(frozen=True)
class Job:
    """A run over a corpus.

    Parameters
    ----------
    settings
        The settings.
    paths
        The inputs.
    out
        The output; None: nothing is written.
    report
        Says how far it is, and what fails.
    asking
        The language model, if one is asked.
    """

    settings: Settings
    paths: Sequence[str]
    out: str | None
    report: Report
    asking: Asking

    @classmethod
    def of(
        cls, settings: Settings, paths: Sequence[str], out: str | None, *, is_dry_run: bool
    ) -> "Job":
        """Return the run that settings describe.

        Raises
        ------
        ConfigError
            If inputs or an output are missing, or settings make no sense together.
        """
        if not paths:
            raise ConfigError("INPUT: name a file, a folder or an address to read")
        if out is None and not is_dry_run:
            raise ConfigError("--out: name the folder to write")
        if out is not None and not ADDRESS.match(out) and Path(out).is_file():
            raise ConfigError(f"--out: {out} is a file, and a run writes a folder")
        _check_model(settings)
        report = Report(quiet=settings.quiet, fail_fast=False, to_stdout=is_dry_run)
        return cls(settings, paths, out, report, Asking(settings, report))

    def estimate(self, price: float | None) -> int:
        """Write what a run would make and take; return the exit code."""
        from chunkwright.cli.show.corpus_tables import write_estimate

        if price is not None:
            checked_number("--price", price, least=0)
        with calling(FLAGS):
            found = self._corpus().estimate(self.out, price=price)
        write_estimate(found)
        for change in found.changes:
            self.report.note(f"Changed since the last run: {change}")
        if found.changes:
            self.report.note(f"All of {self.out} would be made anew: that takes --force")
        sampled = f"{found.sampled_share:.1%} of {sized(found.size)}"
        cost = found.total_cost
        costs = "" if cost is None else f", and cost {cost:,.2f}"
        self.report.close(f"Estimated by {sampled}; {describe(self.settings)}")
        self.report.close(f"It would take some {lasting(found.seconds)} on this machine{costs}")
        return 0

    def write(self, *, waits: bool, force: bool, allows_errors: bool) -> int:
        """Cut all documents; return the exit code."""
        from chunkwright.cli.show.corpus_progress import closing_lines, problem_lines

        with self.asking.told():
            result = self._written(waits=waits, force=force)
        for line in closing_lines(result):
            self.report.close(line)
        for line in problem_lines(result):
            self.report.warn(line)
        is_well = result.has_all if allows_errors else result.is_whole
        return self.asking.exit_code() or int(not is_well)

    def _written(self, *, waits: bool, force: bool) -> "Result":
        from chunkwright.cli.show.corpus_progress import ShownProgress
        from chunkwright.corpus.output.staging import ChangedSettingsError

        assert self.out is not None  # noqa: S101 - it was checked
        settings = self.settings
        try:
            with self.report.bars(), calling(FLAGS):
                corpus = self._corpus()
                self._say_what_is_waited_for(waits=waits)
                return corpus.write(
                    self.out,
                    engine=settings.engine,
                    max_errors=0 if settings.fail_fast else settings.max_errors,
                    waits=waits,
                    force=force,
                    progress=ShownProgress(self.report),
                )
        except ChangedSettingsError as error:
            for change in error.changes:
                self.report.warn(f"Changed since the last run: {change}")
            raise ConfigError(
                f"--out: {self.out} was made with other settings, and is left as it is: say --force"
                " to have it replaced when all is made anew, or name another folder"
            ) from error
        except KeyboardInterrupt:
            self.report.close(self._what_stays())
            raise

    def _what_stays(self) -> str:
        from chunkwright.corpus.output.manifest import Manifest

        if not Manifest(str(self.out)).is_begun():
            return f"Nothing was begun in {self.out} yet"
        return f"What is done in {self.out} stays: the same command resumes"

    def _say_what_is_waited_for(self, *, waits: bool) -> None:
        from chunkwright.corpus.output.lock import holder
        from chunkwright.corpus.output.manifest import Manifest

        if waits and (other := holder(Manifest(str(self.out)).lock_path)) is not None:
            self.report.note(f"Waiting: {self.out} is written by {other}")
        if self.settings.duplicates != "keep":
            self.report.note("Duplicates are looked for: all inputs are read once before")

    def _corpus(self) -> "Corpus":
        from chunkwright.corpus import Corpus

        settings, reading = self.settings, reading_of(self.settings)
        return Corpus(
            list(self.paths),
            strategy_of(settings, self._embedded(), llm=lambda: self.asking.runner),
            reading={each.name: getattr(reading, each.name) for each in fields(Reading)},
            embedder=self._embedder(),
            vector_column=settings.vector_column,
            duplicates=settings.duplicates,
            root=settings.root,
            shard_bytes=read_size(settings.shard_size, "--shard-size"),
            workers=settings.workers,
        )

    def _embedder(self) -> "Embedder | None":
        name = self.settings.vectors
        if name is None:
            return None
        # Each chunk is embedded once: vectors are in the output, and need no cache.
        return named_embedder(name, is_cached=False, progress=self._embedded())

    def _embedded(self) -> Any:
        # Progress cannot be sent to other machines.
        return self.report.embedded if self.settings.engine == LOCAL else None


def _with_vectors(settings: Settings) -> Settings:
    """Return settings in which a model that the strategy has no use for is that of the vectors."""
    if takes_embedder(settings.strategy):
        return settings
    options = {**settings.options}
    named = options.pop("embedder", None)
    return replace(settings, options=options, vectors=settings.vectors or named)


def _check_model(settings: Settings) -> None:
    """Check that a strategy that asks a language model is asked for no more than can be.

    Raises
    ------
    ConfigError
        If there is a budget, or shards are made elsewhere.
    """
    if not takes_model(settings.strategy):
        return
    if settings.engine != LOCAL:
        raise ConfigError(f"--engine {settings.engine} is not for --strategy {settings.strategy}")
    budgets = [name for name in MODEL if name.startswith("budget_")]
    if set_ := next((name for name in budgets if getattr(settings, name) is not None), None):
        raise ConfigError(
            f"--{set_.replace('_', '-')} is not for corpus: what is done is not cut again, so where"
            " a budget was spent, chunks would stay without the model; --dry-run says the cost"
        )


def _show_status(folder: str, paths: Sequence[str] | None) -> int:
    from chunkwright.cli.show.corpus_tables import write_status
    from chunkwright.corpus import status

    if paths:
        raise ConfigError("--status takes no INPUT")
    try:
        found = status(folder)
    except CorpusError as error:
        raise ConfigError("--status: ", *error.parts) from error
    write_status(found)
    return 0
