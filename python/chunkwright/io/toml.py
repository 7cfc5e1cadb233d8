"""Configuration files in TOML, as tables."""

import tomllib
from pathlib import Path
from typing import Any

from chunkwright.errors import ConfigError

MAX_DEPTH = 32
"""Tables and arrays inside one another, at most."""


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
