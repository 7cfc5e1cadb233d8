"""Settings in one word, such as `recursive:max_tokens=512,overlap=64`, or a table's name."""

import re
from collections.abc import Mapping
from typing import Any

from chunkwright.cli.settings.file import KINDS, check_table
from chunkwright.cli.settings.kinds import NAMES, parsed
from chunkwright.cli.settings.options import unescape
from chunkwright.cli.settings.table import CUTTING
from chunkwright.errors import ConfigError, nearest

Tables = Mapping[str, Mapping[str, Any]]
KEYS = tuple(key for key in CUTTING if KINDS[key] is not list)
# A separator is named once for each; what is no list is named once.
SEPARATOR = "separator"


def settings_of(spec: str, tables: Tables) -> list[dict[str, Any]]:
    r"""Read settings as levels, the lowest first.

    Parameters
    ----------
    spec
        ``NAME``, ``NAME:KEY=VALUE,...`` or ``KEY=VALUE,...``. The name is that of a strategy or a
        table; in a value ``\,`` is a comma.
    tables
        The tables of settings in the configuration file, by name.

    Raises
    ------
    ConfigError
        If the name, a key or a value makes no sense; names it.
    """
    match = re.fullmatch(r"(?:([^:=,]*)(?::|$))?(.*)", spec, re.DOTALL)
    name, options = (match[1], match[2]) if match else (None, spec)
    levels = [] if name is None else [_named(name, tables)]
    return [*levels, _options(options, spec)] if options else levels


def _named(name: str, tables: Tables) -> dict[str, Any]:
    from chunkwright.chunking import ALL_STRATEGIES
    from chunkwright.chunking.registry import unknown_strategy

    if name in tables:
        table = dict(tables[name])
        check_table(f"table {name!r}", table, CUTTING)
        return table
    if name in ALL_STRATEGIES:
        return {"strategy": name}
    hint = unknown_strategy(name, [*ALL_STRATEGIES, *tables])
    raise ConfigError(f"{name!r} is neither a strategy nor a table of settings; {hint}")


def _options(text: str, spec: str) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for part in re.split(r"(?<!\\),", text):
        key, equals, value = part.partition("=")
        if not equals:
            raise ConfigError(f"{spec!r}: {part!r} is not KEY=VALUE")
        value = value.replace(r"\,", ",")
        if key == SEPARATOR:
            options.setdefault("separators", []).append(unescape(value))
        else:
            options[key] = _value(key, value, spec)
    return options


def _value(key: str, value: str, spec: str) -> Any:
    if key not in KEYS:
        raise ConfigError(f"{spec!r}: unknown key {key!r}; {nearest(key, [*KEYS, SEPARATOR])}")
    try:
        return parsed(KINDS[key], value)
    except ValueError:
        raise ConfigError(f"{spec!r}: {key} must be {NAMES[KINDS[key]]}, got {value!r}") from None
