"""`chunkwright search`: search a store for what answers a question."""

import sys
from typing import Annotated, Any

import typer

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
from chunkwright.cli.syntax.setting_options import flags_of, setting_options
from chunkwright.store.settings import FILTER, SEARCH

Question = Annotated[
    str,
    typer.Argument(
        metavar="QUESTION", help="The question, or words to search for.", show_default=False
    ),
]


@configured(
    *("embedder", "quiet", "verbose"),
    about={"embedder": EMBEDDER_HELP, "verbose": "Show the scores that made each hit."},
)
@setting_options(*SEARCH)
def search(
    settings: Settings,
    question: Question,
    *,
    store: In,
    options: dict[str, Any],
    as_json: AsJson = False,
) -> int:
    """Run `chunkwright search`; return its exit code."""
    where = {one.name: options.pop(one.name) for one in FILTER if one.name in options}
    where["metadata"] = values_of("--where", where.get("metadata", []))
    if "field_weights" in options:
        given = values_of("--field-weight", options["field_weights"])
        options["field_weights"] = {name: values[-1] for name, values in given.items()}
    report = Report(quiet=settings.quiet)
    embedder = embedder_of(store, settings.options.get("embedder"), report.embedded)
    names = {**flags_of(SEARCH), "question": "QUESTION"}
    with existing(store, embedder=embedder) as opened, calling(names):
        found = opened.search(question, where=where, **options)
    if as_json or not sys.stdout.isatty():
        with piped():
            write_json(place_row(each) for each in found)
    else:
        from chunkwright.cli.show.hits import write_hits

        write_hits(found, shows_reasons=settings.verbose)
    if not found:
        report.note("Nothing found.")
    return 0 if found else 1
