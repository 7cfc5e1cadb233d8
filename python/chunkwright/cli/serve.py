"""`chunkwright serve`: answer over HTTP what the other commands answer on a terminal."""

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from chunkwright.cli.settings.flags import calling
from chunkwright.cli.syntax.service import FLAGS, service_options
from chunkwright.errors import ConfigError

VARIABLE = FLAGS["keys"]

KeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key-file",
        metavar="FILE",
        help=f"Keys, one a line, of which requests bring one; also {VARIABLE}, with commas.",
        show_default=False,
    ),
]


NewKey = Annotated[
    bool,
    typer.Option("--new-key", help="Print a new key of 22 characters, and end."),
]


@service_options
def serve(options: dict[str, Any], key_file: KeyFile = None, new_key: NewKey = False) -> int:
    """Run `chunkwright serve`; return its exit code."""
    if new_key:
        return _print_new_key()
    from chunkwright.server.run import serve as run
    from chunkwright.server.settings import Settings

    with calling(FLAGS):
        run(Settings(**options, keys=keys_of(key_file)))
    return 0


def _print_new_key() -> int:
    from chunkwright.server.settings import key_id, new_key

    key = new_key()
    typer.echo(key)
    typer.echo(f"The log calls it {key_id(key)}.", err=True)
    return 0


def keys_of(file: Path | None) -> tuple[str, ...]:
    """Return the keys of a file and of the environment: never of the command line, which all see.

    Raises
    ------
    ConfigError
        If the file cannot be read, has none, or one that will not do; names file and line.
    """
    from chunkwright.server.settings import fault_of_key

    keys = [key.strip() for key in os.environ.get(VARIABLE, "").split(",")]
    if file is not None:
        try:
            lines = file.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is no UTF-8"
            raise ConfigError(f"--key-file: {file}: {reason}") from error
        if not any(line.strip() for line in lines):
            raise ConfigError(f"--key-file: {file} has no key")
        for number, line in enumerate(lines, 1):
            if line.strip() and (fault := fault_of_key(line.strip())) is not None:
                raise ConfigError(f"--key-file: {file}, line {number}: {fault}")
        keys += [line.strip() for line in lines]
    return tuple(dict.fromkeys(key for key in keys if key))
