"""Renewal of an index: which of its rows are those of another state."""

from __future__ import annotations

from typing import TYPE_CHECKING

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

    same = sorted(each.document for each in set(currents_before).intersection(currents))
    kept = np.array(same, np.int64)
    old, new = (np.flatnonzero(_is_of(kept, each.documents)) for each in (before, now))
    found = np.full(len(now.documents), -1, np.int64)
    if len(old) == len(new) and (before.numbers[old] == now.numbers[new]).all():
        found[new] = old
    return found


def _is_of(kept: NDArray[np.int64], documents: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which rows are of some documents, which ascend."""
    import numpy as np

    found: NDArray[np.bool_] = np.searchsorted(kept, documents, "right") > np.searchsorted(
        kept, documents, "left"
    )
    return found
