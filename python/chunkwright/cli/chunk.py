"""`chunkwright chunk`: cut documents, write their chunks."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chunkwright.cli.arguments import Force, Paths
from chunkwright.cli.docling import FORMAT as DOCLING
from chunkwright.cli.docling import Cutting
from chunkwright.cli.docling import write as write_as_docling
from chunkwright.cli.flags import in_flags, named_as_flags
from chunkwright.cli.outputs import check_new, format_of, opened
from chunkwright.cli.reading import documents, reading_of
from chunkwright.cli.settings.options import configured
from chunkwright.cli.settings.strategy import describe, strategies_of
from chunkwright.cli.settings.table import READING, ROWS, Settings, cutting
from chunkwright.cli.show.report import Report
from chunkwright.cli.streams import piped
from chunkwright.errors import ConfigError, ReadError
from chunkwright.io.documents import cut_each
from chunkwright.io.outputs import Writer
from chunkwright.io.rows import clashing, columns, names_of
from chunkwright.io.sources import STDIN, Entry, Reading, Source, find
from chunkwright.terminal_text import counted, printable

if TYPE_CHECKING:
    from chunkwright.chunks import Chunks

    Cut = Callable[[Iterable[Entry]], Iterator[tuple[Entry, Chunks]]]

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


@configured(*cutting(), *READING, *ROWS, *RUNNING)
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
    reading = reading_of(settings)
    as_docling = Cutting(settings) if format_ == DOCLING else None
    strategies = strategies_of(settings, report.embedded)
    with named_as_flags():
        # The number of workers is checked before anything is read.
        strategies(None).stream((), workers=settings.workers)
    sources = find(paths)
    _refuse_overwriting(out, sources)
    if out is not None:
        check_new(out, "--out", force=force)
    if dry_run:
        return _list(sources, report, f"{describe(settings)} to {out or 'standard output'}")
    if as_docling is not None:
        written = write_as_docling(sources, reading, as_docling, out, report)
        return _closed(written, out, report)
    names = names_of(settings.strategy)
    with opened(out, format_, names) as writer:
        cut = partial(cut_each, strategies, workers=settings.workers)
        written = _chunk_all(sources, reading, cut, _Rows(writer, names), report)
    return _closed(written, out, report)


def _closed(written: int, out: Path | None, report: Report) -> int:
    if out is not None:
        report.close(f"{_done(written, report)} written to {out}")
    return report.exit_code


def _chunk_all(
    sources: Sequence[Source], reading: Reading, cut: "Cut", rows: "_Rows", report: Report
) -> int:
    written = 0
    # What is read before standard input, which may take long to come, is not kept waiting.
    with report.bars():
        for _, some in groupby(report.track(sources), key=lambda source: source.name == STDIN):
            for entry, chunks in cut(documents(some, reading, report)):
                written += rows.write(entry, chunks, report)
    if report.failed and not report.done:
        # Nothing was read: an output from before is worth more than an empty one.
        raise typer.Exit(1)
    return written


@dataclass(frozen=True)
class _Rows:
    """Rows on their way to a file: who writes them, and the columns that they have."""

    writer: Writer
    names: tuple[str, ...]

    def write(self, entry: Entry, chunks: "Chunks", report: Report) -> int:
        if chunks.errors:
            report.fail(entry.place, chunks.errors[0])
            return 0
        rows = columns(entry.name, report.done, chunks, self.names)
        if entry.carried is not None and (clash := clashing(rows, entry.carried)):
            report.fail(entry.place, ReadError(f"{entry.place}: column {in_flags(clash)}"))
            return 0
        report.done += 1
        self.writer.write(rows, entry.carried)
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
