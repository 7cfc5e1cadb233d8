"""Links between blocks that say nearly the same, over all documents of a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright.store.duplicates import candidates, signatures, similarity

if TYPE_CHECKING:
    from chunkwright.store.database.protocol import Session

_THRESHOLD = "duplicates threshold"
_BLOCKS = (
    "SELECT DISTINCT b.id, b.text, p.document, p.ordinal FROM placements p"
    " JOIN documents d ON d.id = p.document AND d.current_version = p.version"
    " JOIN blocks b ON b.id = p.block ORDER BY p.document, p.ordinal"
)


def link(session: Session, threshold: float) -> int:
    """Link blocks of current versions that are nearly the same; return how many links are new.

    Blocks that were compared before are compared with new ones only.

    Parameters
    ----------
    session
        The transaction.
    threshold
        The least similarity; another one than before compares all anew.
    """
    _forget_others(session, threshold)
    known: dict[str, bytes] = dict(session.rows("SELECT block, data FROM signatures"))
    blocks = [(row[0], row[1]) for row in session.rows(_BLOCKS)]
    old = [each for each in blocks if each[0] in known]
    new = [each for each in blocks if each[0] not in known]
    own = signatures([text for _, text in new])
    pairs = candidates(
        [known[block] for block, _ in old] + own, threshold=threshold, first_new=len(old)
    )
    both = [*old, *new]
    links = [
        (both[first][0], both[second][0], score)
        for first, second in pairs
        if (score := similarity(both[first][1], both[second][1])) >= threshold
    ]
    session.insert("duplicates", links)
    session.insert("signatures", [(block, data) for (block, _), data in zip(new, own, strict=True)])
    return len(links)


def linked(session: Session, block: str) -> list[str]:
    """Return the blocks that say nearly the same as one, those over other blocks too."""
    sql = "SELECT other FROM duplicates WHERE block = ? UNION SELECT block FROM duplicates"
    found, waiting = {block: None}, [block]
    while waiting:
        each = waiting.pop()
        for (other,) in session.rows(f"{sql} WHERE other = ? ORDER BY 1", (each, each)):
            if other not in found:
                found[other] = None
                waiting.append(other)
    del found[block]
    return list(found)


def _forget_others(session: Session, threshold: float) -> None:
    """Remove links and signatures that were made for another threshold."""
    row = session.row("SELECT value FROM state WHERE name = ?", (_THRESHOLD,))
    if row is not None and float(row[0]) == threshold:
        return
    for table in ("duplicates", "signatures"):
        session.run(f"DELETE FROM {table}")  # noqa: S608 - a name of its own
    session.run("DELETE FROM state WHERE name = ?", (_THRESHOLD,))
    session.insert("state", [(_THRESHOLD, repr(threshold))])
