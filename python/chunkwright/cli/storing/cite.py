"""`chunkwright cite`: cite blocks of a store, and find what became of citations."""

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chunkwright.cli.show.places import place_line, place_row, write_json
from chunkwright.cli.show.tables import write_table
from chunkwright.cli.storing.opening import AsJson, In, existing
from chunkwright.cli.streams import piped
from chunkwright.errors import ConfigError
from chunkwright.messages.terminal_text import printable

if TYPE_CHECKING:
    from chunkwright.store.citing.resolution import Resolution
    from chunkwright.store.model import Citation

Block = Annotated[
    str | None,
    typer.Argument(metavar="BLOCK", help="The id of a block, as search shows it."),
]
Quote = Annotated[
    str | None, typer.Option("--quote", help="Words of the block. Default: all of it.")
]
By = Annotated[
    str | None,
    typer.Option("--by", metavar="NAME", help="Who cites it, such as the name of a report."),
]
List = Annotated[bool, typer.Option("--list", help="List the citations instead.")]
OfDocument = Annotated[
    str | None,
    typer.Option(
        "--document", metavar="ADDRESS", help="With --list, only citations of this document."
    ),
]
Resolve = Annotated[
    str | None,
    typer.Option("--resolve", metavar="ID", help="Say where the words of a citation are now."),
]
COLUMNS = ("id", "document", "version", "block", "quote")


def cite(  # noqa: PLR0913 - one a flag
    block: Block = None,
    *,
    store: In,
    quote: Quote = None,
    by: By = None,
    is_list: List = False,
    document: OfDocument = None,
    resolve: Resolve = None,
    as_json: AsJson = False,
) -> int:
    """Run `chunkwright cite`; return its exit code."""
    wanted = [("BLOCK", block), ("--list", is_list or None), ("--resolve", resolve)]
    given = [name for name, value in wanted if value is not None]
    if len(given) != 1:
        said = " and ".join(given) or "none of them"
        raise ConfigError(f"name BLOCK, --list or --resolve: one of them, got {said}")
    _refuse({"--quote": quote, "--by": by} if block is None else {}, "BLOCK")
    _refuse({} if is_list else {"--document": document}, "--list")
    with existing(store, read_only=block is None) as opened:
        if block is not None:
            made = opened.cite(block, quote, by=by)
            with piped():
                write_json([asdict(made)]) if as_json else typer.echo(made.id)
        elif resolve is not None:
            return _resolved(opened.resolve(resolve), as_json=as_json)
        else:
            _list(opened.citations(document), as_json=as_json)
    return 0


def _refuse(options: dict[str, Any], needed: str) -> None:
    for name, value in options.items():
        if value is not None:
            raise ConfigError(f"{name} {value!r} needs {needed}")


def _list(citations: "list[Citation]", *, as_json: bool) -> None:
    if as_json:
        with piped():
            write_json(asdict(each) for each in citations)
        return
    rows = [[getattr(each, name) for name in COLUMNS] for each in citations]
    write_table(COLUMNS, rows, is_table=sys.stdout.isatty())


def _resolved(found: "Resolution", *, as_json: bool) -> int:
    """Write what became of a citation; return the exit code."""
    with piped():
        if as_json:
            row: dict[str, Any] = {"status": found.status, "citation": asdict(found.citation)}
            row |= {"superseded_by": found.superseded_by, "cited": place_row(found.cited)}
            row |= {"difference": found.difference and asdict(found.difference)}
            row |= {"changes": list(found.changes)}
            write_json([row | {"place": found.place and place_row(found.place)}])
        else:
            typer.echo(f"{found.status}\t{place_line(found.place or found.cited)}")
            if found.place is None or found.place.text != found.citation.quote:
                typer.echo(f"was\t{printable(found.citation.quote)}")
            if found.place is not None:
                typer.echo(f"is\t{printable(found.place.text)}")
            if found.difference is not None:
                said = (found.difference.kind, found.difference.quoted, found.difference.stands)
                typer.echo("\t".join(["differs", *map(printable, said)]))
            if found.changes:
                typer.echo(f"changed\t{', '.join(found.changes)}")
    return 0 if found.resolves else 1
