"""Strategy of inputs for which no setting names one."""

import glob
from collections.abc import Collection, Iterable
from pathlib import Path

from chunkwright.chunking.registry import options_of
from chunkwright.cli.settings.table import AUTO, DEFAULT_STRATEGY
from chunkwright.io.sources import ADDRESS, STDIN, TABLES
from chunkwright.readers.kinds import YAML_SUFFIXES

# Cut as texts, these would fall apart between a key and its value.
_DATA = {".json", *YAML_SUFFIXES}
_TABLES = {suffix for suffixes in TABLES.values() for suffix in suffixes}


def default_strategy(paths: Iterable[str], given: Collection[str]) -> str:
    """Return the strategy of inputs for which no setting names one.

    Parameters
    ----------
    paths
        What is named as inputs.
    given
        The settings that are given.

    Returns
    -------
    str
        ``"auto"`` for a folder, a glob and several files, of which each may be something else, and
        for a file of JSON or YAML. ``"recursive"`` for any other file, for tables, whose texts are
        as they are, and wherever an option is given that is its own.
    """
    if any(name in options_of(DEFAULT_STRATEGY) and name not in options_of(AUTO) for name in given):
        return DEFAULT_STRATEGY
    named = [path for path in paths if _suffix(path) not in _TABLES]
    if not named:
        return DEFAULT_STRATEGY
    is_alone = len(named) == 1 and not _is_many(named[0]) and _suffix(named[0]) not in _DATA
    return DEFAULT_STRATEGY if is_alone else AUTO


def _is_many(path: str) -> bool:
    if path == STDIN:
        return False
    try:
        found = Path(path)
        if ADDRESS.match(path) and not found.exists():
            # Of a place that is not asked yet: what has no suffix is taken for a folder.
            return glob.has_magic(path) or not found.suffix
        return found.is_dir() or (glob.has_magic(path) and not found.exists())
    except OSError:
        return False


def _suffix(path: str) -> str:
    name = Path(path)
    return (name.with_suffix("") if name.suffix.lower() == ".gz" else name).suffix.lower()
