"""Windows of tokens: cut by the engine, or of ids that something else encodes."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, TypeVar

from chunkwright._core import langchain_windows

from .engine import Engine
from .lengths import Tokens, bpe

Kind = TypeVar("Kind")


class TokenEngine(Engine):
    """Cutter of windows of tokens, as LangChain's; a subclass says what they are."""

    _tokens: Tokens

    @cached_property
    def _tokenizer(self) -> Any:
        return self._tokens.tiktoken()

    def _vocabulary(self, text: str) -> str | None:
        """Name the built-in vocabulary, if the engine can cut the windows."""
        if not isinstance(text, str):
            re.search("", text)  # raises the TypeError that tiktoken would
        return self._tokens.built_in_for(text) if self._sizes_are_counts() else None

    def _sizes_are_counts(self) -> bool:
        return isinstance(self._chunk_size, int) and isinstance(self._chunk_overlap, int)

    def _windows(self, text: str, vocabulary: str) -> tuple[list[str], list[int] | None]:
        """Return the windows and, if known, where they begin."""
        size, overlap = (min(n, sys.maxsize) for n in (self._chunk_size, self._chunk_overlap))
        return langchain_windows(text, bpe(vocabulary), size, overlap)

    def _described(self, tokenizer: Callable[..., Kind]) -> Kind:
        """Say to `split_text_on_tokens` how to encode and decode, and how long windows are."""
        return tokenizer(
            chunk_overlap=self._chunk_overlap,
            tokens_per_chunk=self._chunk_size,
            decode=self._tokens.decode,
            encode=self._tokens.encode,
        )


def windows(ids: list[int], size: int, overlap: int) -> Iterator[list[int]]:
    """Cut windows until one reaches the end of ``ids``; no step forward, no end."""
    start = end = 0
    while start < len(ids) and end < len(ids):
        end = min(start + size, len(ids))
        yield ids[start:end]
        start += size - overlap
