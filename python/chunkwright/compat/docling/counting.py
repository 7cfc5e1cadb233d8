"""Counts of a tokenizer of Docling's: natively where it is known, else by asking it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from chunkwright import _core
from chunkwright._backends import Native
from chunkwright._sources import backend_of, is_of
from chunkwright.errors import TokenizerError
from chunkwright.tokenizer import Tokenizer

from .peer import BaseTokenizer, OpenAITokenizer
from .tokenizers import HuggingFaceTokenizer

_HUGGING_FACE = "docling_core.transforms.chunker.tokenizer.huggingface"


@dataclass(frozen=True, slots=True)
class Counting:
    """What counts for a chunker.

    Parameters
    ----------
    unit
        What the core counts in.
    is_native
        Whether it needs no Python.
    max_token_chars
        Length of the longest token of the vocabulary, as semchunk finds it.
    refused
        Special tokens that the tokenizer raises an error for.
    """

    unit: _core.Unit
    is_native: bool = False
    max_token_chars: int | None = None
    refused: frozenset[str] = frozenset()

    def takes(self, texts: Iterable[str]) -> bool:
        """Whether it counts all of ``texts`` without an error."""
        return not self.refused or not any(
            token in text for text in texts if "<" in text for token in self.refused
        )


# By the object that tokenizes: what counts, and how many tokens it had then.
_known: WeakKeyDictionary[Any, tuple[int, Counting]] = WeakKeyDictionary()


def counting_of(tokenizer: BaseTokenizer) -> Counting:
    """Return what counts as ``tokenizer`` does."""
    return _native(tokenizer) or asking(tokenizer)


def asking(tokenizer: BaseTokenizer) -> Counting:
    """Return what asks ``tokenizer`` itself."""

    def count(text: str) -> int:
        return tokenizer.count_tokens(text=text)

    return Counting(_core.Unit.counter(count))


def _native(tokenizer: BaseTokenizer) -> Counting | None:
    kind = type(tokenizer)
    given: Any = getattr(tokenizer, "tokenizer", None)
    if kind is OpenAITokenizer:
        return _remembered(given, given.n_vocab, _of_tiktoken)
    if kind is HuggingFaceTokenizer:
        given = given.source if isinstance(given, Tokenizer) else given
        if isinstance(given, (str, PathLike)):
            return _of_file(given)
        return _of_hugging_face_object(given)
    if kind.__module__ == _HUGGING_FACE and kind.__name__ == "HuggingFaceTokenizer":
        return _of_hugging_face_object(given)
    return None


def _remembered(given: Any, size: int, make: Any) -> Counting | None:
    found = _known.get(given)
    if found is None or found[0] != size:
        counting = make(given)
        if counting is None:
            return None
        _known[given] = found = (size, counting)
    return found[1]


def _of_hugging_face_object(given: Any) -> Counting | None:
    if is_of(given, "transformers", "PreTrainedTokenizerBase"):
        if getattr(given, "split_special_tokens", False):
            return None
        return _remembered(given, len(given), _of_hugging_face)
    # An object of tokenizers is not remembered: it takes no weak references.
    return _of_hugging_face(given) if is_of(given, "tokenizers") else None


def _of_hugging_face(given: Any) -> Counting | None:
    try:
        backend = backend_of(given)
    except TokenizerError:
        return None
    if not isinstance(backend, Native):
        return None
    return Counting(
        backend.unit, is_native=True, max_token_chars=max(map(len, given.get_vocab()), default=None)
    )


def _of_tiktoken(encoding: Any) -> Counting | None:
    backend = backend_of(encoding)
    if not isinstance(backend, Native):
        return None
    longest = max(map(len, encoding.token_byte_values()), default=None)
    return Counting(
        backend.unit,
        is_native=True,
        max_token_chars=longest,
        refused=frozenset(encoding.special_tokens_set),
    )


def _of_file(given: str | PathLike[str]) -> Counting | None:
    backend = backend_of(given)
    if not isinstance(backend, Native) or (backend.core.pattern is None and given in _PLAIN):
        return None
    path = Path(given)
    file = path / "tokenizer.json" if path.is_dir() else path
    if not file.exists():
        return None
    return Counting(
        backend.unit, is_native=True, max_token_chars=_longest(file, file.stat().st_mtime_ns)
    )


_PLAIN = ("chars", "bytes")


@lru_cache(maxsize=16)
def _longest(file: Path, _mtime_ns: int) -> int | None:
    """Return the length of the longest token of a ``tokenizer.json``, added ones included."""
    described = json.loads(file.read_text("utf-8"))
    vocabulary = described["model"]["vocab"]
    tokens = [token if isinstance(token, str) else token[0] for token in vocabulary]
    tokens += [added["content"] for added in described.get("added_tokens") or ()]
    return max(map(len, tokens), default=None)
