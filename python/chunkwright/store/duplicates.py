"""Near-duplicates among texts: MinHash signatures, candidates of them, links that are verified."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from chunkwright import _core
from chunkwright.checks import checked_int, checked_number
from chunkwright.errors import ConfigError

THRESHOLD = 0.8
"""How alike texts are that count as near-duplicates, where the caller does not say."""

Contradiction = Literal["number", "date", "unit", "negation", "limit", "opposite", "name"]
"""What two texts that are alike differ in."""


class Link(NamedTuple):
    """Two texts that are alike.

    Parameters
    ----------
    first, second
        Their numbers, the lower one first.
    similarity
        Their shingles of three terms that both have, divided by those that either has: from 0 to 1.
    """

    first: int
    second: int
    similarity: float


def near_duplicates(texts: Sequence[str], *, threshold: float = THRESHOLD) -> list[Link]:
    """Return links between texts that are alike: those that hold their groups together.

    Each link has been verified. Pairs at the threshold are found with a probability of 99.5 %, and
    pairs above it with a higher one. There are always fewer links than texts.
    The same texts give the same links on every machine.

    Parameters
    ----------
    texts
        The texts. One without words is like none.
    threshold
        How alike texts are at least: above 0 and at most 1.

    Returns
    -------
    list[Link]
        By the numbers of the texts.

    Examples
    --------
    >>> from chunkwright.store.duplicates import groups, near_duplicates
    >>> texts = ["It rained for two days.", "Nobody slept.", "It rained, for two days!"]
    >>> links = near_duplicates(texts)
    >>> links
    [Link(first=0, second=2, similarity=1.0)]
    >>> groups(links)
    [[0, 2]]
    """
    found = _core.near_duplicates(_checked_texts(texts), checked_number("threshold", threshold))
    return [Link(*link) for link in found]


def signatures(texts: Sequence[str], *, keep_apart: bool = False) -> list[bytes]:
    """Return the MinHash signature of each text: 512 bytes, the same on every machine.

    Parameters
    ----------
    texts
        The texts.
    keep_apart
        Whether signatures of texts that differ in a number, a date, a unit, a negation or another
        word that decides what they assert agree in nothing, however alike the texts are.
    """
    return _core.minhash_signatures(_checked_texts(texts), keeps_apart=keep_apart)


def contradiction(first: str, second: str) -> Contradiction | None:
    """Return what two texts that are alike differ in, so that neither may stand for the other.

    Numbers in digits and words, dates, units and currencies, negations, words that limit or oblige
    and words with an opposite are compared in their order; then negations of a word (*legal*,
    *illegal*), and capitalised words in the place of others. Case, whitespace, punctuation and
    other words do not count. Words are those of English, German, French, Spanish, Italian,
    Portuguese and Dutch; of other languages numbers in digits, signs, and some negations.

    Parameters
    ----------
    first, second
        The texts.

    Returns
    -------
    str or None
        ``"number"``, ``"date"``, ``"unit"``, ``"negation"``, ``"limit"`` (*before*, *must*,
        *only*), ``"opposite"`` (*increase*, *buyer*) or ``"name"``; None if one may stand for the
        other.

    Examples
    --------
    >>> from chunkwright.store.duplicates import contradiction
    >>> contradiction("Logs are kept for 90 days.", "Logs are kept for 30 days.")
    'number'
    >>> contradiction("Logs are kept for 90 days.", "Logs are simply kept for ninety days")
    """
    return _core.contradiction(*_checked_texts([first, second]))


def candidates(
    signatures: Sequence[bytes], *, threshold: float = THRESHOLD, first_new: int = 0
) -> list[tuple[int, int]]:
    """Return the pairs of signatures whose texts may be alike; :func:`similarity` verifies them.

    Parameters
    ----------
    signatures
        Those of known texts, then those of new ones.
    threshold
        How alike texts are at least: above 0 and at most 1.
    first_new
        The number of the first new signature: pairs of two known ones are left out.

    Returns
    -------
    list[tuple[int, int]]
        Numbers of signatures, the lower one first; ascending. Of many that agree each is in a pair
        with 32 before it at most.

    Examples
    --------
    >>> from chunkwright.store.duplicates import candidates, signatures
    >>> known = signatures(["It rained for two days.", "Nobody slept."])
    >>> candidates([*known, *signatures(["it rained for two days"])], first_new=2)
    [(0, 2)]
    """
    first_new = checked_int("first_new", first_new, least=0)
    threshold = checked_number("threshold", threshold)
    return _core.minhash_candidates(list(signatures), threshold, first_new)


def similarity(first: str, second: str) -> float:
    """Return how alike two texts are: the Jaccard similarity of their shingles, from 0 to 1.

    Parameters
    ----------
    first, second
        The texts.
    """
    return _core.jaccard_similarity(*_checked_texts([first, second]))


def groups(links: Iterable[tuple[int, int, float]]) -> list[list[int]]:
    """Return the groups of texts that links hold together, each ascending, by their lowest numbers.

    Parameters
    ----------
    links
        What :func:`near_duplicates` returns, or pairs with their similarities.
    """
    group_of = dict[int, list[int]]()
    for first, second, _ in links:
        a, b = group_of.setdefault(first, [first]), group_of.setdefault(second, [second])
        if a is not b:
            larger, smaller = (a, b) if len(a) >= len(b) else (b, a)
            larger += smaller
            group_of.update(dict.fromkeys(smaller, larger))
    found = {id(group): sorted(group) for group in group_of.values()}
    return sorted(found.values())


def _checked_texts(texts: Sequence[str]) -> list[str]:
    if isinstance(texts, str) or not all(isinstance(text, str) for text in texts):
        raise ConfigError(f"texts must be several str, got {texts!r:.80}", option="texts")
    return list(texts)
