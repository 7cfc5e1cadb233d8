"""`chunkwright view`: see where a document is cut."""

from typing import TYPE_CHECKING, Annotated

import typer

from chunkwright.cli.cutting import cutter, describe
from chunkwright.cli.inputs import STDIN, Source
from chunkwright.cli.options import configured
from chunkwright.cli.outputs import piped
from chunkwright.cli.plain import counted, printable
from chunkwright.cli.report import Report
from chunkwright.cli.settings import CUTTING, READING, Settings

if TYPE_CHECKING:
    from chunkwright.chunks import Chunks

File = Annotated[
    str, typer.Argument(help="A file, or - for standard input.", metavar="PATH", show_default=False)
]


@configured(*CUTTING, *READING)
def view(settings: Settings, path: File) -> int:
    """Show a document's chunks in alternating colours, with their sizes.

    What a chunk repeats of the one before is dimmed, in the colour of that one. On a terminal a
    pager shows it: $PAGER, else less.
    """
    cut = cutter(settings)
    source, report = Source(path), Report(quiet=True)
    chunks = report.attempt(source, lambda: cut(source))
    if chunks is not None:
        _show(chunks, _title(path, chunks), describe(settings))
    return report.exit_code


def _show(chunks: "Chunks", title: str, settings: str) -> None:
    from rich.text import Text

    from chunkwright.cli.drawing import draw
    from chunkwright.cli.pager import paged

    with piped(), paged() as console:
        console.print(Text.assemble((title, "bold"), "\n", (settings, "dim"), "\n"))
        for drawn in draw(chunks, console):
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
