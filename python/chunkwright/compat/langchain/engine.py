"""Splitters' way to the engine: sizes, merging, cuts at separators, and windows of tokens."""

from __future__ import annotations

import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeVar

from chunkwright import _core
from chunkwright._core import LangChainLengths, LangChainPlan, langchain_windows

from .lengths import Tokens, bpe
from .separators import Keep, glue_of, keep_of, plan_of

Merge = Callable[[list[str], Any], list[str]]


@dataclass(frozen=True)
class StringSplitter:
    """Splits strings.

    Parameters
    ----------
    is_regex
        Whether separators are patterns.
    keep
        To which piece a separator belongs.
    is_small
        Whether a piece is under the limit.
    merge
        Merges pieces with some glue.
    """

    is_regex: bool
    keep: Keep
    is_small: Callable[[str], bool]
    merge: Merge

    def pattern(self, separator: Any) -> Any:
        """Return the regular expression of a separator."""
        return separator if self.is_regex else re.escape(separator)

    def split(self, text: str, separator: Any) -> list[str]:
        """Split ``text`` at every match of one separator."""
        pattern = self.pattern(separator)
        if not pattern:
            parts = list(text)
        elif self.keep == "drop":
            parts = re.split(pattern, text)
        else:
            parts = self._pair(re.split(f"({pattern})", text))
        return [part for part in parts if part]

    def _pair(self, parts: list[str]) -> list[str]:
        """Join what stands at even places with what stands at odd ones, as if that were matches."""
        n_parts = len(parts)
        if self.keep == "start":
            return [parts[0], *(parts[i] + parts[i + 1] for i in range(1, n_parts, 2))]
        pairs = [parts[i] + parts[i + 1] for i in range(0, n_parts - 1, 2)]
        # With an even number the last part is already in a pair, and comes twice more.
        return pairs + parts[-1:] * (2 if n_parts % 2 == 0 else 1)

    def recurse(self, text: str, separators: Sequence[Any]) -> list[str]:
        """Split ``text`` at the first separator it contains, and large pieces at later ones."""
        separator, later = self._choose(text, separators)
        glue = "" if self.keep != "drop" else separator
        chunks: list[str] = []
        small: list[str] = []
        for piece in self.split(text, separator):
            if self.is_small(piece):
                small.append(piece)
                continue
            chunks += self.merge(small, glue) if small else []
            chunks += self.recurse(piece, later) if later else [piece]
            small = []
        return chunks + (self.merge(small, glue) if small else [])

    def _choose(self, text: str, separators: Sequence[Any]) -> tuple[Any, Sequence[Any]]:
        for i, separator in enumerate(separators):
            pattern = self.pattern(separator)
            if not separator:
                return separator, ()
            if re.search(pattern, text):
                return separator, separators[i + 1 :]
        return separators[-1], ()


class Engine(ABC):
    """Merger of pieces, as LangChain's, under the names by which its subclasses call it.

    The attributes are LangChain's; a subclass sets them.
    """

    _chunk_size: int
    _chunk_overlap: int
    _length_function: Callable[[str], int]
    _keep_separator: bool | Literal["start", "end"]
    _strip_whitespace: bool

    @abstractmethod
    def _warn(self, total: float) -> None:
        """Say that a chunk came out so large, and over the limit."""

    def _overrides(self, base: type, *names: str) -> bool:
        """Return whether a subclass has methods of its own in place of those of ``base``."""
        return any(getattr(type(self), name) is not vars(base)[name] for name in names)

    def _merge_splits(self, splits: Iterable[str], separator: str) -> list[str]:
        """Merge pieces into chunks, as subclasses of LangChain's splitters call it."""
        pieces = list(splits)
        plan = LangChainPlan([("", separator)], "drop", recursive=False)
        return plan.merge("".join(pieces), list(map(len, pieces)), self._lengths(None))

    def _join_docs(self, docs: list[str], separator: str) -> str | None:
        """Join pieces to a chunk, unless nothing is left of them."""
        text = separator.join(docs)
        return (text.strip() if self._strip_whitespace else text) or None

    def _lengths(self, unit: _core.Tokenizer | Literal[True] | None) -> LangChainLengths:
        """Sizes as they are now, in the unit that `_unit` gave."""
        return LangChainLengths(
            self._chunk_size,
            self._chunk_overlap,
            bool(self._strip_whitespace),
            unit,
            self._length_function,
            self._warn,
        )

    def _unit(self, text: str, separators: Sequence[str]) -> _core.Tokenizer | Literal[True] | None:
        """Return how the engine measures ``text``: code points are True, None is by function."""
        if self._length_function is len:
            return True
        function = self._tokens_counted()
        if function is None:
            return None
        glue = () if keep_of(self._keep_separator) != "drop" else separators
        if any(function.built_in_for(separator) is None for separator in glue):
            return None
        name = function.built_in_for(text)
        return None if name is None else bpe(name)

    def _tokens_counted(self) -> Tokens | None:
        """Return the tokens that the length function counts, if it does."""
        function = self._length_function
        return function if isinstance(function, Tokens) else None


class SeparatorEngine(Engine):
    """Splitter at separators, as LangChain's."""

    _is_separator_regex: bool

    def _cut(
        self, text: str, separators: Sequence[str], *, recursive: bool, starts: bool = False
    ) -> tuple[list[str], list[int] | None]:
        """Return the chunks and, if asked for and known, where they begin."""
        plan = self._plan(separators, recursive=recursive) if isinstance(text, str) else None
        if plan is None:
            return self._cut_strings(text, separators, recursive=recursive), None
        return plan.split(text, self._lengths(self._unit(text, separators)), starts)

    def _plan(self, separators: Sequence[str], *, recursive: bool) -> LangChainPlan | None:
        # The last one is looked at first, so that what is no sequence fails as in LangChain.
        if not (isinstance(separators[-1], str) and all(isinstance(s, str) for s in separators)):
            return None
        if self._overrides(Engine, "_merge_splits"):
            return None
        keep, is_regex = keep_of(self._keep_separator), bool(self._is_separator_regex)
        return plan_of(tuple(separators), is_regex=is_regex, keep=keep, recursive=recursive)

    def _cut_strings(self, text: str, separators: Sequence[str], *, recursive: bool) -> list[str]:
        """Split where pieces are no slices of the text, and what is no text."""
        keep, is_regex = keep_of(self._keep_separator), bool(self._is_separator_regex)
        splitter = StringSplitter(
            is_regex=is_regex,
            keep=keep,
            is_small=lambda piece: self._length_function(piece) < self._chunk_size,
            merge=self._merge_splits,
        )
        if recursive:
            return splitter.recurse(text, separators)
        pieces = splitter.split(text, separators[0])
        glue = glue_of(separators[0], is_regex=is_regex, keep=keep, recursive=False)
        return self._merge_splits(pieces, glue)


def as_printed(total: float) -> float:
    """Return a size as peers' warnings have it: counts are ints."""
    return int(total) if total.is_integer() else total


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
