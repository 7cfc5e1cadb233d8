"""`chunkwright chunk`: cut documents, write their chunks."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chunkwright.cli.arguments import Force, Paths
from chunkwright.cli.flags import named_as_flags
from chunkwright.cli.settings.options import configured
from chunkwright.cli.settings.strategy import check_reading, describe, strategy_of
from chunkwright.cli.settings.table import CUTTING, READING, ROWS, Settings
from chunkwright.cli.show.report import Report
from chunkwright.errors import ConfigError, ReadError
from chunkwright.io.batch import check_workers, cut_each
from chunkwright.io.documents import check_input_format, documents
from chunkwright.io.entry import Entry
from chunkwright.io.inputs import STDIN, Source, find
from chunkwright.io.outputs import Writer, check_new, format_of, opened, piped
from chunkwright.io.rows import clashing, columns, names_of
from chunkwright.terminal_text import counted, printable

if TYPE_CHECKING:
    from chunkwright.chunking import AnyStrategy
    from chunkwright.chunks import Chunks

RUNNING = ("vector_cache", "workers", "format", "fail_fast", "quiet", "verbose")
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="FILE",
        help="File to write, .jsonl, .parquet or .arrow. Default: JSON lines to standard output.",
        show_default=False,
    ),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="List the inputs and settings, cut nothing.")
]


@configured(
    *CUTTING, *READING, *ROWS, "vector_cache", "workers", "format", "fail_fast", "quiet", "verbose"
)
def chunk(
    settings: Settings,
    paths: Paths,
    out: Out = None,
    force: Force = False,
    dry_run: DryRun = False,
) -> int:
    """Cut documents into chunks, one row a chunk."""
    out = None if out == Path(STDIN) else out
    format_ = format_of(out, settings.format)
    report = Report(quiet=settings.quiet, fail_fast=settings.fail_fast, to_stdout=out is None)
    strategy = _checked(settings, report)
    sources = find(paths)
    _refuse_overwriting(out, sources)
    if out is not None:
        check_new(out, "--out", force=force)
    if dry_run:
        return _list(sources, report, f"{describe(settings)} to {out or 'standard output'}")
    with opened(out, format_, names_of(settings.strategy)) as writer:
        written = _chunk_all(sources, settings, strategy, writer, report)
    if out is not None:
        report.close(f"{_done(written, report)} written to {out}")
    return report.exit_code


def _checked(settings: Settings, report: Report) -> "AnyStrategy":
    check_reading(settings)
    check_input_format(settings.input_format)
    strategy = strategy_of(settings, report.embedded)
    with named_as_flags():
        check_workers(strategy, settings.workers)
    return strategy


def _chunk_all(
    sources: Sequence[Source],
    settings: Settings,
    strategy: "AnyStrategy",
    writer: Writer,
    report: Report,
) -> int:
    entries = documents(sources, settings, report)
    cut = cut_each(strategy, entries, settings.workers)
    written = sum(_write(entry, chunks, writer, report) for entry, chunks in cut)
    if report.failed and not report.done:
        # Nothing was read: an output from before is worth more than an empty one.
        raise typer.Exit(1)
    return written


def _write(entry: Entry, chunks: "Chunks", writer: Writer, report: Report) -> int:
    if chunks.errors:
        report.fail(entry.place, chunks.errors[0])
        return 0
    rows = columns(entry.name, chunks)
    if entry.carried is not None and (clash := clashing(rows, entry.carried)):
        report.fail(entry.place, ReadError(f"{entry.place}: column {clash}"))
        return 0
    report.done += 1
    writer.write(rows, entry.carried)
    return len(chunks)


def _list(sources: Sequence[Source], report: Report, settings: str) -> int:
    with piped():
        for source in sources:
            if report.attempt(source, source.check):
                typer.echo(printable(source.document))
    report.close(f"{counted(report.done, 'input')}; {settings}")
    return report.exit_code


def _done(written: int, report: Report) -> str:
    return f"{counted(written, 'chunk')} of {counted(report.done, 'input')}"


def _refuse_overwriting(out: Path | None, sources: Sequence[Source]) -> None:
    if out is not None and out.is_file() and any(source.is_file(out) for source in sources):
        raise ConfigError(f"{out} is an input too: name another file with --out")
