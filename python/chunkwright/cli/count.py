"""`chunkwright count`: tokens, characters, bytes and lines."""

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import typer

from chunkwright.cli.files import reading_of
from chunkwright.cli.settings.table import READING, Settings
from chunkwright.cli.show.report import Report
from chunkwright.cli.streams import piped
from chunkwright.cli.syntax.options import Paths, configured
from chunkwright.io.finding import find
from chunkwright.io.sources import Reading, Source
from chunkwright.messages.terminal_text import printable

if TYPE_CHECKING:
    from chunkwright import Tokenizer


class Counts(NamedTuple):
    """Counts of one input."""

    tokens: int
    characters: int
    bytes: int
    lines: int


@configured("tokenizer", *READING, "fail_fast", "quiet", "verbose")
def count(settings: Settings, paths: Paths) -> int:
    """Run `chunkwright count`; return its exit code."""
    from chunkwright import Tokenizer

    reading = reading_of(settings)
    tokenizer = Tokenizer(settings.tokenizer)
    report = Report(quiet=settings.quiet, fail_fast=settings.fail_fast, to_stdout=False)
    rows = _with_total(_count_all(find(paths), tokenizer, reading, report))
    with piped():
        (_write_table if sys.stdout.isatty() else _write_values)(rows)
    return report.exit_code


def _count_all(
    sources: list[Source], tokenizer: "Tokenizer", reading: Reading, report: Report
) -> Iterator[tuple[str, Counts]]:
    with report.bars():
        for source in report.track(sources):
            counts = report.attempt(source, lambda: _count_one(source, tokenizer, reading))  # noqa: B023 - called at once
            if counts is not None:
                yield source.name, counts


def _count_one(source: Source, tokenizer: "Tokenizer", reading: Reading) -> Counts:
    data = source.read()
    text = reading.decode(data, source.name)
    unfinished = text != "" and not text.endswith("\n")
    lines = text.count("\n") + unfinished
    return Counts(tokenizer.count(text), len(text), len(data), lines)


def _with_total(rows: Iterable[tuple[str, Counts]]) -> Iterator[tuple[str, Counts]]:
    total, n = Counts(0, 0, 0, 0), 0
    for name, counts in rows:
        yield name, counts
        total = Counts(*map(sum, zip(total, counts, strict=True)))
        n += 1
    if n > 1:
        yield "total", total


def _write_values(rows: Iterable[tuple[str, Counts]]) -> None:
    typer.echo("\t".join([*Counts._fields, "document"]))
    for name, counts in rows:
        typer.echo("\t".join([*map(str, counts), printable(name)]))


def _write_table(rows: Iterable[tuple[str, Counts]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table("document", box=box.SIMPLE_HEAD)
    for field in Counts._fields:
        table.add_column(field, justify="right")
    for name, counts in rows:
        style = "bold" if name == "total" else ""
        table.add_row(Text(printable(name)), *(f"{value:,}" for value in counts), style=style)
    Console().print(table)
