"""Help of commands: short at first, and the options of one strategy on demand."""

from copy import copy
from typing import Annotated, Any

import typer
from typer.core import TyperArgument, TyperCommand

from chunkwright.chunking.option_table import abouts
from chunkwright.chunking.registry import ALL_STRATEGIES, options_of, unknown_strategy
from chunkwright.cli.settings.model import MODEL
from chunkwright.cli.settings.table import LLM, about
from chunkwright.errors import ConfigError


class Command(TyperCommand):
    """A command whose usage shows which arguments may be repeated, its options under headings."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the parts of the usage line behind the command's name."""
        pieces = [self.options_metavar] if self.options_metavar else []
        for param in self.get_params(ctx):
            is_repeated = isinstance(param, TyperArgument) and param.nargs == -1
            pieces += [
                f"{piece}{'...' if is_repeated else ''}" for piece in param.get_usage_pieces(ctx)
            ]
        return pieces

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and the options, each under the heading of its group."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            if (record := param.get_help_record(ctx)) is not None:
                default = "Arguments" if isinstance(param, TyperArgument) else "Options"
                group = getattr(param, "rich_help_panel", None) or default
                groups.setdefault(group, []).append(record)
        for group, records in groups.items():
            with formatter.section(group):
                formatter.write_dl(records)


def _show_options(ctx: typer.Context, name: str | None) -> None:
    """Show the options of a strategy, and end the command."""
    if name is None:
        return
    if name not in ALL_STRATEGIES:
        hint = unknown_strategy(name)
        raise ConfigError(f"--help-strategy: unknown strategy {name!r}; {hint}")
    first = abouts().get(name) or (ALL_STRATEGIES[name].__doc__ or "").partition("\n\n")[0]
    command: Any = copy(ctx.command)
    command.help = f"Options of --strategy {name}. {' '.join(first.split())}"
    command.params = [_with_help_of(param, name) for param in ctx.command.params]
    typer.echo(command.get_help(ctx))
    raise typer.Exit


def _with_help_of(param: Any, strategy: str) -> Any:
    shown, names = copy(param), options_of(strategy)
    if param.name in names:
        shown.help = about(param.name, strategy)
    # Vectors are kept; a list is given one by one; a model has settings of its own.
    of_them = {"vector_cache": "embedder", "separator": "separators", **dict.fromkeys(MODEL, LLM)}
    shown.hidden = of_them.get(param.name, param.name) not in names
    return shown


HelpStrategy = Annotated[
    str | None,
    typer.Option(
        "--help-strategy",
        metavar="NAME",
        is_eager=True,
        callback=_show_options,
        help="Show the options of one strategy, such as kamradt, and exit.",
        show_default=False,
    ),
]
