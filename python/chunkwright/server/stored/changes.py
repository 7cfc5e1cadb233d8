"""Changes of a document of a store since a version, as pages show them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chunkwright.store.store import Store


def change_rows(store: Store, address: str, before: int) -> dict[str, Any]:
    """Return what became of a document since a version.

    Parameters
    ----------
    store
        The store.
    address
        The address of the document.
    before
        The number of the version.

    Returns
    -------
    dict
        As :func:`chunkwright.render.viewing.view_of` takes ``changes``.

    Raises
    ------
    StoreError
        If there is no such document or version.
    """
    found = store.diff(address, before)
    new, moved = set(found.new), set(found.moved)
    kinds = [
        "new" if block.id in new else "moved" if block.id in moved else "kept"
        for block in store.blocks(address)
    ]
    gone = set(found.gone)
    texts = [{"text": block.text} for block in store.blocks(address, before) if block.id in gone]
    return {
        "from": before,
        "to": found.version,
        "chunks": kinds,
        "gone": texts,
        "citations": {
            "resolved": found.citations_resolved,
            "moved": found.citations_moved,
            **_cited(store, address),
        },
    }


def _cited(store: Store, address: str) -> dict[str, list[dict[str, Any]]]:
    """Return the citations that are broken, and those around whose words something changed."""
    broken, changed = [], []
    for citation in store.citations(address):
        now = store.resolve(citation)
        row = {"quote": citation.quote, "cited_by": citation.cited_by, "status": now.status}
        if not now.resolves:
            stands = now.place.text if now.status == "altered" and now.place is not None else None
            broken.append(row | {"stands": stands})
        elif now.changes:
            changed.append(row | {"changes": list(now.changes)})
    return {"broken": broken, "changed": changed}
