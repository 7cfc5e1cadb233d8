"""Fingerprints of strategies: texts that are equal only where chunks are."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from chunkwright import __version__, _core
from chunkwright.embed import as_embedder
from chunkwright.llm.prompt import as_prompt
from chunkwright.llm.run.runner import as_runner
from chunkwright.tokens.sources import PLAIN_UNITS
from chunkwright.tokens.tokenizer import TokenizerLike, as_tokenizer

_BUILT_IN = (*_core.Tokenizer.names(), *PLAIN_UNITS)
# The packages of strategies: contextual ones wrap those of this package.
_OURS = ("chunkwright.chunking.", "chunkwright.contextual.")


def fingerprint_of(chunker: object) -> str | None:
    """Return a text that is the same only for chunkers that cut alike; None if there is none.

    It is what an attribute ``fingerprint`` says; or a strategy's name and options, with the version
    of chunkwright, if its tokenizer is a built-in one and its models have fingerprints.
    """
    own = getattr(chunker, "fingerprint", None)
    if isinstance(own, str) and own:
        return own
    if not type(chunker).__module__.startswith(_OURS):
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
    raise UnknownError(type(value).__name__)


def _option(name: str, value: Any) -> object:
    if name == "tokenizer":
        return described_tokenizer(value)
    if name == "embedder" and value is not None:
        fingerprint = as_embedder(value).fingerprint
        if not fingerprint:
            raise UnknownError(type(value).__name__)
        return fingerprint
    if name == "llm" and value is not None:
        return as_runner(value).fingerprint or _unknown(value)
    if name == "prompt" and value is not None:
        # Of a file what it says, not where it is.
        return as_prompt(value, "").fingerprint
    return _described(value)


def _unknown(value: object) -> object:
    raise UnknownError(type(value).__name__)


def described_tokenizer(value: TokenizerLike) -> list[object]:
    """Return what names a built-in tokenizer and its options.

    Raises
    ------
    UnknownError
        If it is none.
    """
    tokenizer = as_tokenizer(value)
    if tokenizer.source not in _BUILT_IN:
        raise UnknownError(type(value).__name__)
    return [tokenizer.name, tokenizer.special_tokens]
