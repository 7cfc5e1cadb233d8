"""Settings as options of a command: flag, then environment, then file, then default."""

import inspect
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from chunkwright.cli.settings.file import read_config
from chunkwright.cli.settings.flags import PREFIX, misspelt, read_value, unescape, variable
from chunkwright.cli.settings.merging import default_strategy, merge
from chunkwright.cli.settings.model import CONTEXT, MODEL
from chunkwright.cli.settings.table import (
    DROP,
    FIELDS,
    READING,
    ROWS,
    Row,
    Settings,
    is_hidden,
    row_of,
    rows,
)
from chunkwright.cli.show.report import shown_log
from chunkwright.cli.syntax.commands import COMMANDS
from chunkwright.cli.syntax.help import HelpStrategy
from chunkwright.cli.syntax.setting_options import Command, in_place, keyword, taking
from chunkwright.errors import ConfigError
from chunkwright.io.sources import PAGED
from chunkwright.io.toml import Kind
from chunkwright.messages.terminal_text import printable

METAVARS: dict[Kind, str | None] = {
    int: "INTEGER",
    float: "NUMBER",
    str: "TEXT",
    list[str]: "TEXT",
    bool: None,
}
OWN = r"A {} of your own, best first; may be repeated. \n, \t, \r and \\ are understood."
CONFIG_HELP = (
    "Configuration file. Default: chunkwright.toml, else [tool.chunkwright] of pyproject.toml."
)
ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config",
        envvar="CHUNKWRIGHT_CONFIG",
        help=CONFIG_HELP,
        metavar="FILE",
        show_default=False,
        show_envvar=False,
    ),
]
EPILOG = (
    "Instead of --max-tokens, the environment may say CHUNKWRIGHT_MAX_TOKENS, and the "
    "configuration file max_tokens; so for all settings."
)
Tables = tuple[dict[str, Any], dict[str, dict[str, Any]]]
HELP = "help_strategy"
# Its values may also stand behind one flag, with commas between them.
DROP_FLAG = "--drop"
# What is read here, where it is known which flag or variable it comes from.
READ_HERE: set[type[Any]] = {int, float}
PATHS_HELP = (
    "Files, folders (the files in them that can be read, also in folders inside), globs, or - for "
    "standard input."
)
Paths = Annotated[list[str], typer.Argument(help=PATHS_HELP, metavar="PATH", show_default=False)]
File = Annotated[
    str, typer.Argument(help="A file, or - for standard input.", metavar="PATH", show_default=False)
]
Force = Annotated[bool, typer.Option("--force", "-f", help="Replace an existing file.")]


@dataclass(frozen=True)
class Resolved:
    """Settings as levels, the lowest first, and the configuration file's named tables."""

    levels: list[dict[str, Any]]
    tables: dict[str, dict[str, Any]]

    @property
    def is_verbose(self) -> bool:
        """Whether the log is to be shown."""
        said = [level["verbose"] for level in self.levels if "verbose" in level]
        return bool(said and said[-1])

    def merged(self, *higher: dict[str, Any]) -> Settings:
        """Put the levels, and higher ones, together."""
        return Settings.of(merge([*self.levels, *higher]))


def configured(
    *names: str,
    has_file: bool = True,
    takes_tables: bool = False,
    shows: Collection[str] | None = None,
    about: Mapping[str, str] | None = None,
) -> Callable[[Command], Command]:
    """Give a command options for the named settings; it gets them as one `settings`.

    A command that asks for `Resolved` gets the levels that they come from. One without a file
    reads no configuration file of settings; one that takes tables of it by name checks them. Help
    shows the settings that it `shows`, by default those that all strategies over text have. What
    some of them mean here, `about` says.
    """

    def decorate(command: Command) -> Command:
        annotation = inspect.signature(command).parameters["settings"].annotation
        takes_levels = annotation is Resolved
        wanted = inspect.signature(command).parameters.keys() - {"settings"}

        @wraps(command)
        def run(ctx: typer.Context, **given: Any) -> int:
            commands = () if takes_tables else tuple(COMMANDS)
            file = read_config(given["config"], commands) if has_file else ({}, {})
            own = {name: given[name] for name in wanted}
            inputs = own.get("paths") or [own.get("path")]
            resolved = _resolve(ctx, file, names, inputs if "strategy" in names else [])
            with shown_log(is_wanted=resolved.is_verbose):
                return command(settings=resolved if takes_levels else resolved.merged(), **own)

        said = about or {}
        hidden = {name for name in names if "strategy" in names and is_hidden(name)} - said.keys()
        if shows is not None:
            hidden = {*names} - {*shows}
        parameters = _parameters(command, names, hidden, said, has_file=has_file)
        return taking(run, parameters)

    return decorate


