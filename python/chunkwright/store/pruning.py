"""Pruning of a store: old versions that nobody cites, and what only they needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chunkwright.store.database.protocol import Session, VectorTable


# Derived rows of blocks, by the columns that have their ids.
_OF_BLOCKS = (("signatures", "block"), ("duplicates", "block"), ("duplicates", "other"))


@dataclass(frozen=True)
class Pruned:
    """What was removed from a store.

    Attributes
    ----------
    n_versions, n_blocks, n_vectors
        How many versions, blocks and vectors.
    """

    n_versions: int
    n_blocks: int
    n_vectors: int


def prune(session: Session, vectors: VectorTable, keep: int) -> Pruned:
    """Remove old versions, blocks that stand in no version, and vectors that nothing needs.

    Versions and blocks that are cited stay, and so do blocks that were edited by hand.

    Parameters
    ----------
    session
        The transaction.
    vectors
        The vectors.
    keep
        How many versions of a document stay beside the current one.
    """
    old = _old_versions(session, keep)
    for document, version in old:
        _hand_over(session, document, version, {each[1] for each in old if each[0] == document})
        for table in ("placements", "versions"):
            session.run(
                f"DELETE FROM {table} WHERE document = ? AND version = ?",  # noqa: S608
                (document, version),
            )
    n_blocks = session.run(
        "DELETE FROM blocks WHERE NOT EXISTS (SELECT 1 FROM placements p WHERE p.block = blocks.id)"
        " AND NOT EXISTS (SELECT 1 FROM citations c WHERE c.block = blocks.id)"
        " AND NOT EXISTS (SELECT 1 FROM blocks e WHERE e.base = blocks.id)"
        " AND NOT EXISTS (SELECT 1 FROM blocks s WHERE s.superseded_by = blocks.id)"
        " AND origin = 'cut'"
    )
    for table, column in _OF_BLOCKS:
        session.run(
            f"DELETE FROM {table} WHERE NOT EXISTS"  # noqa: S608
            f" (SELECT 1 FROM blocks b WHERE b.id = {table}.{column})"
        )
    return Pruned(len(old), n_blocks, _unused_vectors(session, vectors))


def _old_versions(session: Session, keep: int) -> list[tuple[int, int]]:
    """Return the versions that are neither current, nor cited, nor among the last."""
    rows = session.rows(
        "SELECT v.document, v.version, d.current_version FROM versions v"
        " JOIN documents d ON d.id = v.document WHERE NOT EXISTS (SELECT 1 FROM citations c"
        " WHERE c.document = v.document AND c.version = v.version)"
        " ORDER BY v.document, v.version DESC"
    )
    found: list[tuple[int, int]] = []
    n_kept: dict[int, int] = {}
    for document, version, current in rows:
        if version == current:
            continue
        n_kept[document] = n_kept.get(document, 0) + 1
        if n_kept[document] > keep:
            found.append((document, version))
    return found


def _hand_over(session: Session, document: int, version: int, gone: set[int]) -> None:
    """Let another version that has the content of one keep it."""
    rows = session.rows(
        "SELECT version FROM versions WHERE document = ? AND content_version = ? AND version <> ?"
        " ORDER BY version",
        (document, version, version),
    )
    heirs = [row[0] for row in rows if row[0] not in gone]
    if not heirs:
        return
    session.run(
        "UPDATE versions SET content = (SELECT v.content FROM versions v"
        " WHERE v.document = ? AND v.version = ?) WHERE document = ? AND version = ?",
        (document, version, document, heirs[0]),
    )
    session.run(
        "UPDATE versions SET content_version = ? WHERE document = ? AND content_version = ?",
        (heirs[0], document, version),
    )


def _unused_vectors(session: Session, vectors: VectorTable) -> int:
    """Remove the vectors of inputs that no placement has."""
    used = {row[0] for row in session.rows("SELECT DISTINCT input_hash FROM placements")}
    n_removed = 0
    for (model,) in session.rows("SELECT id FROM models"):
        gone = [each for each in vectors.hashes(session, model) if each not in used]
        if gone:
            vectors.drop(session, model, gone)
            n_removed += len(gone)
    return n_removed
