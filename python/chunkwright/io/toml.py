"""Configuration files in TOML: tables of values, and the check of their keys and kinds."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import GenericAlias
from typing import Any

from chunkwright.chunking.peer_terms import nearest_option
from chunkwright.errors import ConfigError

Kind = type | GenericAlias
Known = Mapping[str, tuple[Kind, ...]]

MAX_DEPTH = 32
"""Tables and arrays inside one another, at most."""

KINDS: dict[Kind, str] = {
    int: "an integer",
    float: "a number",
    str: "a string",
    bool: "true or false",
    list: "a list",
    list[str]: "a list of strings",
    dict: "a table",
}
"""The kinds of values, and what messages call them."""


class PlacedError(ConfigError):
    """A table of a file is invalid; the message says where it is.

    Parameters
    ----------
    place
        The file, and the table in it.
    why
        What is wrong.
    option
        The name of the option that is wrong, if it is one.
    """

    def __init__(self, place: str, why: object, *, option: str | None = None) -> None:
        self.place: str = place
        super().__init__(f"{place}: {why}", option=option)


def read_table(path: Path) -> dict[str, Any]:
    """Read a file of TOML.

    Raises
    ------
    ConfigError
        If it cannot be read, is not TOML, or nests more than `MAX_DEPTH` tables and arrays; names
        it.
    """
    too_deep = f"{path} is nested too deeply: more than {MAX_DEPTH} tables and arrays in one"
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror or error}") from error
    except RecursionError as error:
        raise ConfigError(too_deep) from error
    except ValueError as error:
        raise ConfigError(f"{path} is not TOML: {error}") from error
    if _is_deep(table):
        raise ConfigError(too_deep)
    return table


def check_table(place: str, table: Mapping[str, Any], known: Known) -> None:
    """Check the keys of a table, and the kinds of its values.

    Parameters
    ----------
    place
        What the table is called in an error's message.
    table
        The table.
    known
        The kinds that the value of each key may have; none: the value is checked elsewhere.

    Raises
    ------
    PlacedError
        If a key or a kind makes no sense; names it and the place.
    """
    for key, value in table.items():
        if key not in known:
            hint = "".join(nearest_option(key, sorted(known)))
            raise PlacedError(place, f"unknown key {key!r}; {hint}")
        kinds = known[key]
        if kinds and not any(_is_of(kind, value) for kind in kinds):
            raise PlacedError(place, f"{key} must be {called(kinds)}, got {value!r}")


def called(kinds: tuple[Kind, ...]) -> str:
    """Return the name of these kinds of values, for messages."""
    return " or ".join(KINDS[kind] for kind in kinds)


def _is_of(kind: Kind, value: object) -> bool:
    if kind == list[str]:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    # In Python, but not in TOML, true is an integer.
    return type(value) is kind or (kind is float and type(value) is int)


def _is_deep(table: dict[str, Any]) -> bool:
    # Dotted keys nest without a limit, and what prints a table may recurse.
    level: list[Any] = [table]
    for _ in range(MAX_DEPTH):
        level = [inside for value in level for inside in _inside(value)]
    return any(isinstance(value, dict | list) for value in level)


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
