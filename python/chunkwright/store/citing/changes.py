"""Changes around a quote: what turns its sense though its words stand."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from operator import ne
from typing import TYPE_CHECKING, Literal, NamedTuple

from chunkwright import _core
from chunkwright.store.citing.places import element_at
from chunkwright.store.citing.sentences import (
    around_of,
    numbers_of_items,
    paragraph_of,
    sentence_of,
)
from chunkwright.store.citing.tokens import Kind, tokens_of
from chunkwright.store.duplicates import contradiction
from chunkwright.store.negations import languages_within, may_negate, negations_in

if TYPE_CHECKING:
    from collections.abc import Collection

    from chunkwright.document import Document
    from chunkwright.store.citing.tokens import Token
    from chunkwright.store.citing.views import Span, View

Change = Literal["heading", "lead", "sentence", "negation", "number", "edited"]
"""What changed around cited words: the headings of their section; the line that leads in the list
or the table that they are in; their sentence, the words of others in it or that it is struck out; a
negation in the sentence; a number in it, in words too, its unit, or a sign beside a number at an
end of the cited words; or the block was edited by hand."""

_HYPHENS = frozenset("-\u2010\u2011")
_COLONS = (":", "\uff1a", "\u2014")
# Marks that strike out what stands between them: the same ones open and close, or tags do.
_STRIKE = re.compile(r"~~|<(?P<end>/?)(?:del|s|strike)\b[^<>]*>", re.IGNORECASE)
# Elements that are one of many: what stands before all of them says what they are.
_OF_MANY = ("list item", "table")
_NEGATIONS, _NUMBERS = {"negation"}, {"number", "date", "unit"}
# Punctuation that says something of a number beside it, as signs of mathematics and money do.
_OF_NUMBERS = frozenset("%\u2030\u2031\u00a7#/!\u2032\u2033")
# Signs that say nothing of one, and where those begin that are pictures.
_PARTING, _PICTURES = frozenset("=|`"), "\u2600"


class Around(NamedTuple):
    """What stands around a quote.

    Attributes
    ----------
    headings
        Those of its section, without whitespace that is not needed.
    lead
        The words of the line that leads it in.
    before, own, behind
        The words of its sentence before it, in it and behind it.
    is_struck
        Whether it begins in what is struck out.
    negations, numbers
        Words of the sentence with the quote that negate in some language, and numbers of it without
        the quote.
    languages
        What the sentence and the text around it may be in; empty if that is not known.
    signs
        Signs before the quote and behind it, where it begins or ends with a number.
    """

    headings: tuple[str, ...]
    lead: tuple[str, ...]
    before: tuple[str, ...]
    own: tuple[str, ...]
    behind: tuple[str, ...]
    is_struck: bool
    negations: Counter[str]
    numbers: Counter[str]
    languages: frozenset[str]
    signs: tuple[list[str], list[str]]


def around(view: View, span: Span) -> Around:
    """Return what stands around a quote in a version."""
    (start, end), text = span, view.text
    first, last = sentence_of(text, start, end)
    items = numbers_of_items(view, first, last)
    before, own, behind = (
        _shown(tokens_of(text, *part), items) for part in ((first, start), span, (end, last))
    )
    whole = _words([*before, *own, *behind])
    beside = [each.shown for each in (*before, *behind)]
    return Around(
        tuple(" ".join(each.split()) for each in view.headings(start, end)),
        _lead(view.document, view.source(start, end)[0]),
        tuple(each.shown for each in before),
        tuple(each.shown for each in own),
        tuple(each.shown for each in behind),
        _is_struck(text[paragraph_of(text, start, end)[0] : start]),
        Counter(negations_in(whole, text[first:last])),
        Counter(each for each in beside if _is_number(each)),
        languages_within(text[first:last], around_of(text, start, end)),
        (_signs(before[::-1], own, "-"), _signs(behind, own[::-1])),
    )


def changes_between(one: Around, other: Around) -> tuple[Change, ...]:
    """Return what changed around a quote."""
    is_other_sentence = (one.before, one.behind) != (other.before, other.behind)
    # With the same quote, for a unit is told by the number before it.
    languages = one.languages | other.languages
    said = (_said([*each.before, *one.own, *each.behind], languages) for each in (one, other))
    contrary = contradiction(*said) if is_other_sentence else None
    negations = (
        Counter({word: n for word, n in each.negations.items() if may_negate(word, languages)})
        for each in (one, other)
    )
    is_other_negation = ne(*negations)
    is_other_number = one.numbers != other.numbers or one.signs != other.signs
    is_other: dict[Change, bool] = {
        "heading": one.headings != other.headings,
        "lead": one.lead != other.lead,
        "sentence": is_other_sentence or one.is_struck != other.is_struck,
        "negation": is_other_negation or contrary in _NEGATIONS,
        "number": is_other_number or contrary in _NUMBERS,
    }
    return tuple(name for name, has_changed in is_other.items() if has_changed)


def _said(words: list[str], languages: frozenset[str]) -> str:
    """Return words as a text, without those that negate in other languages alone."""
    return " ".join(word for word in words if may_negate(word.lower(), languages))


def _signs(beside: list[Token], own: list[Token], hyphen: str = "") -> list[str]:
    """Return the signs right beside a quote that say something of the number at its end.

    Parameters
    ----------
    beside, own
        What is beside that end and in the quote, both from there on.
    hyphen
        What is a sign there, too.
    """
    if not own or not _is_number(own[0].shown):
        return []
    found: list[str] = []
    for n, each in enumerate(beside, start=1):
        is_end = each.shown == "!" and n == len(beside)
        if is_end or not (_is_of_number(each) or each.shown == hyphen):
            break
        found.append(each.shown)
    return found


def _is_number(shown: str) -> bool:
    return any(char.isdigit() for char in shown)


def _is_of_number(token: Token) -> bool:
    first = token.shown[0]
    # A sign whose normal form has letters is one as well: that of kilograms.
    is_symbol = unicodedata.category(first)[0] in "SL" and first < _PICTURES
    is_sign = token.shown in _OF_NUMBERS or (is_symbol and first not in _PARTING)
    return token.kind is Kind.PUNCTUATION and is_sign


def _is_struck(before: str) -> bool:
    """Return whether what comes next is struck out, by what stands before it in its paragraph."""
    is_struck = False
    for match in _STRIKE.finditer(before):
        is_struck = not (is_struck if match[0] == "~~" else match["end"])
    return is_struck


def _words(tokens: list[Token]) -> list[str]:
    """Return the words of a sentence; those that hyphens join are one: `non-binding`."""
    found: list[str] = []
    is_joined = False
    for each in tokens:
        if each.kind is Kind.WORD and is_joined and each.is_glued:
            found[-1] += each.key
        elif each.kind is Kind.WORD:
            found.append(each.key)
        is_joined = bool(found) and each.is_glued and each.key in _HYPHENS
    return found


def _shown(tokens: list[Token], items: Collection[Span] = ()) -> list[Token]:
    """Return tokens without markup and the numbers of items."""
    return [
        each
        for each in tokens
        if each.kind is not Kind.MARKUP
        and not any(start <= each.start and each.end <= end for start, end in items)
    ]


def _lead(document: Document, at: int) -> tuple[str, ...]:
    """Return the words of the line that leads in what stands at a place of a version's text."""
    elements = document.elements
    number = None if elements is None else element_at(elements, at)
    if elements is None or number is None:
        return ()
    own = elements[number]
    parts = []
    if own.kind == "table":
        header, _, _ = own.text.partition("\n")
        parts.append(header if at > own.start + len(header) else "")
    if own.kind == "list item":
        above = own.parent
        while above is not None:
            parts.append(above.text)
            above = above.parent
        while number and elements[number].kind == "list item":
            number -= 1
        number += elements[number].kind != "list item"
    before = elements[number - 1] if number else None
    if before is not None and before.kind != "heading":
        is_of_many = own.kind in _OF_MANY and before.kind == "paragraph"
        parts.append(_leading(before.text, is_of_many=is_of_many))
    return tuple(token.shown for part in parts for token in _shown(tokens_of(part)) if part)


def _leading(text: str, *, is_of_many: bool) -> str:
    """Return what leads in an element: the last line of what stands before it, if it ends so.

    A list or a table is led in by the last sentence, whatever its end.
    """
    said = text.rstrip(" \t\n*_")
    if said.endswith(_COLONS):
        return said.rpartition("\n")[2]
    if not is_of_many:
        return ""
    *_, start = 0, *(each for each in _core.sentence_ends(text, "en") if each < len(said))
    return text[start:]
