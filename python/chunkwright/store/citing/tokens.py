"""Tokens of texts that are compared: words, punctuation, and marks that a page does not show."""

from __future__ import annotations

import html
import re
import unicodedata
from enum import IntEnum
from functools import cache
from typing import NamedTuple

from chunkwright.store.citing.quotes import UNSPACED

_MARKS_END = 0x20000
_RAISED = ("<super>", "<sub>", "<fraction>")


class Kind(IntEnum):
    """What a token is."""

    WORD = 0
    PUNCTUATION = 1
    MARKUP = 2


class Token(NamedTuple):
    """A token of a text.

    Attributes
    ----------
    kind
        What it is.
    start, end
        Where it stands, in code points.
    shown
        Its characters as a page shows them, in one form for ligatures and wide letters.
    key
        The same without case.
    is_glued
        Whether no whitespace stands before it.
    """

    kind: Kind
    start: int
    end: int
    shown: str
    key: str
    is_glued: bool


# A name for each alternative, the first that matches holds.
_MARKUP = r"""
    \](?:\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\)|\[[^\[\]\n]*\])
  | !?\[(?=[^\[\]\n]*\](?:\(|\[))
  | ^[ \t]*(?:\#{1,6}|>+|[-*+])(?=[ \t]|$)
  | ^[ \t]*(?:=+|-{3,}|\*{3,}|_{3,})[ \t]*$
  | ^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?[ \t]*)?$
  | (?<=[-*+][ \t])\[[ xX]\](?=[ \t])
  | </?[A-Za-z][^<>\n]*> | <!--.{0,2000}?-->
  | \\(?=[!-/:-@\[-`{-~]) | \*+ | (?<![^\W_])_+ | _+(?![^\W_]) | ~~ | `+ | \|
  | [\u00ad\u200b\u2060\ufeff]+
"""
_ENTITY = r"&(?:\#[0-9]{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
_NUMBER = (
    r"(?<![^\W_])[-+\u2212\u2013\u00b1]?\d+"
    r"(?:[.,:/'\u2019\u066b\u066c\u2010-\u2013-]\d+)*+(?:[%\u2030\u00b0])?(?![^\W_])"
)


@cache
def _pattern() -> re.Pattern[str]:
    marks = _mark_ranges()
    letters = f"[^\\W_{UNSPACED}]+(?:[{marks}]+[^\\W_{UNSPACED}]*)*"
    word = f"{letters}(?:['\\u2019]{letters})*|[{UNSPACED}][{marks}]*"
    # No mark of the markup begins with a letter or a digit: words are looked for first.
    return re.compile(
        f"(?P<word>{_NUMBER}|{word})|(?P<markup>{_MARKUP})|(?P<entity>{_ENTITY})|(?P<other>\\S)",
        re.VERBOSE | re.MULTILINE,
    )


def _mark_ranges() -> str:
    """Return the combining marks as parts of a class of a pattern, without those unspaced."""
    taken = re.compile(f"[{UNSPACED}]")
    codes = [
        code
        for code in range(0x300, _MARKS_END)
        if unicodedata.category(chr(code))[0] == "M" and not taken.match(chr(code))
    ]
    parts, first = [], codes[0]
    for code, after in zip(codes, [*codes[1:], 0], strict=True):
        if after != code + 1:
            parts.append(f"{chr(first)}-{chr(code)}")
            first = after
    return "".join(parts)


def tokens_of(text: str, start: int = 0, end: int | None = None) -> list[Token]:
    """Return the tokens of a part of a text, without whitespace.

    Parameters
    ----------
    text
        The text.
    start, end
        The part, in code points; to the end for None.

    Examples
    --------
    >>> [(each.kind.name, each.shown) for each in tokens_of("*No*, [5-10](x.md)")]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('MARKUP', '*'), ('WORD', 'No'), ('MARKUP', '*'), ('PUNCTUATION', ','), ('MARKUP', '['),
     ('WORD', '5-10'), ('MARKUP', '](x.md)')]
    """
    found, last = [], start
    for match in _pattern().finditer(text, start, len(text) if end is None else end):
        first, stop = match.span()
        kind = _KINDS[match.lastgroup or "other"]
        shown = match[0]
        if match.lastgroup == "entity":
            shown = html.unescape(shown).strip()
            kind = _kind_of(shown)
        elif kind is Kind.MARKUP:
            shown = shown.strip()
        shown = shown if shown.isascii() else _normal(shown)
        is_glued = first == last and first > start
        found.append(Token(kind, first, stop, shown, shown.casefold(), is_glued))
        last = stop
    return found


_KINDS = {
    "entity": Kind.PUNCTUATION,
    "markup": Kind.MARKUP,
    "word": Kind.WORD,
    "other": Kind.PUNCTUATION,
}


def _normal(text: str) -> str:
    """Return a text in the form NFKC; in NFC if a raised or lowered digit would be a plain one.

    The sign of numbers is left: its letters would negate.
    """
    if text == "\u2116":
        return text
    has_raised = any(unicodedata.decomposition(char).startswith(_RAISED) for char in text)
    return unicodedata.normalize("NFC" if has_raised else "NFKC", text)


def _kind_of(shown: str) -> Kind:
    """Return what a character is that HTML has a name for."""
    if not shown:
        return Kind.MARKUP
    return Kind.WORD if shown.isalnum() else Kind.PUNCTUATION
