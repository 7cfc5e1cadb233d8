"""Places of quotes in one text: letter for letter, at borders of words."""

from __future__ import annotations

import re
import unicodedata
from enum import IntEnum
from typing import NamedTuple

# Letters of scripts that are written without blanks: between two of them is a border.
UNSPACED = (
    "\u0e00-\u0e7f\u0e80-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff"
    "\u3005-\u3007\u3040-\u30ff\u3100-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua9e0-\ua9ff\uaa60-\uaa7f\uf900-\ufaff\uff66-\uff9f\U0001b000-\U0001b16f"
    "\U00020000-\U0003ffff"
)
_UNSPACED = re.compile(f"[{UNSPACED}]")
# Marks that join two words, or a word and what belongs to it, where they touch both.
_JOINTS = frozenset("-\u2010\u2011\u2012\u2013'\u2019/._@:&+\u00b7\u30fb,\u066b\u066c")
# Marks between the digits of one number.
_POINTS = frozenset(".,'\u2019\u066b\u066c")
# Marks before and behind a number that change it.
_SIGNS = frozenset("-\u2212\u2013+\u00b1~<>")
_UNITS = frozenset("%\u2030\u00b0")
_ZERO_WIDTH_JOINER = "\u200d"


class Cut(IntEnum):
    """What a place in a text cuts."""

    BORDER = 0
    """Nothing: a word ends or begins there, or there is none."""
    JOINED = 1
    """What a mark joins: ``re-sign``, ``10-30``, ``it's``, ``10 %`` without the blank."""
    INSIDE = 2
    """A word, a number or a grapheme."""


class Cuts(NamedTuple):
    """What the two ends of a part of a text cut."""

    start: Cut
    end: Cut


WHOLE_WORDS = Cuts(Cut.BORDER, Cut.BORDER)


def cut_at(text: str, at: int) -> Cut:
    """Return what a place in a text cuts.

    Letters and digits side by side are one word. Between two letters of a script without blanks
    is a border, and between one of them and another letter or digit.

    Examples
    --------
    >>> [cut_at("The re-sign", at).name for at in (1, 3, 6, 7, 9)]
    ['INSIDE', 'BORDER', 'JOINED', 'JOINED', 'INSIDE']
    >>> [cut_at("漢字12", at).name for at in (1, 2, 3)]
    ['BORDER', 'BORDER', 'INSIDE']
    """
    if not 0 < at < len(text):
        return Cut.BORDER
    before, behind = text[at - 1], text[at]
    if _is_mark(behind) or before == _ZERO_WIDTH_JOINER:
        return Cut.INSIDE
    left, right = _is_of_word(text, at - 1), _is_of_word(text, at)
    if left and right:
        return Cut.BORDER if _is_unspaced(text, at) else Cut.INSIDE
    if left and behind in _JOINTS and _is_of_word(text, at + 1):
        return _joined(text, at - 1, at + 1)
    if right and before in _JOINTS and _is_of_word(text, at - 2):
        return _joined(text, at - 2, at)
    is_signed = behind.isdigit() and (before in _SIGNS or _is_currency(before))
    is_counted = before.isdigit() and (behind in _UNITS or _is_currency(behind))
    return Cut.JOINED if is_signed or is_counted else Cut.BORDER


def cuts_of(text: str, start: int, end: int) -> Cuts:
    """Return what the two ends of a part of a text cut."""
    return Cuts(cut_at(text, start), cut_at(text, end))


def places_of(quote: str, text: str, most: Cuts = WHOLE_WORDS) -> list[tuple[int, int]]:
    """Return where a quote stands in a text letter for letter; only whitespace may be another.

    Parameters
    ----------
    quote
        The quote.
    text
        The text.
    most
        What the ends of a place may cut at most.

    Returns
    -------
    list of tuple
        Code points of the text; places do not overlap.
    """
    words = quote.split()
    if not words:
        return []
    pattern = re.compile(r"\s+".join(map(re.escape, words)))
    found, at = [], 0
    while (match := pattern.search(text, at)) is not None:
        start, end = match.span()
        cuts = cuts_of(text, start, end)
        is_found = cuts.start <= most.start and cuts.end <= most.end
        at = end if is_found else start + 1
        if is_found:
            found.append((start, end))
    return found


def first_place(quote: str, text: str) -> tuple[int, int] | None:
    """Return where a quote stands first in a text, whole words before parts of joined ones.

    None if it stands nowhere so: inside a word it is not looked for.
    """
    for cut in (Cut.BORDER, Cut.JOINED):
        found = places_of(quote, text, Cuts(cut, cut))
        if found:
            return found[0]
    return None


def _joined(text: str, left: int, right: int) -> Cut:
    """Return what is cut beside a mark between two characters of words."""
    if text[left + 1] in _POINTS and text[left].isdigit() and text[right].isdigit():
        return Cut.INSIDE
    # A comma joins digits alone, and a script without blanks has no joined words.
    is_one = text[left + 1] != "," and not _UNSPACED.match(text[left])
    return Cut.JOINED if is_one and not _UNSPACED.match(text[right]) else Cut.BORDER


def _is_unspaced(text: str, at: int) -> bool:
    """Return whether one side of a place between two characters of words has no blanks."""
    start = at - 1
    while start and _is_mark(text[start]):
        start -= 1
    return bool(_UNSPACED.match(text[start]) or _UNSPACED.match(text[at]))


def _is_of_word(text: str, at: int) -> bool:
    return 0 <= at < len(text) and (text[at].isalnum() or _is_mark(text[at]))


def _is_mark(char: str) -> bool:
    return char > "\x7f" and (
        char == _ZERO_WIDTH_JOINER
        or "\U0001f3fb" <= char <= "\U0001f3ff"
        or unicodedata.category(char)[0] == "M"
    )


def _is_currency(char: str) -> bool:
    return unicodedata.category(char) == "Sc"
