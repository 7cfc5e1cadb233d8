"""`chunkwright search`: search a store for what answers a question."""

import sys
from typing import Annotated, Any, cast, get_args

import typer

from chunkwright.checks import checked_name
from chunkwright.cli.settings.flags import calling
from chunkwright.cli.settings.table import Settings
from chunkwright.cli.show.places import place_row, write_json
from chunkwright.cli.show.report import Report
from chunkwright.cli.storing.opening import (
    EMBEDDER_HELP,
    AsJson,
    In,
    embedder_of,
    existing,
    values_of,
)
from chunkwright.cli.streams import piped
from chunkwright.cli.syntax.options import configured
from chunkwright.retrieval.expansion import Scope

SCOPES = [*get_args(Scope)]
FLAGS = {
    "k": "--k",
    "max_tokens": "--max-tokens",
    "floor": "--floor",
    "gate": "--gate",
    "expand": "--expand",
    "pages": "--page",
    "question": "QUESTION",
}

Question = Annotated[
    str, typer.Argument(metavar="QUESTION", help="What is searched for.", show_default=False)
]
K = Annotated[
    int | None,
    typer.Option("--k", "-k", metavar="N", help="Hits, at most. Default: 5.", show_default=False),
]
MaxTokens = Annotated[
    int | None,
    typer.Option(
        "--max-tokens",
        metavar="N",
        help="Tokens of all hits; with --expand, what they leave is filled.",
        show_default=False,
    ),
]
Where = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="NAME=VALUE",
        help="Only documents with this metadata; may be repeated, one name's values are "
        "alternatives.",
    ),
]
Documents = Annotated[
    list[str] | None,
    typer.Option(
        "--document",
        metavar="ADDRESS",
        help="Only this document; with * at its end all that begin so. May be repeated.",
    ),
]
Types = Annotated[
    list[str] | None,
    typer.Option("--type", metavar="TYPE", help="Only blocks of this type, such as table or list."),
]
Pages = Annotated[
    list[int] | None, typer.Option("--page", metavar="N", help="Only blocks on this page.")
]
Expand = Annotated[
    str | None,
    typer.Option("--expand", metavar="TO", help=f"Show more of each: {', '.join(SCOPES)}."),
]
Floor = Annotated[
    float | None, typer.Option("--floor", help="Scores below are no hits. Default: the store's.")
]
Gate = Annotated[
    float | None,
    typer.Option(
        "--gate", help="Of hits below, shadows are searched as well. Default: the store's."
    ),
]


@configured(
    *("embedder", "quiet", "verbose"),
    about={"embedder": EMBEDDER_HELP, "verbose": "Show the scores that made each hit."},
)
def search(  # noqa: PLR0913 - one a flag
    settings: Settings,
    question: Question,
    *,
    store: In,
    k: K = None,
    max_tokens: MaxTokens = None,
    where: Where = None,
    document: Documents = None,
    kind: Types = None,
    page: Pages = None,
    expand: Expand = None,
    floor: Floor = None,
    gate: Gate = None,
    as_json: AsJson = False,
) -> int:
    """Search a store for what answers a question.

    On a terminal hits for a reader, with --verbose the scores that made each of them; else JSON
    lines. Where nothing is found, the exit code is 1.
    """
    if expand is not None:
        checked_name("--expand", expand, SCOPES)
    filters = {"documents": document, "types": kind, "pages": page}
    options: dict[str, Any] = {
        "k": k,
        "max_tokens": max_tokens,
        "where": {
            **{name: values for name, values in filters.items() if values},
            "metadata": values_of("--where", where or []),
        },
        "floor": floor,
        "gate": gate,
        "expand": cast("Scope | None", expand),
    }
    report = Report(quiet=settings.quiet)
    embedder = embedder_of(store, settings.options.get("embedder"), report.embedded)
    with existing(store, embedder=embedder) as opened, calling(FLAGS):
        found = opened.search(question, **options)
    if as_json or not sys.stdout.isatty():
        with piped():
            write_json(place_row(each) for each in found)
    else:
        from chunkwright.cli.show.hits import write_hits

        write_hits(found, shows_reasons=settings.verbose)
    if not found:
        report.note("Nothing found.")
    return 0 if found else 1
