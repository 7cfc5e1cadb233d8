"""The configuration file: `chunkwright.toml`, or `[tool.chunkwright]` in `pyproject.toml`."""

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from chunkwright.cli.settings.model import TRUSTED
from chunkwright.cli.settings.table import kinds_in_tables, row_of, rows
from chunkwright.errors import ConfigError
from chunkwright.io.toml import Kind, check_table, read_table

# How like a command a table's name is that is taken for it.
_NEAR = 0.8
PROJECT, OWN = "pyproject.toml", ("tool", "chunkwright")
SERVICE = "serve"
"""The table of the settings of a service."""


def read_config(
    path: Path | None, commands: Collection[str] = ()
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Read the settings of a configuration file, and its tables of other settings by name.

    Parameters
    ----------
    path
        The file; None for `chunkwright.toml` or `pyproject.toml` in the current folder, if there.
    commands
        The names of commands, which no table may have; none: tables are checked by whoever names
        one.

    Raises
    ------
    ConfigError
        If the file cannot be read, or holds a key or value that makes no sense; names it.
    """
    found, table = _found(path)
    if SERVICE in table:
        _check_service(str(found), table.pop(SERVICE))
    named = {key: value for key, value in table.items() if _is_named_table(key, value)}
    own = {key: value for key, value in table.items() if key not in named}
    if path is None and (key := next((key for key in TRUSTED if key in own), None)):
        # A folder may be another person's: its file must not say where keys and texts go.
        raise ConfigError(f"{found}: {key} is used only if --config names the file")
    if own:
        check_table(str(found), own, {row.name: row.kinds_in_files for row in rows()})
    if commands:
        _check_named(str(found), named, commands)
    return own, named


def service_table(path: Path | None) -> dict[str, Any]:
    """Read the settings of a service: the table `[serve]` of a configuration file.

    Raises
    ------
    ConfigError
        If the file cannot be read, or the table has a key or value that makes no sense; if the file
        is that of the current folder, and has such a table.
    """
    found, table = _found(path)
    service = table.get(SERVICE, {})
    _check_service(str(found), service)
    if path is None and service:
        # It says who may ask for which files: as `TRUSTED`, nothing for another person's file.
        raise ConfigError(f"{found}: [{SERVICE}] is used only if --config names the file")
    return dict(service)


def _check_service(place: str, table: object) -> None:
    from chunkwright.server.settings import SETTINGS

    check_table(place, {SERVICE: table}, {SERVICE: (dict,)})
    kinds: dict[str, tuple[Kind, ...]] = {
        one.name: (int, str) if one.is_size else (list[str],) if one.kind is tuple else (one.kind,)
        for one in SETTINGS
        if not one.is_secret
    }
    check_table(f"{place}: table {SERVICE!r}", table, kinds)  # type: ignore[arg-type]


def _check_named(
    place: str, tables: Mapping[str, Mapping[str, Any]], commands: Collection[str]
) -> None:
    """Check tables that no command takes: who writes one for all commands has to be told.

    Raises
    ------
    ConfigError
        If one is called as a command, or nearly so, or has an unknown key or value.
    """
    for name, table in tables.items():
        if near := get_close_matches(name, commands, 1, _NEAR):
            raise ConfigError(
                f"{place}: unknown table [{name}]: {near[0]} takes its settings from outside of"
                " tables, as all commands do; a table is other settings for compare, under a name"
                " of its own"
            )
        check_table(f"{place}: table {name!r}", table, kinds_in_tables())


def used_config(path: Path | None) -> Path | None:
    """Return the configuration file that is used, or that would be if nothing were wrong with it.

    A `pyproject.toml` of the current folder that says nothing of chunkwright is not.
    """
    if path is not None or (found := _in_folder()) is None:
        return path
    try:
        return found if found.name != PROJECT or _table(found) else None
    except ConfigError:
        return found


def _found(path: Path | None) -> tuple[Path | None, dict[str, Any]]:
    """Return the file that is used, if there is one, and what is in it."""
    found = _in_folder() if path is None else path
    return found, {} if found is None else _table(found)


def _in_folder() -> Path | None:
    own, project = Path("chunkwright.toml"), Path(PROJECT)
    return own if own.is_file() else project if project.is_file() else None


def _is_named_table(key: str, value: object) -> bool:
    return isinstance(value, dict) and row_of(key) is None


def _table(path: Path) -> dict[str, Any]:
    table = read_table(path)
    if path.name != PROJECT:
        return table
    for key in OWN:
        table = table.get(key, {})
        if not isinstance(table, dict):
            raise ConfigError(f"{path}: {key} must be a table, got {table!r}")
    return table
