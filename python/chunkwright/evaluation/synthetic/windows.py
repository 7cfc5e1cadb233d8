"""Random windows of a corpus, the same ones for the same seed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

T = TypeVar("T")

# So often a window is drawn again if it is blank; then the first text that is not is taken.
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
