"""Separators made ready: literals for the engine, regular expressions for Python's `re`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Literal

from chunkwright._core import LangChainPlan

Keep = Literal["drop", "start", "end"]

# A pattern that begins so matches an empty place: LangChain does not put it between pieces again.
_LOOKAROUNDS = ("(?=", "(?<!", "(?<=", "(?!")

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a"}

# One character of a pattern that stands for itself: a brace is literal unless it counts.
_LITERAL = re.compile(
    r"\\([^0-9A-Za-z]|[ntrfva])|(\{(?!\d*,\d*\}|\d+\})|[^.^$*+?{\[\\|()])", re.DOTALL
)


def keep_of(keep_separator: object) -> Keep:
    """Read LangChain's ``keep_separator``: every truth but ``"end"`` means start."""
    if not keep_separator:
        return "drop"
    return "end" if keep_separator == "end" else "start"


def literal_of(pattern: str) -> str | None:
    """Return the one text that ``pattern`` matches, if it has no metacharacters."""
    matches = list(_LITERAL.finditer(pattern))
    if "".join(match[0] for match in matches) != pattern:
        return None
    return "".join(_ESCAPES.get(match[1], match[1]) or match[2] for match in matches)


@dataclass(frozen=True)
class Pattern:
    """A regular expression that is a separator.

    Parameters
    ----------
    source
        As Python's `re` takes it.
    keep
        To which piece a match belongs.
    """

    source: str
    keep: Keep

    @cached_property
    def _search(self) -> re.Pattern[str]:
        return re.compile(self.source)

    @cached_property
    def _split(self) -> re.Pattern[str]:
        # The group round it numbers others anew and forbids global flags: LangChain's own.
        return self._search if self.keep == "drop" else re.compile(f"({self.source})")

    def found(self, text: str) -> bool:
        """Return whether it matches anywhere."""
        return self._search.search(text) is not None

    def parts(self, text: str) -> list[tuple[int, int]]:
        """Return what it splits ``text`` into, as ranges of code points; none is empty."""
        if self.keep == "drop":
            ranges = self._between(text)
        else:
            side = 1 if self.keep == "end" else 0
            cuts = [match.span()[side] for match in self._split.finditer(text)]
            ranges = list(pairwise([0, *cuts, len(text)]))
        return [(start, end) for start, end in ranges if start < end]

    def _between(self, text: str) -> list[tuple[int, int]]:
        """Ranges between matches; those of capture groups stand in between, as in `re.split`."""
        pattern, ranges, last = self._split, [], 0
        for match in pattern.finditer(text):
            ranges.append((last, match.start()))
            ranges += (match.span(group) for group in range(1, pattern.groups + 1))
            last = match.end()
        return [*ranges, (last, len(text))]

    def pairs_oddly(self) -> bool:
        """Return whether pieces are no slices, since groups are taken for separators."""
        if self.keep == "drop":
            return False
        try:
            return self._split.groups > 1
        except (re.error, OverflowError, RecursionError):
            return False


@lru_cache(maxsize=128)
def plan_of(
    separators: tuple[str, ...],
    *,
    is_regex: bool,
    keep: Keep,
    recursive: bool,
) -> LangChainPlan | None:
    """Make a plan for the engine.

    Parameters
    ----------
    separators
        Strongest first.
    is_regex
        Whether they are patterns.
    keep
        To which piece a separator belongs.
    recursive
        Whether large pieces are split at further separators.

    Returns
    -------
    LangChainPlan | None
        None if strings have to be split one by one: pieces would be no slices of the text.
    """
    if not all(isinstance(separator, str) for separator in separators):
        return None
    marks = [_mark(separator, is_regex=is_regex, keep=keep) for separator in separators]
    if any(isinstance(mark, Pattern) and mark.pairs_oddly() for mark in marks):
        return None
    glues = [glue_of(s, is_regex=is_regex, keep=keep, recursive=recursive) for s in separators]
    return LangChainPlan(list(zip(marks, glues, strict=True)), keep, recursive=recursive)


def glue_of(separator: str, *, is_regex: bool, keep: Keep, recursive: bool) -> str:
    """Return what joins pieces: the separator as it was given, unless the pieces hold it."""
    lookaround = is_regex and not recursive and separator.startswith(_LOOKAROUNDS)
    return "" if keep != "drop" or lookaround else separator


def _mark(separator: str, *, is_regex: bool, keep: Keep) -> str | Pattern:
    literal = literal_of(separator) if is_regex else separator
    # Lone surrogates, and U+FFFD that stands for them in the engine, are left to Python.
    if literal is not None and "\ufffd" not in literal and not _SURROGATE.search(literal):
        return str(literal)
    return Pattern(str(separator) if is_regex else re.escape(separator), keep)


_SURROGATE = re.compile("[\ud800-\udfff]")
