"""Tokens of texts, and the differences between two texts."""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from chunkwright.store.citing.quotes import UNSPACED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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


DifferenceKind = Literal["words", "case", "punctuation", "markup"]
"""What differs: a word or a number; only the case of letters; only punctuation, hyphens in words
and blanks beside marks included; only what a page does not show as words, such as marks of Markdown
and HTML, targets of links, levels of headings and ticks of boxes."""


@dataclass(frozen=True)
class Difference:
    """How what stands today differs from a quote.

    Attributes
    ----------
    kind
        The gravest kind of all differences, see ``DifferenceKind``: words, then case, then
        punctuation, then markup.
    quoted, stands
        The first one of this kind: what was quoted, and what stands there. Empty if something was
        put in or taken out.
    """

    kind: DifferenceKind
    quoted: str
    stands: str


Part = tuple[str, "Sequence[Token]", range]
"""A text, its tokens, and the numbers of those that are compared."""


def first_difference(
    quote: Part, other: Part, pairs: Mapping[int, int | None]
) -> Difference | None:
    """Return the first difference of the gravest kind; None if there is none.

    Parameters
    ----------
    quote, other
        What is compared.
    pairs
        Tokens with equal keys: numbers of the quote, each with that of the other text.
    """
    found = _all(quote, other, pairs)
    kinds = get_args(DifferenceKind)
    return min(found, key=lambda each: kinds.index(each.kind), default=None)


def _all(quote: Part, other: Part, pairs: Mapping[int, int | None]) -> list[Difference]:
    (text, tokens, own), (second, others, run) = quote, other
    found: list[Difference] = []
    i, j = own.start, run.start
    for number, partner in [*sorted(pairs.items()), (own.stop, run.stop)]:
        if partner is None:
            continue
        of_quote, of_other = tokens[i:number], others[j:partner]
        if of_quote or of_other:
            kind = _kind_of_difference(of_quote, of_other)
            found.append(Difference(kind, _said(text, of_quote), _said(second, of_other)))
        elif number < own.stop and own.start < number:
            found += _blank_between(quote, other, number, partner)
        if number < own.stop:
            found += _of_one(text, tokens[number], second, others[partner])
        i, j = number + 1, partner + 1
    return found


def _kind_of_difference(one: Sequence[Token], other: Sequence[Token]) -> DifferenceKind:
    """Return how two runs of tokens differ that have no equal ones."""
    if _keys(one, Kind.WORD) != _keys(other, Kind.WORD):
        return "words"
    has_digits = any(char.isdigit() for char in _keys(one, Kind.WORD))
    marks = [[each.key for each in run if each.kind is Kind.PUNCTUATION] for run in (one, other)]
    has_words = any(each.kind is Kind.WORD for each in one)
    if marks[0] == marks[1]:
        has_markup = any(each.kind is Kind.MARKUP for each in (*one, *other))
        return "markup" if has_markup else "words"
    return "words" if has_words and has_digits else "punctuation"


def _keys(run: Sequence[Token], kind: Kind) -> str:
    return "".join(each.key for each in run if each.kind is kind)


def _of_one(text: str, token: Token, second: str, other: Token) -> list[Difference]:
    """Return how two tokens differ that say the same."""
    said, stands = text[token.start : token.end], second[other.start : other.end]
    if said.split() == stands.split():
        return []
    if token.kind is Kind.MARKUP or token.shown == other.shown:
        return [Difference("markup", said, stands)]
    return [Difference("case", said, stands)]


def _blank_between(quote: Part, other: Part, number: int, partner: int) -> list[Difference]:
    """Return a blank that came or went between two equal tokens."""
    (text, tokens, _), (second, others, _) = quote, other
    if tokens[number].is_glued == others[partner].is_glued:
        return []
    both = [tokens[number - 1], tokens[number]], [others[partner - 1], others[partner]]
    has_markup = any(each.kind is Kind.MARKUP for each in both[0])
    kind: DifferenceKind = "markup" if has_markup else "punctuation"
    return [Difference(kind, _said(text, both[0]), _said(second, both[1]))]


def _said(text: str, tokens: Sequence[Token]) -> str:
    return " ".join(text[tokens[0].start : tokens[-1].end].split()) if tokens else ""
