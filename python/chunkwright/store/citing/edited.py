"""Quotes of blocks that were edited by hand, and of the sources of such blocks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chunkwright.store.citing.views import View
from chunkwright.store.quotes import QuoteTexts
from chunkwright.store.state import MANUAL
from chunkwright.store.versions import known_document

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chunkwright.store.citing.places import Place
    from chunkwright.store.citing.verifying import Verification
    from chunkwright.store.database.protocol import Session


def with_edits(
    session: Session, of: Verification, quote: str, document: int | None, limit: int
) -> Verification:
    """Return a verification that knows of edits by hand, too.

    Words of a current edit are found, and words of its source say what they were edited as.

    Parameters
    ----------
    session
        The transaction.
    of
        What became of the quote by the sources alone.
    quote
        The words.
    document
        The document that they should be from; None for any.
    limit
        How many places are returned at most.
    """
    of = replace(of, places=tuple(_as_source(session, of.places)))
    own: list[Place] = []
    others: list[Place] = []
    for number, place in _edited_places(session, quote, limit):
        (own if document in {None, number} else others).append(place)
    if not own and (not others or of.verdict == "found"):
        return of
    known = of.places if of.is_verbatim else ()
    return replace(
        of,
        verdict="found" if own else "elsewhere",
        places=(*own, *others, *known)[:limit],
        nearest=None,
        quoted=None,
        stands=None,
        is_current=of.is_current if known else True,
    )


def _as_source(session: Session, places: Iterable[Place]) -> Iterable[Place]:
    """Yield places of sources, those of edited blocks with the block that was cut there."""
    sql = (
        "SELECT COALESCE(b.base, b.id), e.id FROM blocks b JOIN blocks e"
        " ON e.base = COALESCE(b.base, b.id) AND e.origin = ? AND e.superseded_by IS NULL"
        " JOIN placements p ON p.block = e.id JOIN documents d"
        " ON d.id = p.document AND d.current_version = p.version WHERE b.id = ?"
    )
    for place in places:
        row = session.row(sql, (MANUAL, place.block))
        yield place if row is None else replace(place, block=row[0], edited_as=row[1])


def _edited_places(session: Session, quote: str, limit: int) -> Iterable[tuple[int, Place]]:
    """Yield where a quote stands in current edits, each with the number of the document."""
    rows = session.rows(
        "SELECT d.id, d.current_version, b.id, b.text FROM blocks b"
        " JOIN documents d ON d.id = b.document JOIN placements p ON p.block = b.id"
        " AND p.document = d.id AND p.version = d.current_version"
        # All of them have a base, and of these there is an index.
        " WHERE b.base > '' AND b.origin = ? ORDER BY d.id, p.ordinal",
        (MANUAL,),
    )
    if not rows:
        return
    views: dict[int, View] = {}
    for match in QuoteTexts([row[3] for row in rows]).find(quote, limit=limit):
        document, version, block, _ = rows[match.text_index]
        if document not in views:
            views[document] = View(session, known_document(session, document), version)
        view = views[document]
        start = view.blocks[view.numbers[block]].start
        yield document, view.place(start + match.start, start + match.end)
