"""Splitting string by string, where pieces are no slices of the text.

A regular expression with capture groups whose matches are kept gives LangChain pieces that repeat
or mix parts of the text. They are made as LangChain makes them, slowly.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .separators import Keep

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
