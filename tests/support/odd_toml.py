"""TOML as nobody would write it: values of any kind under keys that are known, and any depth."""

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time
from typing import Any

from hypothesis import strategies as st

DEEP = {
    "arrays": "x = " + "[" * 5000 + "]" * 5000,
    "tables": "x = " + "{a = " * 5000 + "1" + "}" * 5000,
    "keys": ".".join(["x"] * 1500) + " = 1",
    "header": "[" + ".".join(["x"] * 1500) + "]",
    "open": "x = " + "[" * 100_000,
}
"""Texts that nest too deeply, by how they do."""

STRINGS = ["", "\0", "none", "lexical", "recursive", "semantic", "5", ".", "/", "\ue000", "x" * 300]
SCALARS = [
    *(0, 1, -1, 2**31, 2**63, 2**64, 10**30, True, False, 0.0, -0.5, 1e308, float("nan")),
    *(float("inf"), date(1979, 5, 27), time(7, 32), datetime(1979, 5, 27, tzinfo=UTC)),
]


def odd_values() -> st.SearchStrategy[Any]:
    """Return a strategy for values of TOML."""
    scalars = st.sampled_from([*SCALARS, *STRINGS])
    keys = st.sampled_from(["a", "strategy", "max_tokens", "name", "object", "embedder"])
    return st.recursive(
        scalars,
        lambda inside: st.lists(inside, max_size=3) | st.dictionaries(keys, inside, max_size=3),
        max_leaves=4,
    )


def odd_tables(keys: Iterable[str]) -> st.SearchStrategy[dict[str, Any]]:
    """Return a strategy for tables with some of those keys."""
    return st.dictionaries(st.sampled_from(sorted(keys)), odd_values(), max_size=3)


def written(table: Mapping[str, Any]) -> str:
    """Write a table as TOML."""
    return "".join(f"{json.dumps(key)} = {_value(value)}\n" for key, value in table.items())


def _value(value: Any) -> str:
    if isinstance(value, dict):
        inside = (f"{json.dumps(key)} = {_value(item)}" for key, item in value.items())
        return f"{{{', '.join(inside)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, float):
        return repr(value)
    return json.dumps(value)
