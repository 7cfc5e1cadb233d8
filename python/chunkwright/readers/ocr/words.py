"""Words that an engine has recognised, and what an engine is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import count
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from chunkwright.errors import ConfigError

if TYPE_CHECKING:
    import numpy as np

Corners: TypeAlias = tuple[tuple[float, float], ...]
"""Four points: upper left, upper right, lower right and lower left, as the word is read."""


class OcrWord(NamedTuple):
    """A word that an engine has recognised in a picture of a page.

    Attributes
    ----------
    text
        The word, without blanks around it.
    box
        Its place in pixels from the top left corner of the picture: left, top, right and bottom; or
        its four corners in reading direction, (x, y) each, the upper left one first.
    confidence
        The engine's confidence, from 0 to 1.
    line
        The number of its line, if the engine knows lines; words of a line follow each other.

    Examples
    --------
    >>> import chunkwright as cw
    >>> cw.OcrWord("Rain", (72, 60, 110, 74), 0.98)
    OcrWord(text='Rain', box=(72, 60, 110, 74), confidence=0.98, line=None)
    """

    text: str
    box: Sequence[float] | Sequence[Sequence[float]]
    confidence: float
    line: int | None = None


OcrEngine: TypeAlias = "Callable[[np.ndarray[Any, Any]], Iterable[OcrWord]]"
"""A function from a picture, as bytes of red, green and blue in an array of height, width and 3, to
the words in it, in the order in which they are read."""

WordRow: TypeAlias = tuple[str, Corners, float, int]
"""A word as the core takes it: its text, its corners in points, its confidence and its line."""


def word_rows(words: Iterable[OcrWord], x: float, y: float) -> list[WordRow]:
    """Return words as the core takes them.

    Parameters
    ----------
    words
        What an engine gave.
    x, y
        So many points a pixel is wide and high.

    Raises
    ------
    ConfigError
        If an item is no word: names it.
    """
    rows: list[WordRow] = []
    lines: dict[int | None, int] = {}
    numbers = count()
    before: int | None = None
    for item in words:
        word = _checked(item)
        if word.line is None or word.line != before:
            lines[word.line] = next(numbers)
        before = word.line
        corners = tuple((at_x * x, at_y * y) for at_x, at_y in _corners(word.box))
        text = "".join(word.text.split())
        if text:
            rows.append((text, corners, float(word.confidence), lines[word.line]))
    return rows


def _checked(item: object) -> OcrWord:
    """Return an item as a word.

    Raises
    ------
    ConfigError
        If it is none.
    """
    try:
        word = OcrWord(*item)  # type: ignore[misc]
        points = [value for point in _corners(word.box) for value in point]
        is_word = isinstance(word.text, str) and 0 <= word.confidence <= 1
        if is_word and len(points) == 2 * 4 and all(map(isfinite, points)):
            return word
    except (TypeError, ValueError, LookupError):
        pass
    allowed = "a function that gives OcrWord(text, box, confidence, line)"
    raise ConfigError.refused("ocr_engine", allowed, item)


def _corners(box: Any) -> Corners:
    """Return the corners of a box."""
    if not hasattr(box[0], "__len__"):
        left, top, right, bottom = map(float, box)
        return ((left, top), (right, top), (right, bottom), (left, bottom))
    return tuple((float(x), float(y)) for x, y in box)
