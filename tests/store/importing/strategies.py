"""Strategies of the registry with small limits, each with models that need no network."""

from __future__ import annotations

from typing import Any

import chunkwright as cw
from chunkwright.chunking.registry import ALL_STRATEGIES, options_of
from tests import laws
from tests.store.importing.edited_texts import Form

# Strategies with the forms of documents that they cut.
CASES: list[tuple[str, Form]] = [
    *((name, "text") for name in ALL_STRATEGIES if "text" in ALL_STRATEGIES[name].takes),
    *((name, "markdown") for name in ALL_STRATEGIES if name != "json"),
]


def strategy(name: str, **options: Any) -> Any:
    """Return a strategy of the registry, with a model where it needs one."""
    if "embedder" in options_of(name):
        options.setdefault("embedder", "lexical")
    return cw.strategy(name, **options, **laws.needed(name))
