"""`chunkwright view`: see where a document is cut."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chunkwright.cli.files import check_new, reading_of
from chunkwright.cli.settings.model import MODEL
from chunkwright.cli.settings.strategy import describe, strategies_of
from chunkwright.cli.settings.table import DROP, READING, cutting
from chunkwright.cli.show.plotting import check_plot, write_plot
from chunkwright.cli.show.reasons import Reasons, check_reasons
from chunkwright.cli.show.report import Report
from chunkwright.cli.streams import piped
from chunkwright.cli.syntax.options import File, Force, Resolved, configured
from chunkwright.cli.view_html import Asked, view_file, view_stored
from chunkwright.io.documents import whole
from chunkwright.io.sources import PAGED, STDIN, Entry, Source
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


Html = Annotated[
    Path | None,
    typer.Option(
        "--html",
        metavar="OUT",
        help="Write a page to look at in a browser instead: one file, which loads nothing; - is "
        "standard output.",
        show_default=False,
    ),
]
Compare = Annotated[
    str | None,
    typer.Option(
        "--compare",
        metavar="SPEC",
        help="On the page: other settings side by side, as for compare.",
        show_default=False,
    ),
]
Questions = Annotated[
    list[str] | None,
    typer.Option(
        "--question",
        metavar="Q",
        help="On the page: what words, and with --embedder vectors, give to each chunk; may be "
        "repeated.",
    ),
]
InStore = Annotated[
    str | None,
    typer.Option(
        "--in",
        metavar="STORE",
        help="On the page: the document of a store that has this address.",
        show_default=False,
    ),
]
From = Annotated[
    int | None,
    typer.Option(
        "--from",
        metavar="VERSION",
        help="With --in: what has changed since this version.",
        show_default=False,
    ),
]
Images = Annotated[
    bool,
    typer.Option(
        "--pages-as-images", help="On the page: pictures of the pages of a PDF, with its boxes."
    ),
]


@configured(
    *cutting(),
    *MODEL,
    *READING,
    *DROP,
    *PAGED,
    "input_format",
    "vector_cache",
    "verbose",
    takes_tables=True,
)
def view(  # noqa: PLR0913, PLR0917 - options of the command
    settings: Resolved,
    path: File,
    reasons: ShowReasons = False,
    plot: Plot = None,
    html: Html = None,
    compare: Compare = None,
    question: Questions = None,
    in_store: InStore = None,
    since: From = None,
    pages_as_images: Images = False,
    force: Force = False,
) -> int:
    """Run `chunkwright view`; return its exit code."""
    own = settings.merged()
    asked = Asked(html, compare, tuple(question or ()), in_store, since, pages_as_images)
    asked.check(force=force)
    if reasons or plot is not None:
        check_reasons(own.strategy)
    if plot is not None:
        check_plot(plot)
        check_new(plot, "--plot", force=force)
    if asked.store is not None:
        return view_stored(path, asked)
    if html is not None:
        return view_file(path, settings, asked, plot)
    source, report = Source(path), Report(quiet=own.quiet, to_stdout=False)
    reading, strategies = reading_of(own), strategies_of(own, report.embedded)
    with report.bars():
        cut = report.attempt(source, lambda: _cut(whole(source, reading), strategies))
    if cut is not None:
        chunks, language = cut
        if plot is not None:
            write_plot(chunks, plot)
        about = describe(own, language)
        _show(chunks, _title(path, chunks), about, Reasons(chunks, own) if reasons else None)
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
