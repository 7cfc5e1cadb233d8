"""Composed hits: a figure and the table beside it on a page as one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkwright.store.database.protocol import Session
    from chunkwright.store.searching.found import Found

# Blocks between a figure and its table, at most.
_BETWEEN = 2
_PARTNERS = {"figure": "table", "table": "figure"}


def composed(session: Session, found: Sequence[Found]) -> list[Found]:
    """Return hits of which a figure or table has the other one beside it on its page, if one is.

    The partner is no hit of its own any more.

    Parameters
    ----------
    session
        The transaction.
    found
        The hits, best first.
    """
    hits: list[Found] = []
    taken: set[str] = set()
    for hit in found:
        if hit.block in taken:
            continue
        partner = _partner(session, hit)
        if partner is None or partner[0] in taken:
            hits.append(hit)
            continue
        block, text, ordinal = partner
        taken.add(block)
        parts = [text, hit.text] if ordinal < hit.ordinal else [hit.text, text]
        hits.append(hit.with_text("\n\n".join(parts), (*hit.neighbours, block)))
    return hits


def _partner(session: Session, hit: Found) -> tuple[str, str, int] | None:
    """Return the nearest block of the other kind on a page of a hit: id, text and ordinal."""
    kind = _PARTNERS.get(hit.block_type)
    if kind is None or not hit.pages:
        return None
    rows = session.rows(
        "SELECT p.block, b.text, p.ordinal FROM placements p JOIN blocks b ON b.id = p.block"
        " JOIN documents d ON d.id = p.document WHERE d.uri = ? AND p.version = ?"
        " AND p.block_type = ? AND p.ordinal BETWEEN ? AND ?"
        " AND p.page_start <= ? AND p.page_end >= ?",
        (
            *(hit.document, hit.version, kind),
            *(hit.ordinal - _BETWEEN - 1, hit.ordinal + _BETWEEN + 1),
            *(hit.pages[-1], hit.pages[0]),
        ),
    )
    near = sorted(rows, key=lambda row: (abs(row[2] - hit.ordinal), row[2]))
    return None if not near else (near[0][0], near[0][1], near[0][2])
