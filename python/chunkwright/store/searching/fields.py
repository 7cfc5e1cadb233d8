"""Fields of the blocks of a store: what words are looked for in beside their texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from chunkwright.readers.kinds import is_code
from chunkwright.retrieval.steps.fields import PATH, SCOPE, scope_text
from chunkwright.store.drafts import Row

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.store.database.protocol import Session


class Current(NamedTuple):
    """The current version of a document, and how often what is searched of it has changed."""

    document: int
    version: int
    revision: int


def _paths(session: Session, current: Current, n: int) -> list[str]:
    """Return the path of a source file, for each of its blocks; nothing for prose."""
    row = session.row("SELECT uri FROM documents WHERE id = ?", (current.document,))
    path = "" if row is None else str(row[0])
    return [path if is_code(path) else ""] * n


def _scopes(session: Session, current: Current, n: int) -> list[str]:
    """Return the names of the definitions that each block of a source file is in."""
    sql = "SELECT chunk FROM placements WHERE document = ? AND version = ? ORDER BY ordinal"
    subjects = [Row.of_json(row[0]).subject for row in session.rows(sql, current[:2])]
    return [scope_text(*of[:2]) if of else "" for of in subjects[:n]]


FIELD_TEXTS: Final[Mapping[str, Callable[[Session, Current, int], list[str]]]] = {
    PATH: _paths,
    SCOPE: _scopes,
}
"""What gives the text of a field for each block of a version, by the name of the field."""


def source_documents(session: Session, documents: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """Return the document of each row, -1 where that is no source file; None if none is.

    Parameters
    ----------
    session
        The transaction.
    documents
        The document of each row.
    """
    import numpy as np

    rows = session.rows("SELECT id, uri FROM documents WHERE current_version IS NOT NULL")
    sources = [document for document, uri in rows if is_code(uri)]
    if not sources:
        return None
    found: NDArray[np.int64] = np.where(np.isin(documents, sources), documents, -1)
    return found
