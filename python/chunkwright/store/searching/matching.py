"""Matching of filters: the rows of an index that a search is to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright.store.searching.filters import OF_BLOCKS, Filter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.store.database.protocol import Session
    from chunkwright.store.searching.conditions import Condition
    from chunkwright.store.searching.furniture import Furniture
    from chunkwright.store.searching.rows import BlockRows

_DOCUMENTS = "SELECT d.id FROM documents d WHERE d.current_version IS NOT NULL"
# Filters of blocks whose rows are kept.
_KEPT = 8
_PLACES = (
    "SELECT p.document, p.ordinal FROM placements p JOIN documents d"
    " ON d.id = p.document AND d.current_version = p.version"
)


def matching(session: Session, rows: BlockRows, where: Filter) -> NDArray[np.int64] | None:
    """Return the rows for which a filter is true, ascending; None for all.

    What it asks of documents is asked of these, not of each of their blocks.

    Parameters
    ----------
    session
        The transaction.
    rows
        The rows of the index.
    where
        The filter.
    """
    import numpy as np

    of_documents = where.without_blocks
    if not of_documents.is_of_documents:
        return _of_blocks(session, rows, where)
    condition, parameters = of_documents.condition
    found = None
    if condition:
        documents = session.rows(f"{_DOCUMENTS} AND {condition}", parameters)
        found = rows.rows_of([document for (document,) in documents])
    own = {name: getattr(where, name) for name in OF_BLOCKS}
    of_blocks = _kept(session, rows, Filter(**own))
    if found is None or of_blocks is None:
        return of_blocks if found is None else found
    both: NDArray[np.int64] = np.intersect1d(found, of_blocks, assume_unique=True)
    return both


def matching_lines(
    session: Session, furniture: Furniture, where: Filter
) -> NDArray[np.bool_] | None:
    """Return for each page header and footer whether a filter is true of it; None: of all."""
    import numpy as np

    def of_documents(condition: Condition) -> NDArray[np.bool_]:
        sql, parameters = condition
        found = session.rows(f"{_DOCUMENTS} AND {sql}", parameters)
        return np.isin(furniture.documents, [document for (document,) in found])

    if not where.condition[0]:
        return None
    return where.holds(furniture.lines, of_documents)


def _kept(session: Session, rows: BlockRows, where: Filter) -> NDArray[np.int64] | None:
    """Return the rows for which a filter of blocks alone is true; those of the last few are kept.

    What is asked of the blocks of a version never changes, metadata of its document may.
    """
    condition, parameters = where.condition
    key = condition, tuple(parameters)
    found = rows.matched.pop(key, None)
    if found is None:
        found = _of_blocks(session, rows, where)
    if found is not None:
        rows.matched[key] = found
        while len(rows.matched) > _KEPT:
            rows.matched.pop(next(iter(rows.matched)), None)
    return found


def _of_blocks(session: Session, rows: BlockRows, where: Filter) -> NDArray[np.int64] | None:
    condition, parameters = where.condition
    if not condition:
        return None
    places = session.rows(f"{_PLACES} WHERE {condition}", parameters)
    return rows.rows_at([(place[0], place[1]) for place in places])
