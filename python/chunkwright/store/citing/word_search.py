"""Search for the words of a citation in a version: as they are, altered, or what replaced them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from chunkwright.store.citing.alignment import ALIKE, Aligned, aligned, quoted_in
from chunkwright.store.citing.changes import Change, around, changes_between
from chunkwright.store.citing.choosing import chosen, is_copy, likeness, most_like, nearest, site_of
from chunkwright.store.citing.quotes import cuts_of, places_of
from chunkwright.store.citing.resolution import Resolution, Status
from chunkwright.store.citing.tokens import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkwright.store.citing.history import History
    from chunkwright.store.citing.places import Place
    from chunkwright.store.citing.views import Span, View
    from chunkwright.store.model import Citation

# What its place counts for a form, beside the share of its words.
_OF_SITE = 0.05
# Forms of a quote that are compared.
_MOST_FORMS = 64


class WordSearch:
    """Search for the words of one citation in one version.

    Parameters
    ----------
    history
        The document.
    of
        The citation.
    before, span
        The version that was cited, and where the words stand in it.
    now
        The version in which they are looked for.
    """

    def __init__(self, history: History, of: Citation, before: View, span: Span, now: View) -> None:
        self._history, self._of, self._before, self._span = history, of, before, span
        self._now = now
        self._number = before.numbers[of.block]
        self._base = before.blocks[self._number].base
        self._site = site_of(before, span, history.chain)

    def resolution(self, cited: Place) -> Resolution:
        """Return what became of words that stood at a place."""
        places = self._places()
        own = self._own(places)
        if own is not None and self._is_near(own):
            return self._standing(own, cited)
        found = self._altered(places)
        if own is not None and (found is None or not self._is_copy(own, (found.start, found.end))):
            return self._standing(own, cited)
        if found is not None and found.difference is not None:
            span = found.start, found.end
            return Resolution(
                "altered",
                self._of,
                self._now.place(*span),
                cited,
                self._successor(),
                found.difference,
                self._changes(span),
            )
        if places and not self._is_rewritten():
            sites = [site_of(self._now, each, _alone) for each in places]
            return self._standing(places[most_like(self._site, sites)], cited)
        return self._superseded(cited)

    def _standing(self, span: Span, cited: Place) -> Resolution:
        number = self._now.number_at(span[0])
        base = None if number is None else self._now.blocks[number].base
        is_same = base == self._base and base not in self._history.moved_since(self._of.version)
        place = self._now.place(*span)
        status: Status = "same" if is_same else "moved"
        return Resolution(status, self._of, place, cited, changes=self._changes(span))

    def _superseded(self, cited: Place) -> Resolution:
        after = self._successor()
        if after is None:
            return Resolution("gone", self._of, None, cited)
        block = self._now.blocks[self._now.numbers[after]]
        place = self._now.place(block.start, block.end)
        changes: tuple[Change, ...] = ("edited",) if self._is_edited(block.start) else ()
        return Resolution("superseded", self._of, place, cited, after, changes=changes)

    # ------------------------------------------------------- letter for letter

    def _places(self) -> Sequence[Span]:
        """Return where the words stand letter for letter."""
        cuts = cuts_of(self._before.text, *self._span)
        found = places_of(self._of.quote, self._now.text, cuts)
        stands = self._in_block()
        if stands is not None and stands not in found:
            # A place before it in the same words overlaps with it.
            others = [each for each in found if each[1] <= stands[0] or stands[1] <= each[0]]
            found = sorted([*others, stands])
        return found

    def _in_block(self) -> Span | None:
        """Return where the words stand in their own block; None if that or they are gone."""
        number = self._now.numbers.get(self._base)
        if number is None or self._now.blocks[number].block != self._of.block:
            return None
        stands = self._now.span_of(self._now.blocks[number], self._of.start, self._of.end)
        is_own = self._now.text[slice(*stands)].split() == self._of.quote.split()
        return stands if is_own else None

    def _is_original(self, own: Span | None, places: Sequence[Span]) -> bool:
        """Return whether a place in the cited block is no copy, as it is under other headings.

        A block has the id of what it says, so the same that came in elsewhere has it, too: then the
        words stand between their neighbours at another place, under the headings that they had.
        """
        headings = self._site.headings
        if own is None or not headings or self._now.headings(*own) == headings:
            return own is not None
        under = (each for each in places if self._now.headings(*each) == headings)
        return not any(self._is_copy(own, each) for each in under)

    def _own(self, places: Sequence[Span]) -> Span | None:
        """Return which of the places is that of the citation; None if all are of others."""
        if not places:
            return None
        cuts = cuts_of(self._before.text, *self._span)
        others = places_of(self._of.quote, self._before.text, cuts)
        rank = sum(each[0] < self._span[0] for each in others)
        if self._span not in others:
            others = sorted([*others, self._span])
        own = self._in_block()
        if len(others) == 1 and (len(places) == 1 or self._is_original(own, places)):
            # Words that stood once are those of their block, however often they stand now.
            return own or places[0]
        near = nearest(places, rank * len(places) // len(others))
        near_others = nearest(others, rank)
        rank = near_others.index(self._span)
        sites = [site_of(self._now, each, _alone) for each in near]
        before = [site_of(self._before, each, self._history.chain) for each in near_others]
        found = chosen(before, rank, sites)
        return None if found is None else near[found]

    def _is_near(self, span: Span) -> bool:
        """Return whether a place is in the cited block or what came after it, or its section."""
        number = self._now.number_at(span[0])
        base = None if number is None else self._now.blocks[number].base
        is_under = self._site.headings and self._site.headings == self._now.headings(*span)
        return is_under or base in self._history.chain(self._base)

    def _is_copy(self, place: Span, form: Span) -> bool:
        """Return whether words stand at a new place, and altered ones between their neighbours."""
        sites = (site_of(self._now, each, _alone) for each in (place, form))
        return is_copy(self._site, *sites)

    # ----------------------------------------------------------------- altered

    def _altered(self, places: Sequence[Span]) -> Aligned | None:
        """Return the form of the words that stands in their place, or elsewhere if all words do."""
        quoted = quoted_in(self._before.text, *self._span)
        found = [
            form
            for start, end in self._regions
            if (form := aligned(quoted, self._now.text, start, end)) is not None
            and form.share > ALIKE
            and (form.start, form.end) not in places
        ]
        best = max(found, key=self._weight, default=None)
        is_reworded = best is None or best.difference is None or best.difference.kind == "words"
        if is_reworded and not places:
            words = [each.key for each in quoted.words]
            spans = self._spans_of_words(words)
            if spans:
                sites = [site_of(self._now, each, _alone) for each in spans]
                start, end = spans[most_like(self._site, sites)]
                elsewhere = aligned(quoted, self._now.text, start, end)
                if elsewhere is not None and elsewhere.difference is not None:
                    return elsewhere
        return best

    def _weight(self, form: Aligned) -> float:
        """Return how much speaks for a form: its words, and where it stands."""
        site = site_of(self._now, (form.start, form.end), _alone)
        return form.share + _OF_SITE * likeness(self._site, site)

    @cached_property
    def _regions(self) -> list[Span]:
        """The parts of the current text that took the place of the cited blocks."""
        now, before = self._now, self._before
        last = before.number_at(max(self._span[0], self._span[1] - 1))
        own = range(self._number, 1 + max(self._number, self._number if last is None else last))
        taken = {before.blocks[number].base for number in own}
        kept = [
            now.numbers[each.base]
            for each in before.blocks
            if each.base in now.numbers and each.base not in taken
        ]
        n_before = sum(each.base in now.numbers for each in before.blocks[: own.start])
        # Behind the block that stood before them, and before the one that stood behind them: these
        # two may not be neighbours any more.
        low = kept[n_before - 1] if n_before else -1
        high = kept[n_before] if n_before < len(kept) else len(now.blocks)
        standing = sorted(kept)
        after_low = bisect_right(standing, low)
        before_high = bisect_left(standing, high) - 1
        regions = [
            (low + 1, standing[after_low] if after_low < len(standing) else len(now.blocks)),
            (standing[before_high] + 1 if before_high >= 0 else 0, high),
        ]
        successor = self._successor()
        if successor is not None:
            number = now.numbers[successor]
            regions.append((number, number + 1))
        parts = [now.blocks[first:stop] for first, stop in dict.fromkeys(regions) if first < stop]
        found = [
            (min(each.start for each in blocks), max(each.end for each in blocks))
            for blocks in parts
        ]
        return [*found, *now.sections(self._site.headings)]

    def _spans_of_words(self, words: Sequence[str]) -> list[Span]:
        """Return where words stand one behind the other, whatever is between and within them."""
        own = [each for each in self._now.tokens if each.kind is Kind.WORD]
        starts = [0, *accumulate(len(each.key) for each in own)]
        numbers = {at: number for number, at in enumerate(starts)}
        text, sought = "".join(each.key for each in own), "".join(words)
        found: list[Span] = []
        at = text.find(sought) if sought else -1
        while at >= 0 and len(found) < _MOST_FORMS:
            first, last = numbers.get(at), numbers.get(at + len(sought))
            if first is not None and last is not None:
                found.append((own[first].start, own[last - 1].end))
            at = text.find(sought, at + 1)
        return found

    def _successor(self) -> str | None:
        """Return the block that took the place of the cited one, or of what did so before."""
        for block in self._history.chain(self._of.block):
            number = self._now.numbers.get(block)
            if number is not None:
                stands = self._now.blocks[number].block
                if stands != self._of.block:
                    return stands
        return None

    def _is_rewritten(self) -> bool:
        """Return whether the cited block was edited by hand since."""
        number = self._now.numbers.get(self._base)
        return number is not None and self._is_edited(self._now.blocks[number].start)

    # ----------------------------------------------------------------- changes

    def _changes(self, span: Span) -> tuple[Change, ...]:
        found = changes_between(around(self._before, self._span), around(self._now, span))
        return (*found, "edited") if self._is_edited(span[0]) else found

    def _is_edited(self, at: int) -> bool:
        """Return whether words stand there that were written by hand since the citation."""
        number = self._now.number_at(at)
        if number is None:
            return False
        block = self._now.blocks[number]
        return block.is_manual and block.block != self._of.block


def _alone(block: str) -> tuple[str, ...]:
    return (block,)
