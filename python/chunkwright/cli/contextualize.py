"""`chunkwright contextualize`: cut documents, and put in front of each chunk where it stands."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Annotated, Any, cast

import typer

from chunkwright.cli.files import opened
from chunkwright.cli.settings.model import CONTEXT, MODEL
from chunkwright.cli.settings.strategy import describe, strategies_of, takes_model
from chunkwright.cli.settings.table import DROP, READING, ROWS, RUNNING, Settings, cutting
from chunkwright.cli.syntax.options import Force, Paths, configured
from chunkwright.cli.writing import Job, Out
from chunkwright.contextual import Contextual
from chunkwright.errors import ConfigError, ReadError
from chunkwright.io.json_lines import lines_of, object_of
from chunkwright.io.outputs import FORMATS, JsonLines
from chunkwright.io.rows import names_of
from chunkwright.io.sources import Source
from chunkwright.llm import Prompt
from chunkwright.rows import OF_CONTEXTS

WITHOUT_MODEL = "structure"
PROMPT = "snippet_prompt"
# Of the others, the help of chunk tells.
SHOWN = (*CONTEXT, "strategy", "max_tokens", "max_chars", *MODEL, *RUNNING[1:])

Rewrite = Annotated[
    bool,
    typer.Option(
        "--rewrite",
        help="Read the rows of an earlier run (JSON lines), and write them with new snippets.",
    ),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Estimate the requests, tokens and costs; send nothing.")
]


@configured(*CONTEXT, *cutting(), *MODEL, *READING, *DROP, *ROWS, *RUNNING, shows=SHOWN)
def contextualize(  # noqa: PLR0913 - one a flag
    settings: Settings,
    paths: Paths,
    *,
    out: Out = None,
    force: Force = False,
    rewrite: Rewrite = False,
    dry_run: DryRun = False,
) -> int:
    """Run `chunkwright contextualize`; return its exit code."""
    job = Job.of(settings, out)
    if job.format not in FORMATS:
        raise ConfigError(f"--format {job.format} is not for contextualize")
    if rewrite and job.format != "jsonl":
        raise ConfigError(f"--rewrite writes JSON lines, not {job.format}")
    contextual = _contextuals(job)
    sources = job.inputs(paths, contextual, force=force)
    if dry_run:
        return _estimate(job, sources, contextual, rewrite=rewrite)
    with job.asking.told():
        if rewrite:
            job.close(_rewrite(job, sources, contextual(None)))
        else:
            job.close(job.write(sources, contextual, partial(_names, settings.strategy)))
    return job.asking.exit_code()


def _names(strategy: str, has_elements: bool) -> tuple[str, ...]:
    return (*names_of(strategy, has_elements=has_elements), *OF_CONTEXTS)


def _contextuals(job: Job) -> Callable[[str | None], Contextual]:
    """Return what makes the contextual strategy for texts in a language; None is any."""
    settings = job.settings
    made = {name: value for name in CONTEXT if (value := getattr(settings, name)) is not None}
    if PROMPT in made:
        made["prompt"] = Prompt.read(made.pop(PROMPT))
    if settings.context != WITHOUT_MODEL:
        made["llm"] = job.asking.runner
    strategies = strategies_of(settings, job.report.embedded, llm=lambda: job.asking.runner)

    @cache
    def contextual(language: str | None) -> Contextual:
        return Contextual(strategies(language), **made)

    contextual(None)
    return contextual


def _estimate(
    job: Job,
    sources: Sequence[Source],
    contextual: Callable[[str | None], Contextual],
    *,
    rewrite: bool,
) -> int:
    if rewrite or takes_model(job.settings.strategy):
        what = "--rewrite" if rewrite else f"--strategy {job.settings.strategy}"
        raise ConfigError(f"--dry-run does not know the chunks of {what}")
    return job.estimate(sources, contextual, describe(job.settings))


def _rewrite(job: Job, sources: Sequence[Source], contextual: Contextual) -> int:
    """Write the rows of the inputs with new snippets; return how many there are."""
    written = 0
    with opened(job.out, job.format, ()) as writer, job.report.bars():
        lines = cast("JsonLines", writer)
        for row in contextual.rewrite(_rows(job, sources)):
            lines.write_row(row)
            written += 1
        if job.report.failed and not written:
            raise typer.Exit(1)
    return written


def _rows(job: Job, sources: Sequence[Source]) -> Iterator[dict[str, Any]]:
    """Yield the rows of the inputs; what cannot be used is reported and left out."""
    for source in job.report.track(sources):
        job.report.done += 1
        try:
            for place, line in lines_of(source):
                try:
                    yield _row_of(object_of(line, job.reading, place), place)
                except ReadError as error:
                    job.report.fail(source.name, error)
        except ReadError as error:
            job.report.fail(source.name, error)


def _row_of(row: dict[str, Any], place: str) -> dict[str, Any]:
    """Return a row; raises ReadError if it has no text."""
    if not isinstance(row.get("text"), str):
        raise ReadError(f"{place}: no row of a chunk: its text is no string")
    return row
