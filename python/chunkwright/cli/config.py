"""The configuration file: `chunkwright.toml`, or `[tool.chunkwright]` in `pyproject.toml`."""

import tomllib
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any

from chunkwright.cli.kinds import NAMES, is_of
from chunkwright.cli.settings import Settings
from chunkwright.errors import ConfigError, nearest

KINDS = {field.name: field.metadata["kind"] for field in fields(Settings)}


def read_config(path: Path | None) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Read the settings of a configuration file, and its tables of other settings by name.

    Parameters
    ----------
    path
        The file; None for `chunkwright.toml` or `pyproject.toml` in the current folder, if there.

    Raises
    ------
    ConfigError
        If the file cannot be read, or holds a key or value that makes no sense; names it.
    """
    found = found_config() if path is None else path
    table = {} if found is None else _table(found)
    named = {key: value for key, value in table.items() if _is_named_table(key, value)}
    own = {key: value for key, value in table.items() if key not in named}
    check_table(str(found), own)
    return own, named


def found_config() -> Path | None:
    """Return the configuration file in the current folder, if there is one."""
    own, project = Path("chunkwright.toml"), Path("pyproject.toml")
    return own if own.is_file() else project if project.is_file() else None


def _is_named_table(key: str, value: object) -> bool:
    return isinstance(value, dict) and key not in KINDS


def _table(path: Path) -> dict[str, Any]:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror or error}") from error
    except ValueError as error:
        raise ConfigError(f"{path} is not TOML: {error}") from error
    if path.name != "pyproject.toml":
        return table
    tool = table.get("tool", {}).get("chunkwright", {})
    return tool if isinstance(tool, dict) else {"tool.chunkwright": tool}


def check_table(place: str, table: dict[str, Any], known: Iterable[str] = KINDS) -> None:
    """Check the keys and the kinds of the values.

    Raises
    ------
    ConfigError
        If one makes no sense; names it and the place.
    """
    for key, value in table.items():
        if key not in known:
            raise ConfigError(f"{place}: unknown key {key!r}; {nearest(key, sorted(known))}")
        if not is_of(KINDS[key], value):
            raise ConfigError(f"{place}: {key} must be {NAMES[KINDS[key]]}, got {value!r}")
