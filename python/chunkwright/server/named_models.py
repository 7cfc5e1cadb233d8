"""Tokenizers and embedders by the names that requests say: never a path, never a download."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock
from typing import TYPE_CHECKING

from chunkwright.errors import nearest
from chunkwright.server.problems import Problem
from chunkwright.tokens.shipped import SHIPPED
from chunkwright.tokens.sources import BUILT_IN, HUB_NAME, NAMED, PLAIN_UNITS
from chunkwright.tokens.tokenizer import Tokenizer

if TYPE_CHECKING:
    from chunkwright.embed import Embedder


_LEXICAL = "lexical"


class NamedModels:
    """Tokenizers and embedders that requests may name; each is loaded once.

    Parameters
    ----------
    tokenizers, embedders
        Paths by the names that the service was started with.
    """

    def __init__(self, tokenizers: Mapping[str, str], embedders: Mapping[str, str]) -> None:
        self._tokenizers = tokenizers
        self._embedders = embedders
        self._loaded: dict[tuple[str, str], object] = {}
        self._lock = Lock()

    @property
    def tokenizer_names(self) -> list[str]:
        """The tokenizers that can be named."""
        return list(dict.fromkeys((*self._tokenizers, *BUILT_IN, *SHIPPED, *PLAIN_UNITS)))

    @property
    def embedder_names(self) -> list[str]:
        """The embedders that can be named."""
        return [*self._embedders, _LEXICAL]

    def tokenizer(self, name: object, *, field: str = "tokenizer") -> Tokenizer:
        """Return the tokenizer that a request names in a field.

        Raises
        ------
        Problem
            If the service has none of that name: says how it is started with it.
        """
        if isinstance(name, str) and name in self._tokenizers:
            found = self._once("tokenizer", name)
            assert isinstance(found, Tokenizer)  # noqa: S101 - made below
            return found
        if isinstance(name, str) and name in NAMED:
            return Tokenizer(name)
        raise _unknown("tokenizer", name, self.tokenizer_names, field)

    def embedder(self, name: object, *, field: str = "embedder") -> Embedder | str:
        """Return the embedder that a request names in a field, as strategies take it.

        Raises
        ------
        Problem
            If the service has none of that name: says how it is started with it.
        """
        if name == _LEXICAL and name not in self._embedders:
            return _LEXICAL
        if isinstance(name, str) and name in self._embedders:
            return self._once("embedder", name)  # type: ignore[return-value]
        raise _unknown("embedder", name, self.embedder_names, field)

    def load(self) -> None:
        """Load all that the service was started with, so that a mistake ends the start.

        Raises
        ------
        ConfigError, TokenizerError, ModelError, MissingExtraError
            If one cannot be used.
        """
        self.load_tokenizers()
        for name in self._embedders:
            self._once("embedder", name)

    def load_tokenizers(self) -> None:
        """Load the tokenizers alone, as :meth:`load`."""
        for name in self._tokenizers:
            self._once("tokenizer", name)

    def _once(self, kind: str, name: str) -> object:
        with self._lock:
            if (found := self._loaded.get((kind, name))) is None:
                found = self._loaded[kind, name] = self._made(kind, name)
            return found

    def _made(self, kind: str, name: str) -> object:
        from chunkwright.embed import as_embedder

        if kind == "tokenizer":
            return Tokenizer(self._tokenizers[name])
        return as_embedder(self._embedders[name])


def _unknown(kind: str, name: object, known: list[str], field: str) -> Problem:
    if isinstance(name, str) and HUB_NAME.fullmatch(name):
        remedy = f"nothing is downloaded; start the service with --{kind} {name}=PATH"
    else:
        remedy = f"{nearest(name, known)} (others are named by --{kind} NAME=PATH)"
    message = f"the service has no {kind} {name!r}: {remedy}"
    return Problem(422, "unknown_model", message, field=field)
