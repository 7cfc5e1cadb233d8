"""`chunkwright compare`: two settings side by side on one document."""

from typing import TYPE_CHECKING, Annotated

import typer

from chunkwright.cli.files import cuts_elements_only, reading_of
from chunkwright.cli.settings.model import MODEL
from chunkwright.cli.settings.spec import settings_of
from chunkwright.cli.settings.strategy import strategies_of
from chunkwright.cli.settings.table import DROP, READING, Settings, cutting
from chunkwright.cli.show.report import Report
from chunkwright.cli.streams import piped
from chunkwright.cli.syntax.options import File, Resolved, configured
from chunkwright.io.documents import whole
from chunkwright.io.sources import Reading, Source

if TYPE_CHECKING:
    from collections.abc import Callable

    from chunkwright.chunking import AnyStrategy
    from chunkwright.chunks import Chunks

    Strategies = Callable[[str | None], AnyStrategy]

SPEC_HELP = (
    "A strategy, as in recursive; with settings, as in recursive:max_tokens=512,overlap=64; or the "
    "name of a table in the configuration file."
)
First = Annotated[str, typer.Argument(help=SPEC_HELP, metavar="A", show_default=False)]
Second = Annotated[str, typer.Argument(help="As A.", metavar="B", show_default=False)]

OnlyBoundaries = Annotated[
    bool,
    typer.Option(
        "--boundaries",
        help="List the boundaries that only one side has, instead of the text side by side.",
    ),
]
Everything = Annotated[
    bool, typer.Option("--all", help="Show the whole text, not only the differences.")
]


@configured(
    *cutting(),
    *MODEL,
    *READING,
    *DROP,
    "input_format",
    "vector_cache",
    "verbose",
    takes_tables=True,
)
def compare(  # noqa: PLR0913, PLR0917 - options of the command
    settings: Resolved,
    path: File,
    a: First,
    b: Second,
    boundaries: OnlyBoundaries = False,
    everything: Everything = False,
) -> int:
    """Run `chunkwright compare`; return its exit code."""
    higher = [settings_of(spec, settings.tables) for spec in (a, b)]
    both = [settings.merged(*levels) for levels in higher]
    # Who needs elements says how the document is read; texts have no use for them.
    reading = reading_of(next((one for one in both if cuts_elements_only(one.strategy)), both[0]))
    source, report = Source(path), Report(quiet=both[0].quiet, to_stdout=False)
    strategies = [
        strategies_of(one, report.embedded, {key for level in levels for key in level})
        for one, levels in zip(both, higher, strict=True)
    ]
    with report.bars():
        found = report.attempt(source, lambda: _cut(source, reading, strategies))
    if found is not None:
        _show(path, both, *found, boundaries=boundaries, everything=everything)
    return report.exit_code


def _cut(
    source: Source, reading: Reading, strategies: list["Strategies"]
) -> tuple[str, list["Chunks"]]:
    entry = whole(source, reading)
    document = entry.document
    return document.body, [made(entry.language)(document) for made in strategies]


def _show(  # noqa: PLR0913 - a document, and how it is cut and shown
    path: str,
    both: list[Settings],
    text: str,
    chunks: list["Chunks"],
    *,
    boundaries: bool,
    everything: bool,
) -> None:
    from chunkwright.cli.show.comparison import View, draw
    from chunkwright.cli.show.pager import paged

    view = View(boundaries=boundaries, everything=everything)
    with piped(), paged() as console:
        for drawn in draw(path, both, text, chunks, console, view):
            console.print(drawn)
