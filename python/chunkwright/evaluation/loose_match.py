"""A text without whitespace and case, in which words are found however they are spaced."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from chunkwright import _core

if TYPE_CHECKING:
    from numpy.typing import NDArray

Place = tuple[int, int]

# There are no cased letters and no spaces behind it.
_CASED = 0x20000
# Letters that `re.IGNORECASE` takes for each other, though they share neither case.
_ALIKE = {0x1FD3: 0x0390, 0x1FE3: 0x03B0, 0xFB06: 0xFB05}


class Squeezed:
    r"""A text in which words are found whatever whitespace stands between them, or none.

    A match is what ``re.search`` finds with ``re.IGNORECASE`` for the words joined by ``\s*``: it
    begins and ends with a word, and there is no whitespace within one. Making it takes linear time
    and some 20 bytes for each code point.

    Parameters
    ----------
    text
        The text.

    Examples
    --------
    >>> from chunkwright.evaluation.loose_match import Squeezed
    >>> Squeezed("One  two\nthree.").find("ONE TWO thr ee.")
    (0, 15)
    >>> Squeezed("One  two three.").find("onetwo") is None
    True
    """

    def __init__(self, text: str) -> None:
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        self._where = np.flatnonzero(~_spaces(codes))
        kept = _folded(codes)[self._where]
        self.text: str = kept.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
        # Whether whitespace stands before each, and how often it does before each up to there.
        self._is_spaced = np.diff(self._where, prepend=self._where[:1]) > 1
        self._n_spaced = np.concatenate([[0], np.cumsum(self._is_spaced)])

    def find(self, target: str) -> Place | None:
        """Return the first place of a target's words; see :meth:`first`."""
        return self.first([target])[0]

    def first(self, targets: Iterable[str]) -> list[Place | None]:
        """Return the first place of the words of each target, in code points of the text.

        Linear in all texts together, unless places are refused for whitespace within a word: then
        each of these costs as much as the target has words.

        Parameters
        ----------
        targets
            The words. Where there are none, nothing is found.
        """
        return self._places(targets, _core.first_occurrences)

    def next(self, targets: Iterable[str]) -> list[Place | None]:
        """Return the places of the words of targets that stand one behind the other.

        Parameters
        ----------
        targets
            In the order of the text; they may overlap. What does not stand behind the one before
            is looked for everywhere.
        """
        return self._places(targets, _core.next_occurrences)

    def _places(
        self, targets: Iterable[str], search: Callable[[str, list[str]], object]
    ) -> list[Place | None]:
        sought = [_Words(target) for target in targets]
        found = np.asarray(search(self.text, [words.letters for words in sought]))
        return [self._here(*pair) or self._first(*pair) for pair in zip(sought, found, strict=True)]

    def _first(self, words: _Words, at: int) -> Place | None:
        """Return the first place of words whose letters are found, at a letter of the text."""
        if at < 0:
            return None
        starts = np.asarray(_core.all_occurrences(self.text, words.letters))
        n_within = self._n_spaced[starts + len(words.letters)] - self._n_spaced[starts + 1]
        for border in words.borders:
            n_within -= self._is_spaced[starts + border]
        return next((self._range(words, start) for start in starts[n_within == 0][:1]), None)

    def _here(self, words: _Words, at: int) -> Place | None:
        """Return the place that begins at a letter, if there is no whitespace in a word."""
        if at < 0:
            return None
        n_spaced = self._n_spaced[at + len(words.letters)] - self._n_spaced[at + 1]
        is_whole = n_spaced == self._is_spaced[at + words.borders].sum()
        return self._range(words, at) if is_whole else None

    def _range(self, words: _Words, at: int) -> Place:
        return int(self._where[at]), int(self._where[at + len(words.letters) - 1]) + 1


class _Words:
    """A target's letters, and which of them begin a word, but for the first."""

    def __init__(self, target: str) -> None:
        words = target.split()
        self.letters = fold("".join(words))
        self.borders = np.cumsum([len(word) for word in words[:-1]], dtype=np.int64)


def fold(text: str) -> str:
    """Return a text in which letters are equal that differ by case only, one for one."""
    return text.translate(_folds())


@lru_cache(maxsize=1)
def _folds() -> dict[int, int]:
    folds = {code: ord(_folded_letter(chr(code))) for code in range(_CASED)}
    return {code: folded for code, folded in (folds | _ALIKE).items() if folded != code}


def _folded_letter(letter: str) -> str:
    upper = letter.upper()
    lower = (upper if len(upper) == 1 else letter).lower()
    # A dotted capital I becomes an i and a dot.
    return lower[0] if len(lower) == 1 or letter == "\u0130" else letter


def _folded(codes: NDArray[np.uint32]) -> NDArray[np.uint32]:
    folded, _ = _tables()
    return np.where(codes < _CASED, folded[np.minimum(codes, _CASED - 1)], codes)


def _spaces(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    # The last of the table is no space, and stands for all behind it.
    _, is_space = _tables()
    return is_space[np.minimum(codes, _CASED - 1)]


@lru_cache(maxsize=1)
def _tables() -> tuple[NDArray[np.uint32], NDArray[np.bool_]]:
    """Return for each code point what it is folded to, and whether it is a space."""
    codes = range(_CASED)
    folds = _folds()
    folded = np.array([folds.get(code, code) for code in codes], dtype=np.uint32)
    return folded, np.array([chr(code).isspace() for code in codes])
