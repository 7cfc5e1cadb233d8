"""Hits of a store for a reader: score, place, text, and why each was found."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.text import Text

from chunkwright.cli.show.pager import paged
from chunkwright.cli.show.places import place_line
from chunkwright.cli.streams import piped
from chunkwright.messages.terminal_text import printable, printable_lines

if TYPE_CHECKING:
    from chunkwright.store.searching.found import Found

_INDENT = (0, 0, 0, 4)


def write_hits(found: "Sequence[Found]", *, shows_reasons: bool) -> None:
    """Write hits to a pager, the best one first."""
    with piped(), paged() as console:
        for number, each in enumerate(found, start=1):
            title = Text(f"{number:>2}  ", "bold")
            title.append(f"{each.score:.3f}  ", "green")
            title.append(place_line(each), "bold")
            console.print(title)
            console.print(Padding(Text(printable_lines(each.text.strip())), _INDENT))
            block = f"block {each.block}" if each.block else f"{each.block_type}, in no block"
            console.print(Padding(Text(printable(block), "dim"), _INDENT))
            if shows_reasons:
                for line in reasons(each):
                    console.print(Padding(Text(printable(line), "dim"), _INDENT))
            console.print()


def reasons(of: "Found") -> Iterator[str]:
    """Yield why something was found."""
    why = of.why
    scores = {"words": why.words, "vectors": why.vectors}
    shown = ", ".join(f"{name} {score:.3f}" for name, score in scores.items() if score is not None)
    if shown:
        yield shown
    if why.shadow is not None:
        score = "" if why.shadow_score is None else f" {why.shadow_score:.3f}"
        yield f"shadow: {why.shadow}{score}"
    if why.rank_before is not None:
        yield f"rank before it was reranked: {why.rank_before}"
    for name, blocks in (("with", of.neighbours), ("the same as", of.duplicates)):
        if blocks:
            yield f"{name} {', '.join(blocks)}"
    if of.origin != "cut":
        yield f"origin: {of.origin}"
