"""Identities of blocks over versions: which new block is an old one, and what came after it."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict, deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from chunkwright.store.model import Known

# How alike two texts are, from 0 to 1, of which one takes the place of the other.
SIMILAR = 0.5
# Blocks on each side of the place of a gone one that are compared with it.
_AROUND = 16


def matched(old: Sequence[bytes], new: Sequence[bytes]) -> dict[int, int]:
    """Return which of the new texts are old ones: numbers of new ones, each with that of an old.

    Each is matched with one that has the same hash, as many as there are in both. Texts that occur
    once in both are anchors; those that occur more often are matched in order between two anchors,
    and the rest in order. O(n log n).

    Parameters
    ----------
    old, new
        Hashes of the texts, in the order of the document.
    """
    pairs: dict[int, int] = {}
    anchors = _in_order(_unique_in_both(old, new))
    before = (-1, -1)
    for at in [*anchors, (len(old), len(new))]:
        pairs |= _matched_within(old, new, range(before[0] + 1, at[0]), range(before[1] + 1, at[1]))
        if at[0] < len(old):
            pairs[at[1]] = at[0]
        before = at
    taken = set(pairs.values())
    left = [i for i in range(len(old)) if i not in taken]
    return pairs | _matched_within(old, new, left, [j for j in range(len(new)) if j not in pairs])


def out_of_order(pairs: Mapping[int, int]) -> set[int]:
    """Return which of the new texts have moved: all but a longest run that is in the old order."""
    in_order = {new for _, new in _in_order([(pairs[new], new) for new in sorted(pairs)])}
    return set(pairs) - in_order


def occurrences(known: Iterable[Known], hashes: Sequence[bytes]) -> list[int]:
    """Return a number for each new text: none that another block with its hash has."""
    taken: dict[bytes, set[int]] = defaultdict(set)
    for block in known:
        taken[block.content_hash].add(block.occurrence)
    free: dict[bytes, int] = defaultdict(int)
    found = []
    for each in hashes:
        while free[each] in taken[each]:
            free[each] += 1
        found.append(free[each])
        free[each] += 1
    return found


def successors(
    old: Sequence[str], new: Sequence[str], pairs: Mapping[int, int]
) -> dict[int, tuple[int, float]]:
    """Return what took the place of old texts that are gone.

    It is the new text most like it between those that follow the same old ones before and behind.

    Parameters
    ----------
    old, new
        The texts, in the order of the document.
    pairs
        Which new texts are old ones.

    Returns
    -------
    dict
        For numbers of old texts the number of a new one, and how alike they are, from
        :data:`SIMILAR` to 1. An old text without one has none.
    """
    anchors = _in_order([(pairs[number], number) for number in sorted(pairs)])
    ends = [*anchors, (len(old), len(new))]
    kept = set(pairs.values())
    before = (-1, -1)
    found: dict[int, tuple[int, float]] = {}
    for at in ends:
        own = [number for number in range(before[1] + 1, at[1]) if number not in pairs]
        gone = [i for i in range(before[0] + 1, at[0]) if i not in kept]
        for at_gone, number in enumerate(gone):
            # Where the texts between two anchors were all changed, they follow in the same order.
            middle = at_gone * len(own) // len(gone)
            near = own[max(0, middle - _AROUND) : middle + _AROUND + 1]
            best = _most_alike(old[number], [(i, new[i]) for i in near], own[middle : middle + 1])
            if best is not None:
                found[number] = best
        before = at
    return found


def similarity(one: str, other: str) -> float:
    """Return how alike two texts are: the share of their words that both have, from 0 to 1."""
    words, more = Counter(one.split()), Counter(other.split())
    n_words = words.total() + more.total()
    return 2 * (words & more).total() / n_words if n_words else 1.0


def _most_alike(
    text: str, others: list[tuple[int, str]], middle: Sequence[int]
) -> tuple[int, float] | None:
    """Return the number of the text that is most alike; of equal ones the nearest to the middle."""
    scored = [
        (similarity(text, other), -abs(number - (middle[0] if middle else number)), -number)
        for number, other in others
    ]
    best, _, number = max(scored, default=(0.0, 0, 0))
    return (-number, best) if best >= SIMILAR else None


def _unique_in_both(old: Sequence[bytes], new: Sequence[bytes]) -> list[tuple[int, int]]:
    """Return the numbers of texts that occur once in both, in the order of the new ones."""
    n_old, n_new = Counter(old), Counter(new)
    places = {each: i for i, each in enumerate(old)}
    return [
        (places[each], j) for j, each in enumerate(new) if n_new[each] == 1 and n_old.get(each) == 1
    ]


def _in_order(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return a longest selection in which the first numbers ascend; the second do in all."""
    ends: list[int] = []
    lasts: list[int] = []
    before: list[int] = []
    for number, (first, _) in enumerate(pairs):
        at = bisect_left(ends, first)
        before.append(lasts[at - 1] if at else -1)
        ends[at : at + 1] = [first]
        lasts[at : at + 1] = [number]
    chain = []
    number = lasts[-1] if lasts else -1
    while number >= 0:
        chain.append(pairs[number])
        number = before[number]
    return chain[::-1]


def _matched_within(
    old: Sequence[bytes], new: Sequence[bytes], of_old: Iterable[int], of_new: Iterable[int]
) -> dict[int, int]:
    """Match texts with equal hashes in order."""
    waiting: dict[bytes, deque[int]] = defaultdict(deque)
    for i in of_old:
        waiting[old[i]].append(i)
    pairs = {}
    for j in of_new:
        if queue := waiting.get(new[j]):
            pairs[j] = queue.popleft()
    return pairs
