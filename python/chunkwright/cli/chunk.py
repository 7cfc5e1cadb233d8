"""`chunkwright chunk`: cut documents, write their chunks."""

from functools import partial
from typing import Annotated

import typer

from chunkwright.checks import checked_int
from chunkwright.cli.docling import FORMAT as DOCLING
from chunkwright.cli.docling import Cutting
from chunkwright.cli.docling import write as write_as_docling
from chunkwright.cli.settings.model import MODEL
from chunkwright.cli.settings.strategy import describe, strategies_of, takes_model
from chunkwright.cli.settings.table import (
    DROP,
    READING,
    ROWS,
    RUNNING,
    SHADOWS,
    Settings,
    cutting,
)
from chunkwright.cli.syntax.options import Force, Paths, configured
from chunkwright.cli.writing import Job, Out
from chunkwright.errors import ConfigError
from chunkwright.io.rows import names_of
from chunkwright.io.sources import PAGED
from chunkwright.rows import OF_SHADOWS

DryRun = Annotated[
    bool,
    typer.Option(
        "--dry-run",
        help="List inputs, settings and a model's cost; cut nothing.",
    ),
]


@configured(*cutting(), *MODEL, *READING, *DROP, *PAGED, *SHADOWS, *ROWS, *RUNNING)
def chunk(
    settings: Settings,
    paths: Paths,
    out: Out = None,
    force: Force = False,
    dry_run: DryRun = False,
) -> int:
    """Run `chunkwright chunk`; return its exit code."""
    job = Job.of(settings, out)
    _check_shadows(settings, job.format)
    as_docling = Cutting(settings) if job.format == DOCLING else None
    strategies = strategies_of(settings, job.report.embedded, llm=lambda: job.asking.runner)
    sources = job.inputs(paths, strategies, force=force)
    if dry_run and takes_model(settings.strategy):
        return job.estimate(sources, strategies, describe(settings))
    if dry_run:
        return job.list(sources, describe(settings))
    with job.asking.told():
        if as_docling is not None:
            written = write_as_docling(sources, job.reading, as_docling, job.out, job.report)
        else:
            written = job.write(sources, strategies, partial(_names_of, settings))
        job.close(written)
    return job.asking.exit_code()


def _names_of(settings: Settings, has_elements: bool) -> tuple[str, ...]:
    """Return the names of the columns of rows."""
    names = names_of(settings.strategy, has_elements)
    return names if settings.shadows is None else (*names, *OF_SHADOWS)


def _check_shadows(settings: Settings, format_: str) -> None:
    if settings.shadows is None:
        return
    if format_ == DOCLING:
        raise ConfigError(f"--format {DOCLING} has no place for --shadows")
    checked_int("--shadows", settings.shadows, least=1)
