"""Counts of citations of a document: those that resolve, moved or broke by a new version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chunkwright.store.citing.quotes import stands_in

if TYPE_CHECKING:
    from collections.abc import Collection

    from chunkwright.document import Document
    from chunkwright.store.database.protocol import Session


def citations_after(
    session: Session,
    document: int,
    blocks: Collection[str],
    moved: Collection[str],
    content: Document | None,
) -> dict[str, Any]:
    """Return how many citations of a document resolve, have moved, and are broken.

    Parameters
    ----------
    session
        The transaction.
    document
        The number of the document.
    blocks
        The ids of the version's blocks, those that edits by hand stand for included.
    moved
        Those of them that stand in another order than before.
    content
        The version as it was read; None if the document was removed.
    """
    sql = "SELECT block, quote FROM citations WHERE document = ?"
    cited = session.rows(sql, (document,))
    if not cited:
        return {}
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
