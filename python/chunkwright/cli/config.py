"""The configuration file: `chunkwright.toml`, or `[tool.chunkwright]` in `pyproject.toml`."""

import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

from chunkwright.cli.settings import Settings
from chunkwright.errors import ConfigError, nearest

KINDS = {field.name: field.metadata["kind"] for field in fields(Settings)}
KIND_NAMES = {
    int: "an integer",
    str: "a string",
    bool: "true or false",
    list: "a list of strings",
}


def read_config(path: Path | None) -> dict[str, Any]:
    """Read the settings of a configuration file.

    Parameters
    ----------
    path
        The file; None for `chunkwright.toml` or `pyproject.toml` in the current folder, if there.

    Raises
    ------
    ConfigError
        If the file cannot be read, or holds a key or value that makes no sense; names it.
    """
    if path is not None:
        return _checked(path, _table(path))
    own, project = Path("chunkwright.toml"), Path("pyproject.toml")
    if own.is_file():
        return _checked(own, _table(own))
    return _checked(project, _table(project)) if project.is_file() else {}


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


def _checked(path: Path, table: dict[str, Any]) -> dict[str, Any]:
    for key, value in table.items():
        if key not in KINDS:
            raise ConfigError(f"{path}: unknown key {key!r}; {nearest(key, sorted(KINDS))}")
        if not _is(KINDS[key], value):
            raise ConfigError(f"{path}: {key} must be {KIND_NAMES[KINDS[key]]}, got {value!r}")
    return table


def _is(kind: type, value: object) -> bool:
    if kind is list:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    # In Python, but not in TOML, true is an integer.
    return type(value) is kind
