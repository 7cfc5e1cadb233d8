"""A comparison as it is shown: sizes, and the text side by side or a list of what differs."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from chunkwright.cli.settings.strategy import describe
from chunkwright.cli.settings.table import Settings
from chunkwright.cli.show.reasons import Reasons
from chunkwright.cli.show.side_by_side import COLOURS, SIDES, SideBySide, fits
from chunkwright.io.sources import STDIN
from chunkwright.messages.terminal_text import counted, printable
from chunkwright.render.comparison import Summary, boundaries, histogram

if TYPE_CHECKING:
    from chunkwright.chunks import Chunks

ROWS = {"chunks": "chunks", "mean": "mean", "least": "min", "median": "p50", "p90": "p90"}
BAR_CELLS = 24
CONTEXT_CHARS = 32


@dataclass(frozen=True)
class View:
    """Part of a comparison that is shown behind the sizes.

    Parameters
    ----------
    boundaries
        A list of the boundaries that only one side has, instead of the text in two columns.
    everything
        The whole text, not only what is around those boundaries.
    """

    boundaries: bool = False
    everything: bool = False


def draw(  # noqa: PLR0913, PLR0917 - a document, and how it is cut and shown
    path: str,
    both: Sequence[Settings],
    text: str,
    chunks: Sequence["Chunks"],
    console: Console,
    view: View,
) -> Iterator[RenderableType]:
    """Yield the parts of a comparison, as things to print."""
    title = "standard input" if path == STDIN else printable(path)
    lines = [Text(title, "bold")]
    for side, colour, settings in zip(SIDES, COLOURS, both, strict=True):
        lines.append(Text.assemble((side, f"bold {colour}"), "  ", (describe(settings), "dim")))
    sizes = [some.n_tokens.tolist() for some in chunks]
    yield Group(*lines, "", _sizes(sizes), "", _bars(sizes), "")
    cuts = [boundaries(text, some) for some in chunks]
    yield _summary(cuts)
    if view.boundaries or not fits(console):
        yield from _boundaries(text, cuts)
        return
    for ends, of_side in zip(cuts, chunks, strict=True):
        if of_side:
            ends[len(text)] = len(of_side) - 1
    columns = SideBySide(text, cuts, _describer(chunks, both), console)
    if view.everything or cuts[0].keys() != cuts[1].keys():
        yield ""
        yield from columns.rows(everything=view.everything)


def _describer(chunks: Sequence["Chunks"], both: Sequence[Settings]) -> Callable[[int, int], str]:
    """Return what says of a side's chunk how large it is, and why it ends, if that is known."""
    reasons = [
        None if some.boundaries is None else Reasons(some, settings)
        for some, settings in zip(chunks, both, strict=True)
    ]

    def describe_chunk(side: int, number: int) -> str:
        chunk, why = chunks[side][number], reasons[side]
        facts = [f"{number:,}", counted(chunk.n_tokens, "token")]
        if chunk.oversize:
            facts.append("over the limit")
        if why is not None:
            facts.append(why.ending(number)[1])
        return " · ".join(facts)

    return describe_chunk


def _sizes(sizes: Sequence[list[int]]) -> Table:
    table = _table("tokens")
    a, b = (Summary.of(some) for some in sizes)
    for name, shown in {**ROWS, "most": "max"}.items():
        table.add_row(shown, *(_number(getattr(side, name)) for side in (a, b)))
    return table


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"


def _bars(sizes: Sequence[list[int]]) -> Table:
    table = _table("tokens")
    for column in table.columns[1:]:
        column.justify = "left"
    bins = histogram(sizes)
    most = max((count for _, _, counts in bins for count in counts), default=1) or 1
    for first, last, counts in bins:
        bars = (
            Text.assemble((_bar(count, most), colour), f" {count:,}" if count else "")
            for count, colour in zip(counts, COLOURS, strict=True)
        )
        table.add_row(f"{first:,}-{last:,}", *bars)
    return table


def _bar(count: int, most: int) -> str:
    # Whoever has a chunk has a bar.
    return "█" * -(-BAR_CELLS * count // most)


def _table(title: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(title, justify="right", style="dim", no_wrap=True)
    for side, colour in zip(SIDES, COLOURS, strict=True):
        table.add_column(side, justify="right", header_style=f"bold {colour}", no_wrap=True)
    return table


def _summary(both: Sequence[dict[int, int]]) -> Text:
    a, b = (some.keys() for some in both)
    shared, all_ = len(a & b), len(a | b)
    share = f" ({shared / all_:.0%} of all)" if all_ else ""
    return Text(
        f"boundaries: {shared:,} shared{share}, {len(a - b):,} only in A, {len(b - a):,} only in B"
    )


def _boundaries(text: str, both: Sequence[dict[int, int]]) -> Iterator[RenderableType]:
    a, b = (some.keys() for some in both)
    line, last = 1, 0
    for position in sorted(a ^ b):
        line, last = line + text.count("\n", last, position), position
        yield _boundary(text, position, line, int(position in b))


def _boundary(text: str, position: int, line: int, side: int) -> Text:
    before = text[max(0, position - CONTEXT_CHARS) : position]
    after = text[position : position + CONTEXT_CHARS]
    return Text.assemble(
        (SIDES[side], f"bold {COLOURS[side]}"),
        (f"  line {line}  ", "dim"),
        printable(before),
        ("│", COLOURS[side]),
        printable(after),
    )