def _resolve(
    ctx: typer.Context, file: Tables, names: tuple[str, ...], inputs: Sequence[Any]
) -> Resolved:
    table, named = file
    environment = _values_from(ctx, names, "ENVIRONMENT")
    flags = _values_from(ctx, names, "COMMANDLINE")
    _warn_of_misspelt()
    levels = [table, environment, flags]
    given = {name for level in levels for name in level}
    lowest = {"strategy": default_strategy(map(str, inputs), given)} if inputs else {}
    return Resolved([lowest, *levels], named)


def _warn_of_misspelt() -> None:
    # To list all settings takes long: only for who has such a variable at all.
    if any(name.startswith(PREFIX) for name in os.environ):
        known = [name for row in rows() for name, *_ in _forms(row)]
        for message in misspelt(os.environ, known):
            typer.echo(f"Warning: {printable(message)}", err=True)


def _values_from(ctx: typer.Context, names: tuple[str, ...], source: str) -> dict[str, Any]:
    given = {}
    for row in _rows(names):
        for name, kind, flags in _forms(row):
            origin = ctx.get_parameter_source(name)
            if origin is None or origin.name != source:
                continue
            if row.name in given:
                raise ConfigError(f"{flags[0]} takes the place of {row.flag}: give one of the two")
            called = variable(name) if source == "ENVIRONMENT" else flags[0]
            given[row.name] = _value(kind, ctx.params[name], called)
    return given


def _value(kind: Kind, value: Any, called: str) -> Any:
    if called == DROP_FLAG:
        return [part for text in value for part in text.split(",")]
    if kind == list[str]:
        return [unescape(text) for text in value]
    return read_value(kind, value, called) if kind in READ_HERE else value


def _parameters(
    command: Command,
    names: tuple[str, ...],
    hidden: set[str],
    about: Mapping[str, str],
    *,
    has_file: bool,
) -> list[inspect.Parameter]:
    return [
        keyword("ctx", typer.Context),
        *in_place(command, "settings", ()),
        *([keyword(HELP, HelpStrategy)] if "strategy" in names else []),
        *(
            _parameter(row, *form, about, hidden=row.name in hidden)
            for row in _rows(names)
            for form in _forms(row)
        ),
        *([keyword("config", ConfigFile)] if has_file else []),
    ]


def _rows(names: tuple[str, ...]) -> list[Row]:
    return [row for name in names if (row := row_of(name))]


def _forms(row: Row) -> list[tuple[str, Kind, tuple[str, ...]]]:
    """Return the options of a command that give a setting: name, kind, flags.

    There is one, or there are two where a name stands for a list: the items of an own list are
    given one by one.
    """
    forms = [(row.name, row.kinds[0], row.flags)]
    if len(row.kinds) > 1:
        one = row.name.removesuffix("s")
        forms.append((one, row.kinds[1], (f"--{one.replace('_', '-')}",)))
    return forms


def _parameter(  # noqa: PLR0913 - what an option is made of
    row: Row,
    name: str,
    kind: Kind,
    flags: tuple[str, ...],
    about: Mapping[str, str],
    *,
    hidden: bool,
) -> inspect.Parameter:
    is_list = kind == list[str]
    option = typer.Option(
        *flags,
        # A list does not fit into one variable.
        envvar=None if is_list else variable(name),
        help=(about.get(name, row.about) if name == row.name else OWN.format(name)),
        metavar=METAVARS[kind],
        rich_help_panel=None if row.name in about else _panel(row.name),
        hidden=hidden,
        show_default=False,
        show_envvar=False,
    )
    shown = str if kind in READ_HERE else kind
    return keyword(name, Annotated[shown | None, option])


def _panel(name: str) -> str | None:
    if name in {*MODEL, *CONTEXT}:
        return "Language model" if name in MODEL else "Snippets"
    if name == "strategy" or name not in FIELDS:
        return "Cutting"
    return (
        "Reading"
        if name in {*READING, *DROP, *PAGED, "input_format", "root"}
        else "Rows of tables"
        if name in ROWS
        else None
    )
