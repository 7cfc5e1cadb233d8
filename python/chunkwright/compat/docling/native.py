"""Parts of Docling's chunkers without docling-core: JSON, counts of known tokenizers, warnings."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from chunkwright import _core
from chunkwright.errors import ReadError, TokenizerError
from chunkwright.tokens.backends import Native
from chunkwright.tokens.shipped import SHIPPED, longest_token
from chunkwright.tokens.sources import BUILT_IN, backend_of, is_of
from chunkwright.tokens.tokenizer import Tokenizer, TokenizerLike

DoclingJson = str | bytes | dict[str, Any]
"""A DoclingDocument as JSON: its text, its bytes in UTF-8, or the dict that it stands for."""


def text_of(source: DoclingJson) -> str | bytes:
    """Return JSON as text or bytes.

    Raises
    ------
    ReadError
        If a dict holds what JSON cannot.
    """
    if not isinstance(source, dict):
        return source
    try:
        return json.dumps(source, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ReadError(f"this dict is no DoclingDocument: {error}") from error


def read_json(source: str | bytes) -> _core.DoclingDocument:
    """Return the document that JSON holds, checked and repaired as docling-core does it.

    Raises
    ------
    ReadError
        If it holds none; names the item that is wrong.
    """
    return _core.DoclingDocument.of_json(source)


@dataclass(frozen=True, slots=True)
class Counting:
    """Counter of a chunker.

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
        """Return whether it counts all of ``texts`` without an error."""
        return not self.refused or not any(
            token in text for text in texts if "<" in text for token in self.refused
        )


# By the object that tokenizes: what counts, and how many tokens it had then.
_known: WeakKeyDictionary[Any, tuple[int, Counting]] = WeakKeyDictionary()


def counting_of_source(source: TokenizerLike) -> Counting:
    """Return what counts as a tokenizer does that is given by its name, as a file or an object.

    Parameters
    ----------
    source
        What :class:`chunkwright.Tokenizer` takes.

    Raises
    ------
    ConfigError
        If it is a name that is unknown.
    TokenizerError
        If it is no tokenizer, or cannot be read.
    """
    source = source.source if isinstance(source, Tokenizer) else source
    if isinstance(source, str) and source in BUILT_IN:
        core = _core.Tokenizer.named(BUILT_IN[source])
        return Counting(core.unit(), is_native=True, max_token_chars=core.max_token_bytes)
    if isinstance(source, str) and source in SHIPPED:
        unit = backend_of(source).unit
        return Counting(unit, is_native=True, max_token_chars=longest_token())
    if isinstance(source, (str, PathLike)):
        counting = of_file(source)
    elif is_of(source, "tiktoken", "Encoding"):
        counting = of_tiktoken(source)
    else:
        counting = of_hugging_face_object(source)
    return counting or Counting(backend_of(source).unit)


def of_tiktoken(encoding: Any) -> Counting | None:
    """Return what counts as an encoding of tiktoken's, if it is known."""
    return _remembered(encoding, encoding.n_vocab, _of_tiktoken)


def _remembered(given: Any, size: int, make: Any) -> Counting | None:
    remembered = _known.get(given)
    if remembered is None or remembered[0] != size:
        counting = make(given)
        if counting is None:
            return None
        _known[given] = remembered = (size, counting)
    return remembered[1]


def of_hugging_face_object(given: Any) -> Counting | None:
    """Return what counts as a tokenizer of transformers or tokenizers, if it is known."""
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


def of_file(given: str | PathLike[str]) -> Counting | None:
    """Return what counts as a ``tokenizer.json``, or that of a folder, if it is known."""
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


_LONG_PREFIX = (
    "Chunks prefix is too long ({size} tokens) for chunk size {max}. "
    "It will be split into multiple chunks and only included in the first chunk(s). "
    "Consider increasing max_tokens to accommodate the full prefix in each chunk."
)
_PREFIX_OMITTED = (
    "Prefix omitted for at least one line due to omit_prefix_on_overflow=True. "
    "Line would overflow with prefix ({size} tokens) but fits without it "
    "within max_tokens ({max}). This may result in inconsistent chunk formatting."
)
_HEADINGS_DROPPED = (
    "Headers and captions for this chunk are longer than the total "
    "available size for the chunk, so they will be ignored: "
    "doc_chunk.text={chunk.text!r}, doc_chunk.meta={chunk.meta!r}"
)


def warn(
    given: Iterable[tuple[Any, ...]], made: Callable[[tuple[Any, ...]], Any] | None = None
) -> None:
    """Warn of what the core names.

    Parameters
    ----------
    given
        Names of warnings with what they are about.
    made
        Makes the chunk that a warning is about, with a ``text`` and a ``meta``.
    """
    for name, *about in given:
        if name == "headings_dropped" and made is not None:
            message = _HEADINGS_DROPPED.format(chunk=made(about[0]))
        else:
            words = _LONG_PREFIX if name == "long_prefix" else _PREFIX_OMITTED
            message = words.format(size=about[0], max=about[1])
        warnings.warn(message, UserWarning, stacklevel=4)
