"""Settings that are rows as options of a command: their flags, and what is read from these."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Annotated, Any

import typer

from chunkwright.cli.settings.flags import read_size, read_value
from chunkwright.errors import ConfigError
from chunkwright.settings import Setting

Command = Callable[..., int]
METAVARS: Mapping[type, str] = {int: "N", float: "SECONDS", dict: "NAME=PATH"}


def setting_options(
    *rows: Setting, about: Mapping[str, str] | None = None
) -> Callable[[Command], Command]:
    """Give a command a flag for each of some settings; it gets those given as `options`.

    Parameters
    ----------
    rows
        The settings.
    about
        What some of them mean here.
    """

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run(**given: Any) -> int:
            options = {}
            for one in rows:
                value = given.pop(one.name)
                # A flag that is not given is None, or a list of no values.
                if value is not None and value != []:
                    options[one.name] = read(one, value, one.flag)
            return command(options=options, **given)

        options = [parameter(one, (about or {}).get(one.name)) for one in rows]
        return taking(run, in_place(command, "options", options))

    return decorate


def flags_of(rows: Sequence[Setting]) -> dict[str, str]:
    """Return what messages call settings: their flags, by their names."""
    return {one.name: one.flag for one in rows}


def in_place(
    command: Command, name: str, options: Sequence[inspect.Parameter]
) -> list[inspect.Parameter]:
    """Return the parameters of a command, with options in the place of one."""
    found: list[inspect.Parameter] = []
    for item in inspect.signature(command).parameters.values():
        keyword_only = item.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        found += options if item.name == name else [keyword_only]
    return found


def taking(run: Command, parameters: Sequence[inspect.Parameter]) -> Command:
    """Return a function that takes such parameters, as Typer sees it."""
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {item.name: item.annotation for item in parameters}
    return run


def parameter(one: Setting, about: str | None, variable: str | None = None) -> inspect.Parameter:
    """Return a setting as a parameter that Typer makes an option of."""
    shown = list[str] if one.takes_many else bool if one.kind is bool else str
    is_switch = one.kind is bool and one.default is True
    option = typer.Option(
        f"{one.flag}/--no-{one.flag.removeprefix('--')}" if is_switch else one.flag,
        *([one.short] if one.short else []),
        envvar=variable,
        help=about or one.help,
        metavar=one.metavar
        or ("SIZE" if one.is_size else METAVARS.get(one.item if one.kind is tuple else one.kind)),
        show_default=False,
        show_envvar=one.variable is not None,
    )
    return keyword(one.name, Annotated[shown | None, option])


def keyword(name: str, annotation: Any) -> inspect.Parameter:
    """Return a parameter that is None where it is not given; a context always is."""
    default = inspect.Parameter.empty if annotation is typer.Context else None
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, default=default, annotation=annotation)


def read(one: Setting, value: Any, called: str) -> Any:
    """Return a value of a flag, a variable or a file as the setting takes it.

    Raises
    ------
    ConfigError
        If it is none; names what it was `called`.
    """
    if one.is_size and isinstance(value, str):
        return read_size(value, called)
    if one.kind is dict and not isinstance(value, dict):
        return named_paths(called, value)
    if one.kind is tuple:
        return [read_value(one.item, str(each), called) for each in value]
    return read_value(one.kind, value, called) if isinstance(value, str) else value


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
