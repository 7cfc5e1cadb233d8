"""Budget of an answer in tokens: what fits into it, and texts that are cut to fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypedDict, TypeVar

from pydantic import BaseModel

from chunkwright.server.problems import Problem
from chunkwright.server.schemas.requests import DEFAULT_TOKENIZER
from chunkwright.tokens.tokenizer import Tokenizer, as_tokenizer

Row = TypeVar("Row", bound=BaseModel)

CUT = " [...]"
"""The end of a text that was cut."""
# Tokens of an answer beside its rows: counts, and how to get more.
_AROUND = 120
# How much of what is left a text gets: as JSON it may be longer than it is.
_SHARES = (1.0, 0.9, 0.75, 0.6, 0.45, 0.3, 0.15)
# How much of it what stands around rows gets, all of it first.
_SHARES_AROUND = (1.0, 0.85, 0.7, 0.5, 0.25)
# Tokens of a text have few code points more, unless it is blank.
_CHARS_PER_TOKEN = 8
_BORDERS = ("\n\n", "\n", " ")


class AnswerBudget:
    """Tokens that an answer may still have.

    They are counted of its JSON, which has all that its readable text has, and names beside it: so
    neither is larger than what was asked for.

    Parameters
    ----------
    max_tokens
        The tokens of the whole answer.
    """

    def __init__(self, max_tokens: int) -> None:
        self.tokenizer: Tokenizer = as_tokenizer(DEFAULT_TOKENIZER)
        self.left: int = max_tokens - _AROUND
        self._max_tokens = max_tokens

    def size(self, row: BaseModel) -> int:
        """Return the tokens of a row as JSON, with the comma behind it."""
        return self.tokenizer.count(row.model_dump_json()) + 1

    def takes(self, row: BaseModel) -> bool:
        """Take a row if it fits; return whether it did."""
        size = self.size(row)
        if size > self.left:
            return False
        self.left -= size
        return True

    def fitting(self, rows: Iterable[Row], cut: Callable[[Row], Row]) -> list[Row]:
        """Take rows while they fit; the first one is cut if it does not fit by itself.

        Parameters
        ----------
        rows
            The rows, in order.
        cut
            Makes a row fit.

        Raises
        ------
        Problem
            If not even one row fits.
        """
        taken: list[Row] = []
        for row in rows:
            if self.takes(row):
                taken.append(row)
                continue
            if not taken:
                shorter = cut(row)
                if not self.takes(shorter):
                    raise self.too_small()
                taken.append(shorter)
            break
        return taken

    def widened(self, rows: list[Row], wider: Callable[[int], list[Row]]) -> list[Row]:
        """Return rows that were taken with what stands around them, as far as it fits.

        Parameters
        ----------
        rows
            The rows, which are returned as they are if nothing around them fits.
        wider
            Makes them again, with so many tokens around them.
        """
        room = self.left + sum(map(self.size, rows))
        wide = (wider(int(self.left * share)) for share in _SHARES_AROUND)
        return next((each for each in wide if sum(map(self.size, each)) <= room), rows)

    def cut(self, text: str, row_of: Callable[[str], Row], *, end: str = CUT) -> Row:
        """Return a row with as much of the beginning of a text as fits.

        Parameters
        ----------
        text
            The text.
        row_of
            Makes a row of a beginning of it.
        end
            What is written behind the beginning.

        Raises
        ------
        Problem
            If not even a little of it fits.
        """
        room = self.left - self.size(row_of(end))
        for share in _SHARES:
            begin = self.begin(text, int(room * share))
            row = row_of(f"{begin}{end}")
            if (begin or not text) and self.size(row) <= self.left:
                return row
        raise self.too_small()

    def too_small(self) -> Problem:
        """Return the problem of a budget that not even a part of an answer fits into."""
        message = f"max_tokens={self._max_tokens} is too little for any of it: ask with more"
        return Problem(422, "invalid_value", message, field="max_tokens")

    def begin(self, text: str, most: int) -> str:
        """Return the beginning of a text, of so many tokens at most.

        It ends with a paragraph, a line or a word, the first of these that ends in its second half.
        """
        begin = text[: self._n_chars(text, most)]
        if len(begin) == len(text):
            return text
        places = (begin.rfind(border) + len(border) for border in _BORDERS)
        end = next((at for at in places if at > len(begin) // 2), len(begin))
        return begin[:end]

    def _n_chars(self, text: str, most: int) -> int:
        """Return how many code points of a text have so many tokens, at most."""
        if most < 1:
            return 0
        least, end = 0, min(len(text), most * _CHARS_PER_TOKEN)
        if self.tokenizer.count(text[:end]) <= most:
            return end
        while end - least > 1:
            middle = (least + end) // 2
            if self.tokenizer.count(text[:middle]) <= most:
                least = middle
            else:
                end = middle
        return least


class LeftOut(TypedDict):
    """What an answer has left out: the offset to go on with, and a sentence; None for nothing."""

    next_offset: int | None
    more: str | None


def left_out(what: str, end: int, n: int, n_left: int | None = None) -> LeftOut:
    """Return how to get what an answer has left out.

    Parameters
    ----------
    what
        What the rows are, in the plural.
    end
        The number of the first row that was left out; more than `n` if that is where it began.
    n
        The number of all rows that are known.
    n_left
        How many were left out; 0 if more are known than were asked for. None for all behind `end`.
    """
    if end >= n:
        past = f"There are {n} {what}: offset={end} is past the last." if end > n else None
        return LeftOut(next_offset=None, more=past)
    n_left = n - end if n_left is None else n_left
    more = f"There are more {what}: ask again with offset={end}."
    if n_left:
        more = f"{n_left} {what} were left out: ask again with offset={end}, or more max_tokens."
    return LeftOut(next_offset=end, more=more)
