"""Settings of a service as options of a command: flag, then variable, then file, then default."""

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from chunkwright.cli.settings.file import SERVICE, service_table
from chunkwright.cli.settings.flags import PREFIX, misspelt, read_size, read_value, variable
from chunkwright.cli.syntax.options import Command, ConfigFile
from chunkwright.errors import ConfigError
from chunkwright.messages.terminal_text import printable
from chunkwright.server.settings import SETTINGS
from chunkwright.settings import Setting

METAVARS: Mapping[type, str] = {int: "N", float: "SECONDS", dict: "NAME=PATH"}
FLAGS: Mapping[str, str] = {one.name: one.flag for one in SETTINGS}
"""What messages call the settings."""


def service_options(
    *names: str, about: Mapping[str, str] | None = None, has_file: bool = False
) -> Callable[[Command], Command]:
    """Give a command options for settings of a service; it gets those that are set as `service`.

    Parameters
    ----------
    names
        The settings; by default all of them.
    about
        What some of them mean here.
    has_file
        Whether they may be set by variables and by a configuration file, too.
    """
    rows = [one for one in SETTINGS if not one.is_secret and (one.name in names or not names)]

    def decorate(command: Command) -> Command:
        own = [
            item
            for item in inspect.signature(command).parameters.values()
            if item.name != "service"
        ]

        @wraps(command)
        def run(ctx: typer.Context, **given: Any) -> int:
            service = _from_file(given.pop("config"), rows) if has_file else {}
            for one in rows:
                value, called = given.pop(one.name), _source(ctx, one)
                if called is not None:
                    service[one.name] = _read(one, value, called)
            return command(service=service, **given)

        parameters = [
            _keyword("ctx", typer.Context),
            *(item.replace(kind=inspect.Parameter.KEYWORD_ONLY) for item in own),
            *(_parameter(one, (about or {}).get(one.name), has_file=has_file) for one in rows),
            *([_keyword("config", ConfigFile)] if has_file else []),
        ]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {item.name: item.annotation for item in parameters}
        return run

    return decorate


def named_paths(flag: str, given: Sequence[str]) -> dict[str, str]:
    """Return the paths that a flag names, by their names.

    Raises
    ------
    ConfigError
        If one is not of the form NAME=PATH.
    """
    paths = {}
    for text in given:
        name, sign, path = text.partition("=")
        if not (sign and name and path):
            raise ConfigError(f"{flag}: {text!r} is not of the form NAME=PATH")
        paths[name] = path
    return paths


def variable_of(one: Setting) -> str | None:
    """Return the variable of a setting; None if it has several values, which do not fit into it."""
    return one.variable or (None if one.takes_many else variable(f"{SERVICE}_{one.name}"))


def _parameter(one: Setting, about: str | None, *, has_file: bool) -> inspect.Parameter:
    shown = list[str] if one.takes_many else bool if one.kind is bool else str
    option = typer.Option(
        f"{one.flag}/--no-{one.flag.removeprefix('--')}" if one.kind is bool else one.flag,
        envvar=variable_of(one) if has_file else None,
        help=about or one.help,
        metavar=one.metavar or ("SIZE" if one.is_size else METAVARS.get(one.kind)),
        show_default=False,
        show_envvar=one.variable is not None,
    )
    return _keyword(one.name, Annotated[shown | None, option])


def _keyword(name: str, annotation: Any) -> inspect.Parameter:
    is_context = annotation is typer.Context
    default = inspect.Parameter.empty if is_context else None
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, keyword, default=default, annotation=annotation)


def _source(ctx: typer.Context, one: Setting) -> str | None:
    """Return what has given a setting: its flag, its variable, or neither."""
    origin = ctx.get_parameter_source(one.name)
    sources = {"COMMANDLINE": one.flag, "ENVIRONMENT": variable_of(one)}
    return None if origin is None else sources.get(origin.name)


def _read(one: Setting, value: Any, called: str) -> Any:
    """Return a value of a flag, a variable or a file as the setting takes it."""
    if one.is_size and isinstance(value, str):
        return read_size(value, called)
    if one.kind is dict and not isinstance(value, dict):
        return named_paths(called, value)
    return read_value(one.kind, value, called) if isinstance(value, str) else value


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
        one.name: _read(one, table[one.name], f"[{SERVICE}] {one.name}")
        for one in rows
        if one.name in table
    }
