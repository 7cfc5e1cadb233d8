"""Alignment of a quote with a text in which it no longer stands letter for letter."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chunkwright.store.citing.quotes import Cuts, cut_at
from chunkwright.store.citing.tokens import Difference, Kind, Token, first_difference, tokens_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

ALIKE = 0.5
"""Over this share of equal words, a text is an altered form of a quote."""

# Tokens before and behind a quote that say where it stood.
_BESIDE = 24
# Cells of a table of costs, four bytes each; longer quotes are aligned without their equal ends.
_MOST_CELLS = 8_000_000
# Costs by kinds of tokens: one of the quote left out, one beside it left out, one that came in, and
# one in the place of another, in the quote and beside it. A word in another case costs one.
_LEFT_OUT, _BESIDE_LEFT_OUT, _CAME_IN = (16, 4, 2), (6, 2, 1), (10, 3, 1)
_REPLACED, _BESIDE_REPLACED = (18, 4, 2), (12, 3, 1)
_NEVER = 1_000_000


class Quoted(NamedTuple):
    """A quote where it was cited.

    Attributes
    ----------
    text
        The text that it stood in.
    tokens
        Those of the quote, with some before and behind it.
    first, last
        The numbers of the first one of the quote, and of the first one behind it.
    cuts
        What its ends cut.
    """

    text: str
    tokens: list[Token]
    first: int
    last: int
    cuts: Cuts

    @property
    def words(self) -> list[Token]:
        """The words of the quote; all of its tokens if it has none."""
        own = self.tokens[self.first : self.last]
        return [each for each in own if each.kind is Kind.WORD] or own


class Aligned(NamedTuple):
    """A form of a quote in a text.

    Attributes
    ----------
    start, end
        Where it stands, in code points.
    share
        The share of words of both that are equal, in order, from 0 to 1.
    difference
        How it differs; None if it stands letter for letter.
    """

    start: int
    end: int
    share: float
    difference: Difference | None


def quoted_in(text: str, start: int, end: int, beside: int = 1200) -> Quoted:
    """Return a quote with what stands around it.

    Parameters
    ----------
    text
        The text that it stands in.
    start, end
        Where, in code points.
    beside
        So many code points on both sides are looked at.
    """
    cuts = Cuts(cut_at(text, start), cut_at(text, end))
    before = tokens_of(text, max(0, start - beside), start)[-_BESIDE:]
    behind = tokens_of(text, end, end + beside)[:_BESIDE]
    own = tokens_of(text, start, end)
    first = len(before)
    return Quoted(text, [*before, *own, *behind], first, first + len(own), cuts)


def aligned(quoted: Quoted, text: str, start: int, end: int) -> Aligned | None:
    """Return the form of a quote in a part of a text; None if no word of it stands there.

    O(n m) for n tokens of the quote and m of the part, up to a bound; None beyond it.

    Parameters
    ----------
    quoted
        The quote, with what stood around it: that is aligned, too, and says where to look.
    text
        The text.
    start, end
        The part, in code points.
    """
    others = tokens_of(text, start, end)
    paired = _pairs(quoted, others)
    if paired is None:
        return None
    equal = [
        i
        for i in range(quoted.first, quoted.last)
        if (j := paired[i]) is not None and others[j].key == quoted.tokens[i].key
    ]
    if not any(quoted.tokens[i].kind is Kind.WORD for i in equal) and equal != [
        *range(quoted.first, quoted.last)
    ]:
        return None
    if not equal:
        return None
    run = _run(quoted, paired, equal, len(others))
    run = _with_joined(quoted.cuts, text, others, run)
    own = others[run.start : run.stop]
    words = [each for each in own if each.kind is Kind.WORD] or own
    n_equal = sum(quoted.tokens[i].kind is Kind.WORD for i in equal) or len(equal)
    share = 2 * n_equal / (len(quoted.words) + len(words))
    pairs = {i: paired[i] for i in equal}
    differs = first_difference(
        (quoted.text, quoted.tokens, range(quoted.first, quoted.last)), (text, others, run), pairs
    )
    return Aligned(own[0].start, own[-1].end, min(share, 1.0), differs)


def _run(
    quoted: Quoted, paired: Sequence[int | None], equal: Sequence[int], n_others: int
) -> range:
    """Return the tokens of the text that stand for the quote.

    It begins with a token that is equal to the first one of the quote. If there is none, it begins
    behind what stood before the quote, if that is near, and else with as many others. So it ends.
    """
    before = [j for j in paired[: quoted.first] if j is not None]
    behind = [j for j in paired[quoted.last :] if j is not None]
    first, last = paired[equal[0]] or 0, paired[equal[-1]] or 0
    n_before, n_behind = equal[0] - quoted.first, quoted.last - 1 - equal[-1]
    start = max(first - n_before, 0)
    if n_before and before:
        start = max(before[-1] + 1, first - _near(n_before))
    end = min(last + 1 + n_behind, n_others)
    if n_behind and behind:
        end = min(behind[0], last + 1 + _near(n_behind))
    return range(max(start, 0), end)


def _near(n_tokens: int) -> int:
    """Return how many tokens may stand in the place of some."""
    return max(2 * n_tokens, n_tokens + 2)


def _with_joined(cuts: Cuts, text: str, others: Sequence[Token], run: range) -> range:
    """Return a run with what is joined to its ends if the quote was not so, and with both marks."""
    start, stop = run.start, run.stop
    while start and others[start].is_glued and cut_at(text, others[start].start) > cuts.start:
        start -= 1
    while (
        stop < len(others)
        and others[stop].is_glued
        and cut_at(text, others[stop - 1].end) > cuts.end
    ):
        stop += 1
    marks = Counter(each.shown for each in others[start:stop] if each.kind is Kind.MARKUP)
    is_open = {mark for mark, n in marks.items() if n % 2}
    if stop < len(others) and others[stop].is_glued and others[stop].shown in is_open:
        stop += 1
    elif start and others[start].is_glued and others[start - 1].shown in is_open:
        start -= 1
    return range(start, stop)


def _pairs(quoted: Quoted, others: Sequence[Token]) -> list[int | None] | None:
    """Return for each token of a quote that of a text which stands for it."""
    tokens, first, last = quoted.tokens, quoted.first, quoted.last
    n_tokens, n_others = len(tokens), len(others)
    if not n_others:
        return None
    before = behind = 0
    if (n_tokens + 1) * (n_others + 1) > _MOST_CELLS:
        most = min(last - first, n_others)
        while before < most and tokens[first + before].key == others[before].key:
            before += 1
        while behind < most - before and tokens[last - 1 - behind].key == others[-1 - behind].key:
            behind += 1
        if (last - first - before - behind + 1) * (n_others - before - behind + 1) > _MOST_CELLS:
            return None
        inner = tokens[first + before : last - behind]
        own = _table_pairs(inner, range(len(inner)), others[before : n_others - behind])
        middle = [None if j is None else j + before for j in own]
        rest = range(n_others - behind, n_others)
        return [
            *[None] * first,
            *range(before),
            *middle,
            *rest,
            *[None] * (n_tokens - last),
        ]
    return _table_pairs(tokens, range(first, last), others)


def _table_pairs(tokens: Sequence[Token], own: range, others: Sequence[Token]) -> list[int | None]:
    """Return the pairs of tokens that cost the least; what stands around them is free."""
    if not tokens or not others:
        return [None] * len(tokens)
    costs = _Costs(tokens, own, others)
    table = np.zeros((len(tokens) + 1, len(others) + 1), np.int32)
    for i in range(len(tokens)):
        row = table[i] + costs.left_out(i)
        np.minimum(row[1:], table[i, :-1] + costs.row(i), out=row[1:])
        table[i + 1] = np.minimum.accumulate(row - costs.came_in) + costs.came_in
    found: list[int | None] = [None] * len(tokens)
    i, j = len(tokens), int(table[-1].argmin())
    while i and j:
        here = table[i, j]
        if here == table[i - 1, j - 1] + costs.pair(i - 1, j - 1):
            i, j = i - 1, j - 1
            found[i] = j
        elif here == table[i - 1, j] + costs.left_out(i - 1):
            i -= 1
        else:
            j -= 1
    return found


class _Costs:
    """Costs of pairs of tokens."""

    def __init__(self, tokens: Sequence[Token], own: range, others: Sequence[Token]) -> None:
        self._tokens, self._own, self._others = tokens, own, others
        self._keys = {key: number for number, key in enumerate({each.key for each in others})}
        self._shown = {
            shown: number for number, shown in enumerate({each.shown for each in others})
        }
        self._kind_numbers = np.array([each.kind for each in others], np.int32)
        self._key_numbers = np.array([self._keys[each.key] for each in others], np.int32)
        self._shown_numbers = np.array([self._shown[each.shown] for each in others], np.int32)
        came_in = np.array(_CAME_IN, np.int32)[self._kind_numbers]
        self.came_in: NDArray[np.int32] = np.concatenate(([0], np.cumsum(came_in, dtype=np.int32)))

    def left_out(self, i: int) -> int:
        """Return what it costs to leave a token out."""
        return (_LEFT_OUT if i in self._own else _BESIDE_LEFT_OUT)[self._tokens[i].kind]

    def row(self, i: int) -> NDArray[np.int32]:
        """Return what it costs to put each other token in the place of one."""
        token = self._tokens[i]
        is_other = self._shown_numbers != self._shown.get(token.shown, -1)
        replaced = np.where(self._kind_numbers == token.kind, self._replaced(i), _NEVER)
        is_equal = self._key_numbers == self._keys.get(token.key, -1)
        cost: NDArray[np.int32] = np.where(is_equal, is_other, replaced).astype(np.int32)
        return cost

    def pair(self, i: int, j: int) -> int:
        """Return one cost of a row."""
        token, other = self._tokens[i], self._others[j]
        if token.key == other.key:
            return int(token.shown != other.shown)
        return self._replaced(i) if token.kind == other.kind else _NEVER

    def _replaced(self, i: int) -> int:
        return (_REPLACED if i in self._own else _BESIDE_REPLACED)[self._tokens[i].kind]
