"""Renewal of an index: which of its rows are those of another state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright.store.searching.rows import rows_among

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.store.searching.segments import Current, IndexRows


def rows_before(
    currents_before: Sequence[Current],
    before: IndexRows,
    currents: Sequence[Current],
    now: IndexRows,
) -> NDArray[np.int64]:
    """Return for each row its number in another state; -1 for all of documents that changed.

    Parameters
    ----------
    currents_before, before
        The documents and rows of the other state.
    currents, now
        Those of this one.
    """
    import numpy as np

    same = [each.document for each in set(currents_before).intersection(currents)]
    old, new = (rows_among(each.documents, same) for each in (before, now))
    found = np.full(len(now.documents), -1, np.int64)
    if len(old) == len(new) and (before.numbers[old] == now.numbers[new]).all():
        found[new] = old
    return found
