"""`chunkwright verify`: look whether a quote stands in the documents of a store."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from chunkwright.cli.show.places import place_line, place_row, write_json
from chunkwright.cli.storing.opening import AsJson, In, existing
from chunkwright.cli.streams import piped
from chunkwright.messages.terminal_text import printable

if TYPE_CHECKING:
    from chunkwright.store.citing.places import Place
    from chunkwright.store.citing.verifying import Verification

Quote = Annotated[
    str, typer.Argument(metavar="QUOTE", help="The quote to check.", show_default=False)
]
OfDocument = Annotated[
    str | None,
    typer.Option("--document", metavar="ADDRESS", help="Document that the quote should be from."),
]
# What a quote may be to be one.
_STANDS = {"found", "abridged"}


def verify(quote: Quote, *, store: In, document: OfDocument = None, as_json: AsJson = False) -> int:
    """Run `chunkwright verify`; return its exit code."""
    with existing(store) as opened:
        found = opened.verify(quote, document)
    with piped():
        if as_json:
            write_json([_row(found)])
        else:
            _write(found)
    return 0 if found.verdict in _STANDS and found.is_current else 1


def _row(found: "Verification") -> dict[str, Any]:
    return {
        "verdict": found.verdict,
        "is_current": found.is_current,
        "places": [place_row(each) for each in found.places],
        "nearest": None if found.nearest is None else place_row(found.nearest),
        "quoted": found.quoted,
        "stands": found.stands,
    }


def _write(found: "Verification") -> None:
    old = "" if found.is_current else ", in an old version"
    typer.echo(f"{found.verdict}{old}")
    for place in found.places:
        _write_place("at", place)
    if found.nearest is not None:
        _write_place("nearest", found.nearest)
        typer.echo(f"quoted\t{printable(found.quoted or 'nothing more')}")
        typer.echo(f"stands\t{printable(found.stands or 'nothing more')}")


def _write_place(label: str, place: "Place") -> None:
    typer.echo(f"{label}\t{place_line(place)}\t{printable(' '.join(place.text.split()))}")
    if place.origin == "manual":
        typer.echo(f"edited\tthese words were written by hand as block {place.block}")
    elif place.edited_as is not None:
        typer.echo(f"edited\tsearch shows what was written by hand as block {place.edited_as}")
