"""Settings in one word, such as `recursive:max_tokens=512,overlap=64`, or a table's name."""

import re
from collections.abc import Mapping
from typing import Any

from chunkwright.chunking.peer_terms import nearest_option
from chunkwright.chunking.registry import ALL_STRATEGIES, unknown_strategy
from chunkwright.cli.settings.flags import parsed, unescape
from chunkwright.cli.settings.table import cutting, kinds_in_tables, row_of
from chunkwright.errors import ConfigError
from chunkwright.io.toml import called, check_table

Tables = Mapping[str, Mapping[str, Any]]
# One of a list is named once for each.
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
    if name in tables:
        table = dict(tables[name])
        check_table(f"table {name!r}", table, kinds_in_tables())
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
        if key == SEPARATOR and isinstance(own := options.setdefault("separators", []), list):
            own.append(unescape(value))
        else:
            options[key] = _value(key, value, spec)
    return options


def _value(key: str, value: str, spec: str) -> Any:
    row = row_of(key) if key in cutting() else None
    if row is None:
        hint = "".join(nearest_option(key, [*cutting(), SEPARATOR]))
        raise ConfigError(f"{spec!r}: unknown key {key!r}; {hint}")
    if row.kinds[0] == list[str]:
        return [unescape(value)]
    try:
        return parsed(row.kinds[0], value)
    except ValueError:
        kinds = called(row.kinds[:1])
        raise ConfigError(f"{spec!r}: {key} must be {kinds}, got {value!r}") from None
