"""Levels of settings put together, and the strategy of inputs for which none names one."""

import glob
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from chunkwright.chunking.registry import ALL_STRATEGIES, options_of
from chunkwright.cli.settings.table import AUTO, DEFAULT_STRATEGY, FIELDS, LIMITS, row_of
from chunkwright.io.sources import ADDRESS, STDIN, TABLES
from chunkwright.readers.kinds import YAML_SUFFIXES

# Several strategies have it, and in each it is something else.
AMBIGUOUS = {"window"}
# What each replaces in a lower level.
ALTERNATIVES = {
    "overlap": {"window"},
    "window": {"overlap"},
    "threshold": {"amount", "n_chunks"},
    "amount": {"n_chunks"},
    "n_chunks": {"threshold", "amount"},
}
PRICES = {"price_input", "price_output", "price_cached", "price_written"}
# What belongs to a lower level's model, and not to another one.
OF_MODEL = {
    "provider": {"model", "base_url", "api_key_env", "request_options", *PRICES},
    "base_url": {"api_key_env", *PRICES},
    "model": PRICES,
}
# Cut as texts, these would fall apart between a key and its value.
_DATA = {".json", *YAML_SUFFIXES}
_TABLES = {suffix for suffixes in TABLES.values() for suffix in suffixes}


def merge(levels: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Put levels together, the lowest first: a higher one replaces what a lower one says."""
    levels = list(levels)
    named = [level["strategy"] for level in levels if "strategy" in level]
    # Only where a window shows neighbouring sentences does it take the place of an overlap.
    both = {"overlap", "window"} if named and named[-1] != "sentence" else set()
    merged: dict[str, Any] = {}
    for level in levels:
        for name in _replaced(level, merged, both):
            merged.pop(name, None)
        merged |= level
    return merged


def _replaced(level: dict[str, Any], lower: dict[str, Any], both: set[str]) -> set[str]:
    """Names that `level` replaces without naming them: those that make no sense beside it."""
    replaced: set[str] = set()
    limits = LIMITS & level.keys()
    if limits and limits != LIMITS & lower.keys():
        # A size is in the limit's unit: 64 tokens must not become 64 characters.
        replaced |= LIMITS
        replaced |= {name for name in lower if LIMITS & lower.keys() and _is_size(name)}
    for name in ALTERNATIVES.keys() & level.keys() - both:
        replaced |= ALTERNATIVES[name]
    for name in OF_MODEL.keys() & level.keys():
        replaced |= OF_MODEL[name]
    if "strategy" in level:
        replaced |= _replaced_by(level["strategy"], lower)
    return replaced


def _replaced_by(strategy: str, lower: dict[str, Any]) -> set[str]:
    """Names that a strategy replaces, that of the lower levels being another, or not."""
    if strategy not in ALL_STRATEGIES:
        return set()
    replaced = lower.keys() - FIELDS.keys() - {*options_of(strategy)}
    before = lower.get("strategy", DEFAULT_STRATEGY)
    if strategy != before and before in ALL_STRATEGIES:
        replaced |= AMBIGUOUS & {*options_of(before)}
    return replaced


def _is_size(name: str) -> bool:
    row = row_of(name)
    return row is not None and row.is_size


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
