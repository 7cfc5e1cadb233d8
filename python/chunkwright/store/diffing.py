"""Comparison of two versions of a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright.store.citing.counts import citations_after
from chunkwright.store.importing.identities import out_of_order
from chunkwright.store.importing.report import DocumentReport
from chunkwright.store.state import placed
from chunkwright.store.versions import document_at, known_state

if TYPE_CHECKING:
    from chunkwright.store.database.protocol import Session


def versions_diff(session: Session, uri: str, before: int, after: int | None) -> DocumentReport:
    """Return what became of the blocks and citations of one version in another one.

    Raises
    ------
    StoreError
        If there is no such document or version.
    """
    state, number = known_state(session, uri, after)
    document_at(session, state, number)
    document_at(session, state, before)
    stands = placed(session, state.id, number)
    old = [each.base for each in placed(session, state.id, before)]
    new = [each.base for each in stands]
    places = {block: i for i, block in enumerate(old)}
    pairs = {i: places[block] for i, block in enumerate(new) if block in places}
    moved = [new[i] for i in sorted(out_of_order(pairs))]
    present = {each.base for each in stands} | {each.block for each in stands}
    return DocumentReport(
        uri,
        "changed" if old != new else "unchanged",
        number,
        kept=[block for block in new if block in places],
        new=[block for block in new if block not in places],
        gone=[block for block in old if block not in present],
        moved=moved,
        **citations_after(session, state, number),
    )
