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
# Marks before and behind a number that change it, beside signs of mathematics and money.
_SIGNS = frozenset("-\u2013#.^")
_UNITS = frozenset("%\u2030\u00b0^+_\u2032\u2033\u2044\u00d7\u00f7")
# Signs of mathematics that change no number: they part what they stand between.
_PARTING = frozenset("=|") | frozenset(map(chr, range(0x2190, 0x2200)))
# Marks behind a letter that are a part of its word (`C++`), and of a symbol alone (`A-`).
_SUFFIXES, _CHARGES = frozenset("+#"), frozenset("-\u2212")
_TAG_END = re.compile(r"</?[A-Za-z][^<>\n]*>\Z")
_LONGEST_TAG = 200
_RAISED = re.compile(r"<su[bp]>", re.IGNORECASE)
# A blank between two groups of the digits of one number: `10 000`.
_GROUPS = re.compile(r"(?<!\d)(?<!\d[.,])\d{1,3}(?P<blank>[ \u00a0\u2009\u202f])(?=\d{3}(?!\d))")
_ZERO_WIDTH_JOINER = "\u200d"


class Cut(IntEnum):
    """What a place in a text cuts."""

    BORDER = 0
    """Nothing: a word ends or begins there, or there is none."""
    JOINED = 1
    """What a mark joins: ``re-sign``, ``10-30``, ``it's``, ``10%``, ``C++``, ``>=``, or a blank in
    ``10 000``."""
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
    is_joined = (
        (behind.isdigit() and _is_sign(text, at - 1))
        or (before.isdigit() and (behind in _UNITS or _is_currency(behind)))
        or (left and _has_suffix(text, at))
        or (before == behind and not left and not before.isspace())
        or _parts_groups(text, at)
    )
    return Cut.JOINED if is_joined else Cut.BORDER


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


def _is_sign(text: str, at: int) -> bool:
    """Return whether a character belongs to the number behind it."""
    char = text[at]
    if char == ">" and _TAG_END.search(text[max(0, at + 1 - _LONGEST_TAG) : at + 1]):
        return False
    category = unicodedata.category(char)
    return char in _SIGNS or category == "Sc" or (category == "Sm" and char not in _PARTING)


def _has_suffix(text: str, at: int) -> bool:
    """Return whether a mark at a place, or a raised letter, belongs to the word before it."""
    if text[at] in _CHARGES:
        return text[at - 1].isupper()
    return text[at] in _SUFFIXES or _RAISED.match(text, at) is not None


def _parts_groups(text: str, at: int) -> bool:
    """Return whether a place is beside a blank within a number."""
    blank = at if text[at].isspace() else at - 1
    if not 0 < blank < len(text) - 1 or not (text[blank - 1] + text[blank + 1]).isdigit():
        return False
    return any(
        match.start("blank") == blank
        for match in _GROUPS.finditer(text, max(0, blank - 3), blank + 5)
    )


def _is_currency(char: str) -> bool:
    return unicodedata.category(char) == "Sc"
