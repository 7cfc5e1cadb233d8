"""Names of chunkers."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from chunkwright.chunking.bases.options import Limited
from chunkwright.contextual import Contextual
from chunkwright.llm.run.runner import as_runner
from chunkwright.messages.values import short_repr

# Of a chunker that describes itself at length, so much is kept.
_SHOWN = 400


def chunker_name(chunker: object) -> str:
    """Return a short name: a strategy with the options that were given, else what it is."""
    if isinstance(chunker, Limited):
        return f"{type(chunker).__name__}({', '.join(_given_options(chunker))})"
    if isinstance(chunker, Contextual):
        strategy = chunker.strategy
        cuts = strategy if isinstance(strategy, str) else chunker_name(strategy)
        return f"Contextual({', '.join([cuts, *_given_options(chunker)])})"
    named: str = getattr(chunker, "__qualname__", type(chunker).__name__)
    return named


def _given_options(chunker: Limited | Contextual) -> list[str]:
    """Return the options that were given, but for the strategy of contextual chunks."""
    return [
        f"{field.name}={_option_text(field.name, value)}"
        for field in fields(chunker)
        if field.init and field.name != "strategy"
        if (value := getattr(chunker, field.name)) != field.default
    ]


def _option_text(name: str, value: Any) -> str:
    """Return the value of an option, and of what a model is only its name."""
    if name == "llm":
        return as_runner(value).fingerprint or "a model without a name"
    return short_repr(value)


def chunker_text(chunker: object) -> str:
    """Return what a chunker says of itself, without the address of an object."""
    if isinstance(chunker, Limited | Contextual) or type(chunker).__repr__ is object.__repr__:
        return chunker_name(chunker)
    said = repr(chunker)
    if " at 0x" in said:
        return f"{getattr(chunker, '__module__', '')}.{chunker_name(chunker)}".lstrip(".")
    return said if len(said) <= _SHOWN else f"{said[:_SHOWN]}..."
