"""Choice among several places of a quote: which one is that of the block that was cited."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from chunkwright.store.citing.quotes import UNSPACED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chunkwright.store.citing.views import Span, View

# What speaks for a place, beside what stands before and behind it: that counts from 0 to 2.
# A window may reach over several sections, so a successor says less than the headings.
_SAME_BLOCK, _SUCCESSOR, _HEADINGS = 2.0, 1.0, 2.0
_SAME_TITLE = 0.75
# Neighbours on both sides and headings, from 0 to 2.5: over the first a place has those that were
# cited, and by more than the second another one has others.
_UNDER, _SAME_NEIGHBOURS, _OTHER_NEIGHBOURS = 0.5, 1.5, 0.5
# Code points before and behind a place that are compared.
_BESIDE = 160
_WORD = re.compile(f"[{UNSPACED}]|[^\\W_{UNSPACED}]+")
# Of more places of a quote, those that are next in order are compared.
_MOST = 64


class Site(NamedTuple):
    """What a place is known by.

    Attributes
    ----------
    bases
        The blocks that it is in, or that came after it.
    headings
        Those of its section.
    before, behind
        Words around it.
    """

    bases: Sequence[str]
    headings: tuple[str, ...]
    before: Counter[str]
    behind: Counter[str]


def chosen(others: Sequence[Site], rank: int, places: Sequence[Site]) -> int | None:
    """Return the number of the place that a cited one is today; None if all are of others.

    Places in the cited version and in the current one are paired: first those for which blocks,
    headings and neighbours say the most, and of equal pairs those in the same order. A place that
    is not paired is new, and may be that of the cited words.

    Parameters
    ----------
    others
        All places of the words in the cited version.
    rank
        The number of the cited one among them.
    places
        All places of the words in the current version.
    """
    scored = [
        (-round(likeness(one, other), 3), abs(i / len(others) - j / len(places)), i, j)
        for i, one in enumerate(others)
        for j, other in enumerate(places)
    ]
    of_others, of_places = set[int](), set[int]()
    for _, _, i, j in sorted(scored):
        if i in of_others or j in of_places:
            continue
        if i == rank:
            return j
        of_others.add(i)
        of_places.add(j)
    return None


def nearest(spans: Sequence[Span], middle: int) -> Sequence[Span]:
    """Return some places, no more than can be compared, around the one of a number."""
    first = max(0, min(middle - _MOST // 2, len(spans) - _MOST))
    return spans[first : first + _MOST]


def most_like(cited: Site, places: Sequence[Site]) -> int:
    """Return the number of the place that is most like a cited one."""
    return max(range(len(places)), key=lambda j: (likeness(cited, places[j]), -j))


def likeness(one: Site, other: Site) -> float:
    """Return how much speaks for two places in two versions being the same."""
    lineage = 0.0
    if one.bases and one.bases[:1] == other.bases[:1]:
        lineage = _SAME_BLOCK
    elif set(one.bases) & set(other.bases):
        lineage = _SUCCESSOR
    headings = _HEADINGS * _of_headings(one.headings, other.headings)
    return lineage + headings + _neighbours(one, other)


def is_copy(cited: Site, place: Site, altered: Site) -> bool:
    """Return whether words stand at a new place, and altered ones between their old neighbours."""
    old, new = (
        _neighbours(cited, each) + _UNDER * _of_headings(cited.headings, each.headings)
        for each in (altered, place)
    )
    return old > _SAME_NEIGHBOURS and old - new > _OTHER_NEIGHBOURS


def _neighbours(one: Site, other: Site) -> float:
    """Return the shares of words before and behind two places that both have, from 0 to 2."""
    return _shared(one.before, other.before) + _shared(one.behind, other.behind)


def site_of(view: View, span: Span, bases: Callable[[str], Sequence[str]]) -> Site:
    """Return what a place in a version is known by.

    Parameters
    ----------
    view
        The version.
    span
        The place.
    bases
        Returns blocks by the id of the one that it is in: that one, and what came after it.
    """
    start, end = span
    number = view.number_at(start)
    return Site(
        () if number is None else bases(view.blocks[number].base),
        view.headings(start, end),
        _words(view.text, max(0, start - _BESIDE), start),
        _words(view.text, end, min(len(view.text), end + _BESIDE)),
    )


def _of_headings(one: tuple[str, ...], other: tuple[str, ...]) -> float:
    if one == other:
        return 1.0 if one else 0.0
    return _SAME_TITLE if one and other and one[-1] == other[-1] else 0.0


def _shared(one: Counter[str], other: Counter[str]) -> float:
    """Return the share of words that both have, from 0 to 1."""
    n_words = one.total() + other.total()
    return 2 * (one & other).total() / n_words if n_words else 1.0


def _words(text: str, start: int, end: int) -> Counter[str]:
    return Counter(_WORD.findall(text[start:end].lower()))
