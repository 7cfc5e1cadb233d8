"""`chunkwright diff`: what an import would change, or what it changed in a document."""

import sys
from typing import Annotated

import typer

from chunkwright.cli.show.tables import write_table
from chunkwright.cli.storing.importing import Job, closed, importing, write_changes
from chunkwright.cli.storing.opening import In, existing
from chunkwright.cli.syntax.options import Resolved
from chunkwright.errors import ConfigError
from chunkwright.store.importing.report import said_of_citations

Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH",
        help="Files, folders and globs, as for index; with --from, the address of one document.",
        show_default=False,
    ),
]
Before = Annotated[
    int | None,
    typer.Option(
        "--from",
        metavar="VERSION",
        help="Show the blocks of one document that changed since this version.",
        show_default=False,
    ),
]
After = Annotated[
    int | None,
    typer.Option(
        "--until",
        metavar="VERSION",
        help="Later version to compare with. Default: the current one.",
        show_default=False,
    ),
]
NEW, GONE, MOVED, KEPT = "+", "-", "~", "="
# Characters of a block's text that are shown.
_SHOWN = 60


@importing
def diff(
    settings: Resolved, paths: Paths, *, store: In, before: Before = None, after: After = None
) -> int:
    """Run `chunkwright diff`; return its exit code."""
    if before is not None:
        return _of_versions(paths, store, before, after)
    if after is not None:
        raise ConfigError(f"--until {after} needs --from: two versions are compared")
    with existing(store):
        job = Job.of(settings, store, is_dry_run=True)
    found, code = job.run(paths)
    write_changes(found)
    closed(job.report, found)
    return code


def _of_versions(paths: list[str], store: str, before: int, after: int | None) -> int:
    if len(paths) > 1:
        raise ConfigError(f"--from {before}: versions are of one document, got {len(paths)}")
    with existing(store) as opened:
        found = opened.diff(paths[0], before, after)
        old, new = (
            {row["block"]: row["text"] for row in opened.rows(found.uri, version)}
            for version in (before, found.version)
        )
    signs = dict.fromkeys(found.new, NEW) | dict.fromkeys(found.moved, MOVED)
    rows = [[GONE, block, text] for block, text in old.items() if block not in new]
    rows += [[signs.get(block, KEPT), block, text] for block, text in new.items()]
    shown = [[sign, block, " ".join(text.split())[:_SHOWN]] for sign, block, text in rows]
    write_table(["change", "block", "text"], shown, is_table=sys.stdout.isatty())
    if cited := said_of_citations([found]):
        typer.echo(f"citations: {cited}", err=True)
    return 0
