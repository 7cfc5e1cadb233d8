"""Quotations looked for in texts, letter for letter: found, abridged, stitched or missing."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from chunkwright import _core
from chunkwright.checks import checked_int
from chunkwright.errors import ConfigError

Verdict = Literal["found", "elsewhere", "abridged", "stitched", "missing"]
"""What became of a quotation; see :class:`Comparison`."""

MIN_QUOTE_BYTES = _core.min_quote_bytes()
"""So many bytes of UTF-8 a quotation of one word has at least, without punctuation around it."""

MAX_MATCHES = 100
"""So many places are returned where the caller names no limit."""


@dataclass(frozen=True, slots=True)
class Match:
    """Where a quotation, or a part of it, stands.

    Parameters
    ----------
    text_index
        The number of the text.
    start, end
        Code points of the text.
    """

    text_index: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Nearest:
    """Where the longest part of a quotation stands that is missing as a whole.

    Parameters
    ----------
    match
        The place of that part.
    quoted
        The first word of the quotation that differs; empty where the quotation ends.
    stands
        The word that the text has there; empty where the text ends.
    stands_at
        Code points of that word in the text.
    """

    match: Match
    quoted: str
    stands: str
    stands_at: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What became of a quotation.

    Parameters
    ----------
    verdict
        ``"found"``: it stands in a text as one run. ``"elsewhere"``: it does, but in none of the
        texts that it should be from. ``"abridged"``: its parts stand in one text in their order,
        and an ellipsis in the quotation says where something is left out. ``"stitched"``: it is put
        together of two or three runs from different places or texts, and does not say so.
        ``"missing"``: some of its words stand nowhere so.
    matches
        Where it stands; of an abridged or stitched one, where its parts do, in their order.
    nearest
        Of a missing one, what is most like it; None if no word of it stands anywhere.
    """

    verdict: Verdict
    matches: list[Match]
    nearest: Nearest | None = None


class QuoteTexts:
    r"""Texts, normalised once for many quotations; some three bytes for each byte of them.

    What may differ between a text and a quotation is a written list, in docs/citations.md.

    Parameters
    ----------
    texts
        The texts.

    Examples
    --------
    >>> from chunkwright.store.quotes import QuoteTexts
    >>> texts = QuoteTexts(["It rained for two\ndays. The co-\nordinates were lost."])
    >>> texts.find("“IT RAINED for two days”")
    [Match(text_index=0, start=0, end=22)]
    >>> found = texts.compare("It rained for ten days.")
    >>> found.verdict, found.nearest.quoted, found.nearest.stands
    ('missing', 'ten', 'two')
    """

    def __init__(self, texts: Sequence[str]) -> None:
        if isinstance(texts, str) or not all(isinstance(text, str) for text in texts):
            raise ConfigError(f"texts must be several str, got {texts!r:.80}", option="texts")
        self._indexes = [_core.QuoteIndex(text) for text in texts]

    def __len__(self) -> int:
        return len(self._indexes)

    def find(self, quote: str, *, limit: int = MAX_MATCHES) -> list[Match]:
        """Return the places of a quotation, by texts; those of one text do not overlap.

        Parameters
        ----------
        quote
            The quotation: two words or at least 12 bytes, without the punctuation around it.
        limit
            At most so many places are returned.

        Raises
        ------
        ConfigError
            If the quotation is too short.
        """
        limit, found = checked_int("limit", limit, least=1), list[Match]()
        checked = _checked_quote(quote)
        for i, index in enumerate(self._indexes):
            if len(found) < limit:
                found += [Match(i, *span) for span in index.find(checked, limit - len(found))]
        return found

    def compare(
        self,
        quote: str,
        *,
        expected: Collection[int] | None = None,
        limit: int = MAX_MATCHES,
    ) -> Comparison:
        """Return what became of a quotation.

        Parameters
        ----------
        quote
            The quotation: two words or at least 12 bytes, without the punctuation around it.
        expected
            Numbers of the texts that it should be from; None if it may be from any.
        limit
            At most so many places are returned. Those in expected texts come first.

        Raises
        ------
        ConfigError
            If the quotation is too short.
        """
        limit, checked = checked_int("limit", limit, least=1), _checked_quote(quote)
        n_texts = len(self._indexes)
        wanted = set(range(n_texts) if expected is None else expected)
        order = sorted(range(n_texts), key=lambda i: i not in wanted)
        slots = [(None, [self._indexes[i]]) for i in order]
        _, verdict, places, nearest = _core.compare_quote(slots, checked, limit, n_texts)
        matches = [Match(order[i], *span) for (i, _), span in places]
        is_elsewhere = verdict == "found" and not wanted.intersection(m.text_index for m in matches)
        if nearest is None:
            return Comparison("elsewhere" if is_elsewhere else verdict, matches)
        (i, _), place, (start, end), stands = nearest
        word = self._indexes[order[i]].text[slice(*stands)]
        found = Nearest(Match(order[i], *place), checked[start:end], word, stands)
        return Comparison(verdict, matches, found)


def find_quote(quote: str, texts: Sequence[str], *, limit: int = MAX_MATCHES) -> list[Match]:
    r"""Return the places of a quotation in texts; see :meth:`QuoteTexts.find`.

    Parameters
    ----------
    quote
        The quotation.
    texts
        Where it is looked for.
    limit
        At most so many places are returned.

    Examples
    --------
    >>> from chunkwright.store.quotes import find_quote
    >>> find_quote("two days of rain", ["After *two days*\fof rain the river rose."])
    [Match(text_index=0, start=7, end=24)]
    """
    return QuoteTexts(texts).find(quote, limit=limit)


def compare_quote(
    quote: str,
    texts: Sequence[str],
    *,
    expected: Collection[int] | None = None,
    limit: int = MAX_MATCHES,
) -> Comparison:
    """Return what became of a quotation in texts; see :meth:`QuoteTexts.compare`.

    Parameters
    ----------
    quote
        The quotation.
    texts
        Where it is looked for.
    expected
        Numbers of the texts that it should be from; None if it may be from any.
    limit
        At most so many places are returned.

    Examples
    --------
    >>> from chunkwright.store.quotes import compare_quote
    >>> pages = ["It rained for two days.", "The river rose above its banks."]
    >>> compare_quote("The river rose", pages, expected=[0]).verdict
    'elsewhere'
    >>> compare_quote("It rained for two days … the river rose above", pages).verdict
    'stitched'
    """
    return QuoteTexts(texts).compare(quote, expected=expected, limit=limit)


def _checked_quote(quote: object) -> str:
    if not isinstance(quote, str):
        raise ConfigError(f"quote must be a str, got {quote!r:.80}", option="quote")
    return quote
