"""Strategies of the registry with small limits, each with models that need no network."""

from __future__ import annotations

from typing import Any

import chunkwright as cw
from chunkwright.chunking.registry import ALL_STRATEGIES, options_of
from chunkwright.llm import as_language_model
from tests.store.importing.edited_texts import Form
from tests.support import scripted_models

# Strategies with the forms of documents that they cut.
CASES: list[tuple[str, Form]] = [
    *((name, "text") for name in ALL_STRATEGIES if "text" in ALL_STRATEGIES[name].takes),
    *((name, "markdown") for name in ALL_STRATEGIES if name != "json"),
]


# A model without a name has no fingerprint: what it cut is not known again.
MODEL = as_language_model(scripted_models.by_words, name="scripted")


def strategy(name: str, **options: Any) -> Any:
    """Return a strategy of the registry, with a model where it needs one."""
    if "embedder" in options_of(name):
        options.setdefault("embedder", "lexical")
    if "llm" in options_of(name):
        options.setdefault("llm", MODEL)
    return cw.strategy(name, **options)
