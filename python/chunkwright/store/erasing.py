"""Erasing from a store: documents and citations of which nothing is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from chunkwright.store.citing.quoted_texts import forget_filters
from chunkwright.store.notes import CHANGES_ERASED, LAST_ERASED, erased_count, note
from chunkwright.store.reading import state_by_spelling
from chunkwright.store.schema import now

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkwright.store.database.protocol import Database, Session

OF_BLOCKS = (("signatures", "block"), ("duplicates", "block"), ("duplicates", "other"))
"""Derived rows of blocks, by the columns that have their ids."""


@dataclass(frozen=True)
class Erased:
    """What was erased from a store.

    Attributes
    ----------
    n_documents, n_versions, n_blocks, n_citations, n_vectors
        The number of documents, versions, blocks, citations and vectors.
    is_overwritten
        Whether nothing of them is left in the store's files. False while a reader still needs the
        old state, and for PostgreSQL, whose server keeps logs and pages of its own.
    """

    n_documents: int = 0
    n_versions: int = 0
    n_blocks: int = 0
    n_citations: int = 0
    n_vectors: int = 0
    is_overwritten: bool = False


class Counts(NamedTuple):
    """Rows that were deleted with a document: versions, blocks and citations."""

    n_versions: int
    n_blocks: int
    n_citations: int


def erase(database: Database, uris: Sequence[str], *, keep_citations: bool) -> Erased:
    """Erase documents; those that the store does not have are none.

    Parameters
    ----------
    database
        The store's.
    uris
        Their addresses.
    keep_citations
        Whether ids of citations stay, without what they cite.
    """
    found: list[Counts] = []
    inputs: set[bytes] = set()
    with database.writing() as session:
        for uri in dict.fromkeys(uris):
            state = state_by_spelling(session, uri)
            if state is not None:
                inputs.update(_inputs_of(session, state.id))
                found.append(forget(session, state.id, keep_citations=keep_citations))
        forget_fingerprints(session)
        n_vectors = drop_unused(session, database, sorted(inputs))
    if not found:
        return Erased()
    n_versions, n_blocks, n_citations = (sum(column) for column in zip(*found, strict=True))
    return Erased(len(found), n_versions, n_blocks, n_citations, n_vectors)


def forget(session: Session, document: int, *, keep_citations: bool = False) -> Counts:
    """Delete all rows of a document, but its fingerprints, and the vectors of its inputs.

    Parameters
    ----------
    session
        The transaction.
    document
        Its number.
    keep_citations
        Whether ids of citations stay, without what they cite.
    """
    of_blocks = "(SELECT id FROM blocks WHERE document = ?)"
    for table, column in OF_BLOCKS:
        session.run(f"DELETE FROM {table} WHERE {column} IN {of_blocks}", (document,))  # noqa: S608
    if keep_citations:
        session.run(
            "INSERT INTO tombstones SELECT id, ? FROM citations WHERE document = ?",
            (now(), document),
        )
    forget_filters(session, document)
    counts = [
        session.run(f"DELETE FROM {table} WHERE document = ?", (document,))  # noqa: S608
        for table in ("versions", "blocks", "citations")
    ]
    for table in ("placements", "metadata", "metadata_items"):
        session.run(f"DELETE FROM {table} WHERE document = ?", (document,))  # noqa: S608
    _forget_words(session, document)
    _forget_number(session, document)
    return Counts(*counts)


def forget_fingerprints(session: Session) -> None:
    """Delete the fingerprints that no document and no version has any more."""
    session.run(
        "DELETE FROM fingerprints WHERE id NOT IN (SELECT fingerprint FROM documents"
        " UNION SELECT fingerprint FROM versions)"
    )


def drop_unused(session: Session, database: Database, inputs: Sequence[bytes] | None = None) -> int:
    """Remove the vectors of inputs that stand in no version; return how many.

    Parameters
    ----------
    session
        The transaction.
    database
        The store's.
    inputs
        The hashes of the inputs; None for all.
    """
    n_removed = 0
    for (model,) in session.rows("SELECT id FROM models ORDER BY id"):
        gone = database.vectors.unused(session, model, inputs)
        if gone:
            database.vectors.drop(session, model, gone)
            n_removed += len(gone)
    return n_removed


def tombstone(session: Session, citation: str) -> str | None:
    """Return when a citation was erased of which the id was kept; None if there is no such one."""
    row = session.row("SELECT erased_at FROM tombstones WHERE id = ?", (citation,))
    return None if row is None else str(row[0])


def uncite(session: Session, citation: str) -> bool:
    """Delete a citation, and what was kept of an erased one; return whether there was one."""
    sql = ("DELETE FROM citations WHERE id = ?", "DELETE FROM tombstones WHERE id = ?")
    return sum(session.run(each, (citation,)) for each in sql) > 0


def _inputs_of(session: Session, document: int) -> list[bytes]:
    sql = "SELECT DISTINCT input_hash FROM placements WHERE document = ?"
    return [row[0] for row in session.rows(sql, (document,))]


def _forget_words(session: Session, document: int) -> None:
    """Delete the segments that have the words of a document: the last that begin before it."""
    session.run(
        "DELETE FROM word_segments WHERE first = (SELECT max(w.first) FROM word_segments w"
        " WHERE w.subwords = word_segments.subwords AND w.first <= ?)",
        (document,),
    )


def _forget_number(session: Session, document: int) -> None:
    """Delete a document's own row, and keep its number from being given again."""
    row = session.row("SELECT revision FROM documents WHERE id = ?", (document,))
    revision = 0 if row is None else int(row[0])
    last = max(document, erased_count(session, LAST_ERASED))
    # One more: a state without the document is another one than that with it.
    changes = erased_count(session, CHANGES_ERASED) + revision + 1
    for name, value in ((LAST_ERASED, last), (CHANGES_ERASED, changes)):
        note(session, name, str(value))
    session.run("DELETE FROM documents WHERE id = ?", (document,))
