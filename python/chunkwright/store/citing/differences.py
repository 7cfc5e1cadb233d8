"""Differences between a quote and what stands in its place, each with its kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from chunkwright.store.citing.tokens import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chunkwright.store.citing.tokens import Token

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
            kind = _kind_of(of_quote, of_other)
            found.append(Difference(kind, _said(text, of_quote), _said(second, of_other)))
        elif number < own.stop and own.start < number:
            found += _blank_between(quote, other, number, partner)
        if number < own.stop:
            found += _of_one(text, tokens[number], second, others[partner])
        i, j = number + 1, partner + 1
    return found


def _kind_of(one: Sequence[Token], other: Sequence[Token]) -> DifferenceKind:
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
