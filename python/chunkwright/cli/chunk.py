"""`chunkwright chunk`: cut documents, write their chunks."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from chunkwright.cli.cutting import Cutter, cutter, describe
from chunkwright.cli.inputs import STDIN, Source, find
from chunkwright.cli.options import configured
from chunkwright.cli.outputs import Writer, format_of, opened, piped
from chunkwright.cli.plain import counted
from chunkwright.cli.report import Report
from chunkwright.cli.rows import columns
from chunkwright.cli.settings import CUTTING, READING, Settings
from chunkwright.errors import ConfigError

PATHS_HELP = (
    "Files, folders (their text files, recursively, without hidden ones), globs, or - for "
    "standard input."
)
Paths = Annotated[list[str], typer.Argument(help=PATHS_HELP, metavar="PATH", show_default=False)]
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


@configured(*CUTTING, *READING, "format", "fail_fast", "quiet")
def chunk(settings: Settings, paths: Paths, out: Out = None, dry_run: DryRun = False) -> int:
    """Cut documents into chunks, one row a chunk."""
    out = None if out == Path(STDIN) else out
    format_ = format_of(out, settings.format)
    cut = cutter(settings)
    sources = find(paths)
    _refuse_overwriting(out, sources)
    report = Report(quiet=settings.quiet, fail_fast=settings.fail_fast, to_stdout=out is None)
    if dry_run:
        return _list(sources, report, f"{describe(settings)} to {out or 'standard output'}")
    with opened(out, format_) as writer:
        written = _chunk_all(sources, cut, writer, report)
    if out is not None:
        report.close(f"{_done(written, report)} written to {out}")
    return report.exit_code


def _chunk_all(sources: Sequence[Source], cut: Cutter, writer: Writer, report: Report) -> int:
    written = sum(_chunk_one(source, cut, writer, report) for source in report.track(sources))
    if not report.done:
        # Nothing was read: an output from before is worth more than an empty one.
        raise typer.Exit(1)
    return written


def _chunk_one(source: Source, cut: Cutter, writer: Writer, report: Report) -> int:
    # A function of its own, so that one document is let go before the next is read.
    chunks = report.attempt(source, lambda: cut(source))
    if chunks is None:
        return 0
    writer.write(columns(source.document, chunks))
    return len(chunks)


def _list(sources: Sequence[Source], report: Report, settings: str) -> int:
    with piped():
        for source in sources:
            if report.attempt(source, source.check):
                typer.echo(source.name)
    report.close(f"{counted(report.done, 'input')}; {settings}")
    return report.exit_code


def _done(written: int, report: Report) -> str:
    return f"{counted(written, 'chunk')} of {counted(report.done, 'input')}"


def _refuse_overwriting(out: Path | None, sources: Sequence[Source]) -> None:
    if out is not None and out.is_file() and any(source.is_file(out) for source in sources):
        raise ConfigError(f"{out} is an input too: name another file with --out")
