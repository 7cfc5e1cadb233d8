"""Runs over inputs whose chunks are written as rows: what such commands have in common."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from chunkwright.cli.files import check_new, format_of, opened, reading_of
from chunkwright.cli.language_model import Asking, total, write_estimate
from chunkwright.cli.settings.table import Settings
from chunkwright.cli.show.report import Report
from chunkwright.cli.streams import piped
from chunkwright.errors import ConfigError
from chunkwright.io.finding import find
from chunkwright.io.run import Run, documents
from chunkwright.io.sources import STDIN, Entry, Reading, Source
from chunkwright.messages.terminal_text import counted, printable

if TYPE_CHECKING:
    from chunkwright.chunking import LLM
    from chunkwright.contextual import Contextual
    from chunkwright.document import Document
    from chunkwright.io.run import Chunkers
    from chunkwright.llm import Estimate

    Names = tuple[str, ...]

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


@dataclass(frozen=True)
class Job:
    """A run over inputs.

    Parameters
    ----------
    settings
        The settings.
    out
        The file to write; None: standard output.
    format
        What is written.
    report
        Says how far it is, and what fails.
    reading
        How inputs are read.
    asking
        The language model, if one is asked.
    """

    settings: Settings
    out: Path | None
    format: str
    report: Report
    reading: Reading
    asking: Asking

    @classmethod
    def of(cls, settings: Settings, out: Path | None) -> "Job":
        """Return the run that settings describe.

        Raises
        ------
        ConfigError
            If the format or what is said about reading makes no sense.
        """
        out = None if out == Path(STDIN) else out
        format_ = format_of(out, settings.format)
        report = Report(quiet=settings.quiet, fail_fast=settings.fail_fast, to_stdout=out is None)
        return cls(settings, out, format_, report, reading_of(settings), Asking(settings, report))

    def inputs(self, paths: Sequence[str], chunkers: "Chunkers", *, force: bool) -> list[Source]:
        """Return the inputs, once all that can be checked before is.

        Raises
        ------
        ConfigError
            If there are none, the output is one of them, or it is there and may not be replaced.
        """
        # The number of workers is checked before anything is read.
        chunkers(None).stream((), workers=self.settings.workers)
        sources = find(paths, self.settings.root)
        _refuse_overwriting(self.out, sources)
        if self.out is not None:
            check_new(self.out, "--out", force=force)
        return sources

    def list(self, sources: Sequence[Source], about: str) -> int:
        """List the inputs; return the exit code."""
        with piped():
            for source in sources:
                if self.report.attempt(source, source.check):
                    typer.echo(printable(source.path))
        return self._listed(about)

    def estimate(self, sources: Sequence[Source], chunkers: "Chunkers", about: str) -> int:
        """Write what a model would be sent for the inputs; return the exit code."""
        estimates = list(self._estimates(sources, chunkers))
        write_estimate(total(estimates))
        return self._listed(about)

    def write(
        self, sources: Sequence[Source], chunkers: "Chunkers", names_of: "Callable[[bool], Names]"
    ) -> int:
        """Write the chunks of the inputs as rows; return how many there are.

        Parameters
        ----------
        sources
            The inputs.
        chunkers
            Gives what cuts documents in a language.
        names_of
            Gives the columns of rows, told whether documents may have elements.
        """
        # A line of JSON has the columns of its document; a table those of all.
        names = names_of(
            self.format != "jsonl" and any(map(self.reading.may_find_elements, sources))
        )
        report, workers = self.report, self.settings.workers
        with opened(self.out, self.format, names) as writer:
            shadows = self.settings.shadows
            run = Run(self.reading, chunkers, names, report, workers, shadows)
            with report.bars():
                written = run.write(report.track(sources), writer)
            if report.failed and not report.done:
                # Nothing was read: an output from before is worth more than an empty one.
                raise typer.Exit(1)
        return written

    def close(self, written: int) -> None:
        """Say what was written to a file."""
        if self.out is not None:
            done = f"{counted(written, 'chunk')} of {counted(self.report.done, 'input')}"
            self.report.close(f"{done} written to {self.out}")

    def _listed(self, about: str) -> int:
        to = self.out or "standard output"
        self.report.close(f"{counted(self.report.done, 'input')}; {about} to {to}")
        return self.report.exit_code

    def _estimates(self, sources: Sequence[Source], chunkers: "Chunkers") -> "Iterator[Estimate]":
        with self.report.bars():
            entries = documents(self.report.track(sources), self.reading, self.report)
            for chunker, some in groupby(entries, key=lambda entry: chunkers(entry.language)):
                # Only what asks a model is estimated.
                yield cast("LLM | Contextual", chunker).estimate(self._counted(some))

    def _counted(self, entries: Iterable[Entry]) -> "Iterator[Document]":
        for entry in entries:
            self.report.done += 1
            yield entry.document


def _refuse_overwriting(out: Path | None, sources: Sequence[Source]) -> None:
    if out is not None and out.is_file() and any(source.is_file(out) for source in sources):
        raise ConfigError(f"{out} is an input too: name another file with --out")
