"""The runner of a language model that settings describe."""

import json
from typing import TYPE_CHECKING, Any

from chunkwright.cli.settings.flags import calling
from chunkwright.cli.settings.model import MODEL, ModelSettings
from chunkwright.cli.settings.table import row_of
from chunkwright.errors import ConfigError, OptionName

if TYPE_CHECKING:
    from chunkwright.llm import Runner
    from chunkwright.llm.run.runner import Progress

# Members of a table in a configuration file; flags have no tables.
TABLES = {"price": "prices", "budget": "budget"}
OPTIONS = "request_options"


def named_runner(settings: ModelSettings, progress: "Progress | None" = None) -> "Runner":
    """Return the runner that settings describe.

    Parameters
    ----------
    settings
        The settings; of keys they hold the name of a variable, at most.
    progress
        Is told of the counts, from time to time.

    Raises
    ------
    ConfigError
        If one is missing, or makes no sense; names it by its flag.
    MissingExtraError
        If replies are kept and the library that knows where is not installed.
    """
    from chunkwright.llm import runner_of

    with calling(_flags()):
        return runner_of(_table(settings), progress=progress)


def _table(settings: ModelSettings) -> dict[str, Any]:
    """Return settings as configuration files have them."""
    table: dict[str, Any] = {}
    for name in MODEL:
        value = getattr(settings, name)
        if value is None:
            continue
        group, _, member = name.partition("_")
        if group in TABLES:
            table.setdefault(TABLES[group], {})[member] = value
        elif name == OPTIONS:
            table |= {"options": dict(map(_option, value))} if value else {}
        elif name == "reply_cache":
            table |= {} if value else {"cache": False}
        elif value is not False:
            table[name] = value
    return table


def _option(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    if not (key and equals):
        raise ConfigError(OptionName("options"), f": {text!r} is not KEY=VALUE")
    try:
        return key, json.loads(value, strict=False)
    except (ValueError, RecursionError):
        return key, value


def _flags() -> dict[str, str]:
    """Return the flags of what has another name in a table of a configuration file."""
    names = {"options": OPTIONS}
    for name in MODEL:
        group, _, member = name.partition("_")
        if group in TABLES:
            names[f"{TABLES[group]}.{member}"] = name
    return {name: row.flag for name, setting in names.items() if (row := row_of(setting))}
