"""Counts of citations of a document: what a version makes of them."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from chunkwright.errors import StoreError
from chunkwright.store.citing.citations import citations
from chunkwright.store.citing.resolving import Resolver

if TYPE_CHECKING:
    from chunkwright.store.database.protocol import Session
    from chunkwright.store.state import DocumentState


def citations_after(session: Session, state: DocumentState, version: int | None) -> dict[str, Any]:
    """Return how many citations of a document resolve, have moved and are broken in a version.

    Parameters
    ----------
    session
        The transaction.
    state
        The document.
    version
        The number of the version; None if the document was removed.

    Returns
    -------
    dict
        What :class:`~chunkwright.store.importing.report.DocumentReport` says of citations; empty
        if there are none.
    """
    cited = citations(session, state.uri)
    if not cited:
        return {}
    resolver = Resolver(session, state, version)
    found = []
    for each in cited:
        # A version that cannot be read costs its citations, not the import.
        with suppress(StoreError):
            found.append(resolver.resolution(each))
    statuses = Counter(each.status for each in found)
    n_resolved, n_moved = statuses["same"], statuses["moved"]
    changes = Counter(change for each in found for change in each.changes)
    return {
        "citations_resolved": n_resolved,
        "citations_moved": n_moved,
        "citations_broken": len(cited) - n_resolved - n_moved,
        "citations_altered": statuses["altered"],
        "citation_changes": dict(sorted(changes.items())),
    }
