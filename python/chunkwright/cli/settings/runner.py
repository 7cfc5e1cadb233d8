"""The runner of a language model that settings describe."""

import json
import re
from typing import TYPE_CHECKING, Any

from chunkwright.cli.settings.flags import in_flags
from chunkwright.cli.settings.model import MODEL, ModelSettings
from chunkwright.errors import ConfigError

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

    try:
        return runner_of(_table(settings), progress=progress)
    except ConfigError as error:
        raise ConfigError(_in_flags(str(error)), option=error.option) from error


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
        raise ConfigError(f"options: {text!r} is not KEY=VALUE")
    try:
        return key, json.loads(value, strict=False)
    except (ValueError, RecursionError):
        return key, value


def _in_flags(message: str) -> str:
    for group, table in TABLES.items():
        message = re.sub(rf"^{table}\.", f"{group}_", message)
    message = re.sub("^options(?=[: ])", OPTIONS, message)
    return in_flags(message, among=MODEL)
