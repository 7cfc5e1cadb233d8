"""`chunkwright index`: import documents into a store."""

from typing import TYPE_CHECKING, Annotated

import typer

from chunkwright.cli.settings.flags import calling
from chunkwright.cli.storing.importing import Job, announced, closed, importing, write_changes
from chunkwright.cli.storing.opening import STORE_HELP, VARIABLE, values_of
from chunkwright.cli.syntax.options import PATHS_HELP, Resolved
from chunkwright.document import checked_metadata
from chunkwright.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chunkwright.document import Scalar

Paths = Annotated[
    list[str],
    typer.Argument(
        help=PATHS_HELP.replace(", or - for standard input", ""),
        metavar="PATH",
        show_default=False,
    ),
]
To = Annotated[
    str,
    typer.Option(
        "--to",
        metavar="STORE",
        envvar=VARIABLE,
        help=f"{STORE_HELP} It is made if it is not there.",
        show_default=False,
    ),
]
Metadata = Annotated[
    list[str] | None,
    typer.Option(
        "--metadata",
        metavar="NAME=VALUE",
        help="Value of all these documents, to search by; may be repeated.",
        show_default=False,
    ),
]
Resync = Annotated[
    bool,
    typer.Option(
        "--resync/--no-resync",
        help="Cut a changed document only where it has changed, or afresh.",
    ),
]
RemoveMissing = Annotated[
    bool,
    typer.Option(
        "--remove-missing",
        help="Remove documents of these folders whose file is gone, and rows that these tables "
        "have no more; a file that was renamed stays the same document.",
    ),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say what would change, as diff does; write nothing.")
]


@importing
def index(  # noqa: PLR0913 - one a flag
    settings: Resolved,
    paths: Paths,
    *,
    to: To,
    metadata: Metadata = None,
    resync: Resync = True,
    remove_missing: RemoveMissing = False,
    dry_run: DryRun = False,
) -> int:
    """Import documents into a store: what is unchanged stays, with its ids and vectors.

    Each document is there whole, or as it was: after Ctrl-C, the same command goes on.
    """
    job = Job.of(settings, to, is_dry_run=dry_run)
    found, code = job.run(
        paths,
        metadata=_single(metadata or []),
        resync=resync,
        remove_missing=announced(job.report) if remove_missing and not dry_run else remove_missing,
    )
    if dry_run:
        write_changes(found)
    closed(job.report, found)
    return code


def _single(pairs: list[str]) -> "Mapping[str, Scalar]":
    """Return metadata of which each has one value.

    Raises
    ------
    ConfigError
        If a name or a value is none that metadata can have.
    """
    found = values_of("--metadata", pairs)
    twice = next((name for name, values in found.items() if len(values) > 1), None)
    if twice is not None:
        raise ConfigError(f"--metadata: {twice!r} has two values")
    with calling({"metadata": "--metadata"}):
        return checked_metadata({name: value for name, (value,) in found.items()})
