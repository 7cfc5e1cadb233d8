"""Scores of rerankers, checked: one finite number for each text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chunkwright.errors import ModelError
from chunkwright.messages.terminal_text import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Of what is no score, so much is shown.
_SHOWN = 80


def checked_scores(scores: object, n_texts: int) -> NDArray[np.floating[Any]]:
    """Return scores as an array of shape ``(n_texts,)``.

    Raises
    ------
    ModelError
        If they are no finite number for each text.
    """
    import numpy as np

    try:
        found = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ModelError(f"the reranker gave no numbers: {repr(scores)[:_SHOWN]}") from error
    if found.shape != (n_texts,):
        raise ModelError(
            f"the reranker gave scores of shape {found.shape} for {counted(n_texts, 'text')}"
        )
    if not np.isfinite(found).all():
        row = int(np.flatnonzero(~np.isfinite(found))[0])
        raise ModelError(f"the reranker gave the score {found[row]} to text {row}")
    return found
