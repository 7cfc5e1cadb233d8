"""Excerpts of replies, placed in the random windows and numbered pieces that a model was shown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import TypeVar

from chunkwright.evaluation.data.dataset import disjoint
from chunkwright.evaluation.data.questions import Excerpt
from chunkwright.evaluation.locating import Searched
from chunkwright.evaluation.loose_match import Place
from chunkwright.llm.framing import inline
from chunkwright.llm.request import InvalidReplyError
from chunkwright.messages.terminal_text import short_repr

_PIECE_CHARS = 100


def piece_starts(text: str) -> list[int]:
    """Return where the pieces of a text begin, and where the last one ends.

    A piece has 100 code points at most, and ends behind a space if there is one in it.

    Examples
    --------
    >>> piece_starts("word " * 30)
    [0, 100, 150]
    """
    starts = [0]
    while starts[-1] < len(text):
        end = starts[-1] + _PIECE_CHARS
        behind_space = text.rfind(" ", starts[-1], end) + 1 if end < len(text) else 0
        starts.append(behind_space or min(end, len(text)))
    return starts


def tagged(text: str, code: str = "") -> str:
    """Return the pieces of a text, each between tags with its number.

    Parameters
    ----------
    text
        The text.
    code
        What stands behind the names of the tags: see `chunkwright.llm.framing.Frames.code`.

    Examples
    --------
    >>> tagged("It rained.")
    '<piece 0>It rained.</piece 0>'
    """
    return "".join(
        inline(f"piece {number}", text[start:end], code)
        for number, (start, end) in enumerate(pairwise(piece_starts(text)))
    )


T = TypeVar("T")

# Times that a blank window is drawn again, before the first text that is not blank is taken.
_DRAWS = 16


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a corpus that a model is shown.

    Parameters
    ----------
    corpus
        The text that it is a part of.
    start, end
        Where it stands there, in code points.
    """

    corpus: str
    start: int
    end: int

    @property
    def text(self) -> str:
        """The text that stands there."""
        return self.corpus[self.start : self.end]


def random_of(*seeds: object) -> Random:
    """Return a source of random numbers that depends on some values of JSON only.

    Examples
    --------
    >>> random_of(0, "mill", 3).random() == random_of(0, "mill", 3).random()
    True
    """
    return Random(json.dumps(seeds))  # noqa: S311 - nothing is to be kept secret


def random_window(corpus: str, size: int, random: Random) -> Window:
    """Return a window of so many code points that is not blank, or a shorter corpus as a whole.

    Parameters
    ----------
    corpus
        A text that is not blank.
    size
        Code points of the window.
    random
        Draws where it begins; each place is as likely as any other.
    """
    size = min(size, len(corpus))
    n_places = len(corpus) - size + 1
    for _ in range(_DRAWS):
        start = int(random.random() * n_places)
        if not corpus[start : start + size].isspace():
            return Window(corpus, start, start + size)
    start = min(len(corpus) - len(corpus.lstrip()), n_places - 1)
    return Window(corpus, start, start + size)


def random_sample(items: Sequence[T], n: int, random: Random) -> list[T]:
    """Return so many items, or all of them, in their order."""
    if len(items) <= n:
        return list(items)
    # The order of `random()` is the same in all versions of Python, that of `sample()` is not.
    drawn = sorted(range(len(items)), key=lambda _: random.random())[:n]
    return [items[i] for i in sorted(drawn)]


# All excerpts of a question together: a cell of a CSV has its limits.
_MAX_CHARS = 10_000


def quoted(quotes: Sequence[str], window: Window) -> tuple[Excerpt, ...]:
    """Return the places of passages that were copied from a window.

    Each is looked for as it is, then whatever its case and whitespace, then as the single sentence
    that says almost the same.

    Raises
    ------
    InvalidReplyError
        If one does not stand in the window; says which.
    """
    searched = Searched(window.text)
    return _excerpts([_place(searched, quote.strip()) for quote in quotes], window)


def numbered(
    ranges: Sequence[tuple[int, int]], starts: Sequence[int], window: Window
) -> tuple[Excerpt, ...]:
    """Return the places of runs of pieces of a window, without the whitespace at their ends.

    Parameters
    ----------
    ranges
        For each run the numbers of its first and its last piece.
    starts
        Where pieces begin in the window, and where the last one ends.
    window
        What the pieces are of.

    Raises
    ------
    InvalidReplyError
        If there is nothing but whitespace in a run.
    """
    return _excerpts(
        [_trimmed(window.text, starts[first], starts[last + 1]) for first, last in ranges], window
    )


def _place(searched: Searched, quote: str) -> Place:
    place = searched.exact(quote) or searched.spaced(quote) or searched.sentence(quote)
    if place is None or place[0] == place[1]:
        raise InvalidReplyError(f"the excerpt {short_repr(quote)} does not stand in the document")
    return place


def _trimmed(text: str, start: int, end: int) -> Place:
    stripped = text[start:end].lstrip()
    if not stripped:
        raise InvalidReplyError("an excerpt is blank")
    begin = end - len(stripped)
    return begin, begin + len(stripped.rstrip())


def _excerpts(places: Sequence[Place], window: Window) -> tuple[Excerpt, ...]:
    """Return excerpts in the order of the text, those that overlap made one."""
    text = window.text
    excerpts = disjoint((Excerpt(text[start:end], start, end) for start, end in places), text)
    if sum(len(each.text) for each in excerpts) > _MAX_CHARS:
        raise InvalidReplyError(f"the excerpts have more than {_MAX_CHARS} characters")
    return tuple(
        Excerpt(each.text, window.start + each.start, window.start + each.end) for each in excerpts
    )
