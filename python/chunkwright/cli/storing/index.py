"""`chunkwright index`: import documents into a store."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from chunkwright.cli.settings.flags import calling
from chunkwright.cli.storing.importing import Job, announced, closed, importing, write_changes
from chunkwright.cli.storing.opening import STORE_HELP, values_of
from chunkwright.cli.syntax.options import PATHS_HELP, Resolved
from chunkwright.cli.syntax.setting_options import setting_options
from chunkwright.document import checked_metadata
from chunkwright.errors import ConfigError
from chunkwright.store.settings import ADD, DRY_RUN, VARIABLE

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
        help=f"{STORE_HELP} It is created if it does not exist.",
        show_default=False,
    ),
]


@importing
@setting_options(*ADD)
def index(settings: Resolved, paths: Paths, *, to: To, options: dict[str, Any]) -> int:
    """Run `chunkwright index`; return its exit code."""
    dry_run = options.pop(DRY_RUN.name, DRY_RUN.default)
    job = Job.of(settings, to, is_dry_run=dry_run)
    options["metadata"] = _single(options.pop("metadata", []))
    if options.get("remove_missing") and not dry_run:
        options["remove_missing"] = announced(job.report)
    found, code = job.run(paths, **options)
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
