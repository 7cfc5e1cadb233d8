"""Pruning of a store: old versions that nobody cites, and what only they needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkwright.store.citing.quoted_texts import forget_filters
from chunkwright.store.erasing import OF_BLOCKS, forget, forget_fingerprints
from chunkwright.store.model import MANUAL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeVar

    from chunkwright.store.database.protocol import Database, Session

    Item = TypeVar("Item")

# Documents and inputs of one transaction: others write between two.
_DOCUMENTS, _INPUTS = 64, 1_000


@dataclass(frozen=True)
class Pruned:
    """What was removed from a store.

    Attributes
    ----------
    n_versions, n_blocks, n_vectors
        The number of versions, blocks and vectors.
    n_documents
        The number of documents that were deleted entirely: they had been removed, and nobody cites
        them.
    """

    n_versions: int
    n_blocks: int
    n_vectors: int
    n_documents: int = 0


def prune(database: Database, keep: int) -> Pruned:
    """Remove old versions, blocks that stand in no version, and vectors that nothing needs.

    Versions and blocks that are cited stay, and so do blocks that were edited by hand. Of documents
    that were removed nothing stays, where no version is cited or kept.

    Parameters
    ----------
    database
        The store's. What is removed goes in several transactions.
    keep
        How many versions of a document stay beside the current one.
    """
    with database.reading() as session:
        waiting = _with_remains(session)
    counts = [(0, 0, 0)]
    for some in _parts(waiting, _DOCUMENTS):
        with database.writing() as session:
            counts += [_pruned(session, document, keep) for document in some]
    with database.writing() as session:
        forget_fingerprints(session)
    n_versions, n_blocks, n_documents = (sum(column) for column in zip(*counts, strict=True))
    return Pruned(n_versions, n_blocks, _without_use(database), n_documents)


def _with_remains(session: Session) -> list[int]:
    """Return the documents that have more than their current version and its blocks."""
    rows = session.rows(
        "SELECT d.id FROM documents d WHERE d.current_version IS NULL OR EXISTS (SELECT 1 FROM"
        " versions v WHERE v.document = d.id AND v.version <> d.current_version)"
        " UNION SELECT b.document FROM blocks b WHERE NOT EXISTS"
        " (SELECT 1 FROM placements p WHERE p.block = b.id) ORDER BY 1"
    )
    return [row[0] for row in rows]


def _pruned(session: Session, document: int, keep: int) -> tuple[int, int, int]:
    """Prune a document; return how many versions, blocks and documents were removed."""
    row = session.row("SELECT current_version FROM documents WHERE id = ?", (document,))
    if row is None:
        # It was erased meanwhile.
        return 0, 0, 0
    gone, left = _old_versions(session, document, row[0], keep)
    cited = session.row("SELECT 1 FROM citations WHERE document = ?", (document,))
    if row[0] is None and not left and cited is None:
        counts = forget(session, document)
        return counts.n_versions, counts.n_blocks, 1
    _hand_over(session, document, set(gone))
    forget_filters(session, document, gone)
    for version in gone:
        for table in ("placements", "versions"):
            session.run(
                f"DELETE FROM {table} WHERE document = ? AND version = ?",  # noqa: S608
                (document, version),
            )
    return len(gone), _without_place(session, document), 0


def _old_versions(
    session: Session, document: int, current: int | None, keep: int
) -> tuple[list[int], list[int]]:
    """Return the versions that are neither current, nor cited, nor among the last; and the rest."""
    rows = session.rows(
        "SELECT v.version, EXISTS (SELECT 1 FROM citations c WHERE c.document = v.document"
        " AND c.version = v.version) FROM versions v WHERE v.document = ? ORDER BY v.version DESC",
        (document,),
    )
    free = [version for version, is_cited in rows if version != current and not is_cited]
    gone = free[keep:]
    return gone, [version for version, _ in rows if version not in set(gone)]


def _hand_over(session: Session, document: int, gone: set[int]) -> None:
    """Let other versions keep the content that they share with those that go."""
    heirs: dict[int, int] = {}
    sql = "SELECT version, content_version FROM versions WHERE document = ? ORDER BY version"
    for version, owner in session.rows(sql, (document,)):
        if owner in gone and version not in gone:
            heirs.setdefault(owner, version)
    for owner, heir in heirs.items():
        session.run(
            "UPDATE versions SET content = (SELECT v.content FROM versions v"
            " WHERE v.document = ? AND v.version = ?) WHERE document = ? AND version = ?",
            (document, owner, document, heir),
        )
        session.run(
            "UPDATE versions SET content_version = ? WHERE document = ? AND content_version = ?",
            (heir, document, owner),
        )


def _without_place(session: Session, document: int) -> int:
    """Remove the blocks of a document that nothing leads to any more; return how many."""
    sql = "SELECT id, origin, base, superseded_by FROM blocks WHERE document = ?"
    rows = session.rows(sql, (document,))
    leads = {block: (base, after) for block, _, base, after in rows}
    waiting: list[str] = [block for block, origin, _, _ in rows if origin == MANUAL]
    for table in ("placements", "citations"):
        sql = f"SELECT DISTINCT block FROM {table} WHERE document = ?"  # noqa: S608
        waiting += [row[0] for row in session.rows(sql, (document,))]
    kept = set[str]()
    while waiting:
        block = waiting.pop()
        if block not in kept:
            kept.add(block)
            waiting += [each for each in leads.get(block, ()) if each is not None]
    gone = [block for block in leads if block not in kept]
    for table, column in OF_BLOCKS:
        session.delete(table, column, gone)
    return session.delete("blocks", "id", gone)


def _without_use(database: Database) -> int:
    """Remove the vectors of inputs that stand in no version, some at once; return how many."""
    vectors, n_removed = database.vectors, 0
    with database.reading() as session:
        models = [model for (model,) in session.rows("SELECT id FROM models ORDER BY id")]
        unused = {model: vectors.unused(session, model) for model in models}
    for model, inputs in unused.items():
        for some in _parts(inputs, _INPUTS):
            with database.writing() as session:
                gone = vectors.unused(session, model, some)
                vectors.drop(session, model, gone)
            n_removed += len(gone)
    return n_removed


def _parts(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    for at in range(0, len(items), size):
        yield items[at : at + size]
