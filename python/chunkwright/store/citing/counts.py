"""Counts of citations of a document: those that resolve, moved or broke by a new version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chunkwright.store.citing.quotes import stands_in

if TYPE_CHECKING:
    from chunkwright.document import Document
    from chunkwright.store.database.protocol import Session
    from chunkwright.store.importing.planning import Plan


def citations_after(
    session: Session, document: int, plan: Plan | None, content: Document | None
) -> dict[str, Any]:
    """Return how many citations of a document resolve, have moved, and are broken.

    Parameters
    ----------
    session
        The transaction that has written the version.
    document
        The number of the document.
    plan
        The version; None if the document was removed.
    content
        Its text.
    """
    sql = "SELECT block, quote FROM citations WHERE document = ?"
    cited = session.rows(sql, (document,))
    if not cited:
        return {}
    blocks = set() if plan is None else {block for each in plan.stands for block in each[1:3]}
    moved = set() if plan is None else set(plan.moved)
    counts = {"citations_resolved": 0, "citations_moved": 0, "citations_broken": 0}
    for block, quote in cited:
        if block in blocks:
            kind = "citations_moved" if block in moved else "citations_resolved"
        elif content is not None and stands_in(quote, content.body):
            kind = "citations_moved"
        else:
            kind = "citations_broken"
        counts[kind] += 1
    return counts
