"""Resolving of citations: where quoted words stand today, or what became of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright.store.citing.history import History
from chunkwright.store.citing.places import Place
from chunkwright.store.citing.quotes import places_of
from chunkwright.store.citing.resolution import Resolution
from chunkwright.store.citing.word_search import WordSearch
from chunkwright.store.reading import known_state

if TYPE_CHECKING:
    from chunkwright.store.database.protocol import Session
    from chunkwright.store.model import Citation, DocumentState


def resolve(session: Session, of: Citation) -> Resolution:
    """Return what became of a citation.

    Raises
    ------
    StoreError
        If its version cannot be read.
    """
    state, _ = known_state(session, of.document, of.version)
    return Resolver(session, state, state.version).resolution(of)


class Resolver:
    """Resolution of the citations of a document, whose versions are read once.

    Parameters
    ----------
    session
        The transaction.
    state
        The document.
    version
        The version in which words are looked for; None if the document was removed.
    """

    def __init__(self, session: Session, state: DocumentState, version: int | None) -> None:
        self._history = History(session, state, version)

    def resolution(self, of: Citation) -> Resolution:
        """Return what became of a citation.

        Raises
        ------
        StoreError
            If its version cannot be read.
        """
        now, before = self._history.now, self._history.view(of.version)
        number = before.numbers.get(of.block)
        if number is None or before.blocks[number].block != of.block:
            # The version was pruned.
            return self._without_place(of)
        span = before.span_of(before.blocks[number], of.start, of.end)
        cited = before.place(*span)
        if now is None:
            return Resolution("gone", of, None, cited)
        return WordSearch(self._history, of, before, span, now).resolution(cited)

    def _without_place(self, of: Citation) -> Resolution:
        cited = Place(of.document, of.version, 0, 0, 0, 0, (), (), (), of.quote, of.block)
        now = self._history.now
        if now is None:
            return Resolution("gone", of, None, cited)
        number = now.numbers.get(of.block)
        if number is not None and now.blocks[number].block == of.block:
            span = now.span_of(now.blocks[number], of.start, of.end)
            return Resolution("same", of, now.place(*span), cited)
        found = places_of(of.quote, now.text)
        if found:
            return Resolution("moved", of, now.place(*found[0]), cited)
        return Resolution("gone", of, None, cited)
