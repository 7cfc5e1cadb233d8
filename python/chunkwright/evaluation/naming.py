"""Names and fingerprints of chunkers."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from chunkwright import __version__, _core
from chunkwright._sources import PLAIN_UNITS
from chunkwright.chunking.options import Limited
from chunkwright.contextual import Contextual
from chunkwright.embed import as_embedder
from chunkwright.evaluation.rows import shown
from chunkwright.llm.runner import as_runner
from chunkwright.tokenizer import TokenizerLike, as_tokenizer

# Of a chunker that describes itself at length, so much is kept.
_SHOWN = 400
_BUILT_IN = (*_core.Tokenizer.names(), *PLAIN_UNITS)


def chunker_name(chunker: object) -> str:
    """Return a short name: a strategy with the options that were given, else what it is."""
    if isinstance(chunker, Limited):
        return f"{type(chunker).__name__}({', '.join(_given(chunker))})"
    if isinstance(chunker, Contextual):
        strategy = chunker.strategy
        cuts = strategy if isinstance(strategy, str) else chunker_name(strategy)
        return f"Contextual({', '.join([cuts, *_given(chunker)])})"
    named: str = getattr(chunker, "__qualname__", type(chunker).__name__)
    return named


def _given(chunker: Limited | Contextual) -> list[str]:
    """Return the options that were given, but for the strategy of contextual chunks."""
    return [
        f"{field.name}={_shown(field.name, value)}"
        for field in fields(chunker)
        if field.init and field.name != "strategy"
        if (value := getattr(chunker, field.name)) != field.default
    ]


def _shown(name: str, value: Any) -> str:
    """Return the value of an option, and of what a model is only its name."""
    if name == "llm":
        return as_runner(value).fingerprint or "a model without a name"
    return shown(value)


def chunker_text(chunker: object) -> str:
    """Return what a chunker says of itself, without the address of an object."""
    if isinstance(chunker, Limited | Contextual) or type(chunker).__repr__ is object.__repr__:
        return chunker_name(chunker)
    said = repr(chunker)
    if " at 0x" in said:
        return f"{getattr(chunker, '__module__', '')}.{chunker_name(chunker)}".lstrip(".")
    return said if len(said) <= _SHOWN else f"{said[:_SHOWN]}..."


def fingerprint_of(chunker: object) -> str | None:
    """Return a text that is the same only for chunkers that cut alike; None if there is none.

    It is what an attribute ``fingerprint`` says; or a strategy's name and options, with the version
    of chunkwright, if its tokenizer is a built-in one and its models have fingerprints.
    """
    own = getattr(chunker, "fingerprint", None)
    if isinstance(own, str) and own:
        return own
    if not isinstance(chunker, Limited | Contextual):
        return None
    try:
        return f"chunkwright {__version__}: {_described(chunker)!r}"
    except UnknownError:
        return None


class UnknownError(Exception):
    """What an option depends on is not known."""


def _described(value: Any) -> object:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return [_described(item) for item in value]
    if is_dataclass(value) and type(value).__module__.startswith("chunkwright."):
        options = {f.name: _option(f.name, getattr(value, f.name)) for f in fields(value) if f.init}
        return [type(value).__qualname__, options]
    raise UnknownError(shown(value))


def _option(name: str, value: Any) -> object:
    if name == "tokenizer":
        return described_tokenizer(value)
    if name == "embedder" and value is not None:
        fingerprint = as_embedder(value).fingerprint
        if not fingerprint:
            raise UnknownError(shown(value))
        return fingerprint
    if name == "llm" and value is not None:
        return as_runner(value).fingerprint or _unknown(value)
    return _described(value)


def _unknown(value: object) -> object:
    raise UnknownError(shown(value))


def described_tokenizer(value: TokenizerLike) -> list[object]:
    """Return what names a built-in tokenizer and its options.

    Raises
    ------
    UnknownError
        If it is none.
    """
    tokenizer = as_tokenizer(value)
    if tokenizer.source not in _BUILT_IN:
        raise UnknownError(shown(value))
    return [tokenizer.name, tokenizer.special_tokens]
