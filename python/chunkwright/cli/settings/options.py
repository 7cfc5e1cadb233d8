"""Settings as options of a command: flag, then environment, then file, then default."""

import inspect
import re
from collections.abc import Callable
from dataclasses import Field, dataclass, fields
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from chunkwright.cli.flags import FLAGS
from chunkwright.cli.helping import HelpStrategy
from chunkwright.cli.settings.file import read_config
from chunkwright.cli.settings.kinds import METAVARS, NAMES, parsed
from chunkwright.cli.settings.merging import merge
from chunkwright.cli.settings.table import BY_MEANING, CUTTING, READING, ROWS, Settings
from chunkwright.cli.show.verbose import shown_log
from chunkwright.errors import ConfigError

FIELDS = {field.name: field for field in fields(Settings)}
ESCAPES = {r"\n": "\n", r"\t": "\t", r"\r": "\r", r"\\": "\\"}
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
Command = Callable[..., int]
HELP = "help_strategy"
# What is read here, where it is known which flag or variable it comes from.
READ_HERE = {int, float}


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
        return Settings(**merge([*self.levels, *higher]))


def configured(*names: str) -> Callable[[Command], Command]:
    """Give a command options for the named settings; it gets them as one `settings`.

    A command that asks for `Resolved` gets the levels that they come from.
    """

    def decorate(command: Command) -> Command:
        annotation = inspect.signature(command).parameters["settings"].annotation
        takes_levels = annotation is Resolved

        @wraps(command)
        def run(ctx: typer.Context, config: Path | None, **given: Any) -> int:
            own = {name: value for name, value in given.items() if name not in {*names, HELP}}
            resolved = _resolve(ctx, config, names)
            with shown_log(is_wanted=resolved.is_verbose):
                return command(settings=resolved if takes_levels else resolved.merged(), **own)

        parameters = _parameters(command, names)
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {item.name: item.annotation for item in parameters}
        return run

    return decorate


def unescape(separator: str) -> str:
    r"""Understand `\n`, `\t`, `\r` and `\\`, which a shell cannot easily type."""
    return re.sub(r"\\[ntr\\]", lambda match: ESCAPES[match[0]], separator)


def _resolve(ctx: typer.Context, config: Path | None, names: tuple[str, ...]) -> Resolved:
    table, named = read_config(config)
    environment = _given(ctx, names, "ENVIRONMENT")
    flags = _given(ctx, names, "COMMANDLINE")
    return Resolved([table, environment, flags], named)


def _given(ctx: typer.Context, names: tuple[str, ...], source: str) -> dict[str, Any]:
    given = {}
    for name in names:
        origin = ctx.get_parameter_source(name)
        if origin is not None and origin.name == source:
            called = _variable(name) if source == "ENVIRONMENT" else FLAGS[name][0]
            given[name] = _value(FIELDS[name], ctx.params[name], called)
    return given


def _value(field: Field[Any], value: Any, called: str) -> Any:
    kind = field.metadata["kind"]
    if kind is list:
        return [unescape(separator) for separator in value]
    if kind not in READ_HERE:
        return value
    try:
        return parsed(kind, value)
    except ValueError:
        raise ConfigError(f"{called}: {value!r} is not {NAMES[kind]}") from None


def _parameters(command: Command, names: tuple[str, ...]) -> list[inspect.Parameter]:
    own = [
        item.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for item in inspect.signature(command).parameters.values()
        if item.name != "settings"
    ]
    context = inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    return [
        context,
        *own,
        *([_keyword(HELP, HelpStrategy)] if "strategy" in names else []),
        *(_parameter(FIELDS[name]) for name in names),
        _keyword("config", ConfigFile),
    ]


def _parameter(field: Field[Any]) -> inspect.Parameter:
    kind = field.metadata["kind"]
    option = typer.Option(
        *FLAGS[field.name],
        # A list does not fit into one variable.
        envvar=None if kind is list else _variable(field.name),
        help=field.metadata["help"],
        metavar=METAVARS[kind],
        rich_help_panel=_panel(field.name),
        hidden=field.metadata["is_hidden"],
        show_default=False,
        show_envvar=False,
    )
    shown = str if kind in READ_HERE else list[str] if kind is list else kind
    return _keyword(field.name, Annotated[shown | None, option])


def _variable(name: str) -> str:
    return f"CHUNKWRIGHT_{name.upper()}"


def _keyword(name: str, annotation: Any) -> inspect.Parameter:
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, keyword, default=None, annotation=annotation)


def _panel(name: str) -> str | None:
    panels = {
        "Cutting by meaning": (*BY_MEANING, "vector_cache"),
        "Cutting": CUTTING,
        "Reading": READING,
        "Rows of tables": ROWS,
    }
    return next((panel for panel, names in panels.items() if name in names), None)
