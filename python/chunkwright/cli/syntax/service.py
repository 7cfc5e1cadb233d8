"""Settings of a service as options of a command: flag, then variable, then file, then default."""

import os
from collections.abc import Sequence
from functools import wraps
from pathlib import Path
from typing import Any

import typer

from chunkwright.cli.settings.file import SERVICE, service_table
from chunkwright.cli.settings.flags import PREFIX, misspelt, variable
from chunkwright.cli.syntax.options import ConfigFile
from chunkwright.cli.syntax.setting_options import (
    Command,
    flags_of,
    in_place,
    keyword,
    parameter,
    read,
    taking,
)
from chunkwright.messages.terminal_text import printable
from chunkwright.server.settings import SETTINGS
from chunkwright.settings import Setting

FLAGS = flags_of(SETTINGS)
"""What messages call the settings."""


def service_options(command: Command) -> Command:
    """Give a command options for all settings of a service; it gets those set as `options`."""
    rows = [one for one in SETTINGS if not one.is_secret]

    @wraps(command)
    def run(ctx: typer.Context, **given: Any) -> int:
        options = _from_file(given.pop("config"), rows)
        for one in rows:
            value, called = given.pop(one.name), _source(ctx, one)
            if called is not None:
                options[one.name] = read(one, value, called)
        return command(options=options, **given)

    options = [parameter(one, None, variable_of(one)) for one in rows]
    own = in_place(command, "options", options)
    return taking(run, [keyword("ctx", typer.Context), *own, keyword("config", ConfigFile)])


def variable_of(one: Setting) -> str | None:
    """Return the variable of a setting; None if it has several values, which do not fit into it."""
    return one.variable or (None if one.takes_many else variable(f"{SERVICE}_{one.name}"))


def _source(ctx: typer.Context, one: Setting) -> str | None:
    """Return what has given a setting: its flag, its variable, or neither."""
    origin = ctx.get_parameter_source(one.name)
    sources = {"COMMANDLINE": one.flag, "ENVIRONMENT": variable_of(one)}
    return None if origin is None else sources.get(origin.name)


def _from_file(path: Path | None, rows: Sequence[Setting]) -> dict[str, Any]:
    """Return the settings of a configuration file, and warn of variables that are misspelt."""
    begin = variable(f"{SERVICE}_")
    ours = [name for name in os.environ if name.startswith(begin)]
    for message in misspelt(
        ours, [str(variable_of(one)).removeprefix(PREFIX).lower() for one in rows]
    ):
        typer.echo(f"Warning: {printable(message)}", err=True)
    table = service_table(path)
    return {
        one.name: read(one, table[one.name], f"[{SERVICE}] {one.name}")
        for one in rows
        if one.name in table
    }
