"""`chunkwright view`: see where a document is cut."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chunkwright.cli.outputs import check_new
from chunkwright.cli.reading import entry_of, reading_of
from chunkwright.cli.settings.model import MODEL
from chunkwright.cli.settings.strategy import describe, strategies_of
from chunkwright.cli.settings.table import DROP, PAGED, READING, Settings, cutting
from chunkwright.cli.show.plotting import check_plot, write_plot
from chunkwright.cli.show.reasons import Reasons, check_reasons
from chunkwright.cli.show.report import Report
from chunkwright.cli.streams import piped
from chunkwright.cli.syntax.arguments import File, Force
from chunkwright.cli.syntax.options import configured
from chunkwright.io.sources import STDIN, Entry, Source
from chunkwright.messages.terminal_text import counted, printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from chunkwright.chunking import AnyStrategy
    from chunkwright.chunks import Chunks

ShowReasons = Annotated[
    bool,
    typer.Option(
        "--reasons",
        help="Show why each chunk ends where it does, and the scores of the boundaries inside it "
        "(strategies by meaning).",
    ),
]
Plot = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        metavar="FILE",
        help="Also draw scores and cuts, into a .png, .svg or .pdf (strategies by meaning).",
        show_default=False,
    ),
]


@configured(*cutting(), *MODEL, *READING, *DROP, *PAGED, "input_format", "vector_cache", "verbose")
def view(
    settings: Settings,
    path: File,
    reasons: ShowReasons = False,
    plot: Plot = None,
    force: Force = False,
) -> int:
    """Show a document's chunks in alternating colours, with their sizes.

    What a chunk repeats of the one before is dimmed, in the colour of that one. On a terminal a
    pager shows it: $PAGER, else less.
    """
    if reasons or plot is not None:
        check_reasons(settings.strategy)
    if plot is not None:
        check_plot(plot)
        check_new(plot, "--plot", force=force)
    source, report = Source(path), Report(quiet=settings.quiet, to_stdout=False)
    reading, strategies = reading_of(settings), strategies_of(settings, report.embedded)
    with report.bars():
        cut = report.attempt(source, lambda: _cut(entry_of(source, reading), strategies))
    if cut is not None:
        chunks, language = cut
        if plot is not None:
            write_plot(chunks, plot)
        about = describe(settings, language)
        _show(chunks, _title(path, chunks), about, Reasons(chunks, settings) if reasons else None)
    return report.exit_code


def _cut(
    entry: Entry, strategies: "Callable[[str | None], AnyStrategy]"
) -> "tuple[Chunks, str | None]":
    return strategies(entry.language)(entry.document), entry.language


def _show(chunks: "Chunks", title: str, how: str, reasons: Reasons | None) -> None:
    from rich.text import Text

    from chunkwright.cli.show.drawing import draw
    from chunkwright.cli.show.pager import paged

    about = [how, *([] if reasons is None else [reasons.summary()])]
    with piped(), paged() as console:
        console.print(
            Text.assemble((title, "bold"), *(("\n" + line, "dim") for line in about), "\n")
        )
        for drawn in draw(chunks, console, reasons):
            console.print(drawn)


def _title(path: str, chunks: "Chunks") -> str:
    name = "standard input" if path == STDIN else printable(path)
    if not chunks:
        return f"{name}: no chunks"
    sizes = chunks.n_tokens
    least, most, mean = sizes.min(), sizes.max(), round(sizes.mean())
    if len(chunks) == 1:
        return f"{name}: 1 chunk of {counted(int(most), 'token')}"
    return f"{name}: {len(chunks):,} chunks of {least:,} to {most:,} tokens, {mean:,} on average"
