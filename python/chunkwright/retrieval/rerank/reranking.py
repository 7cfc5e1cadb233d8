"""Second pass of a search: the best candidates, in the order that a reranker gives them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from chunkwright.concurrency.ordered_results import in_threads
from chunkwright.errors import ChunkwrightError, ModelError
from chunkwright.messages.terminal_text import counted
from chunkwright.retrieval.hits import Hits
from chunkwright.retrieval.rerank.protocol import Reranker
from chunkwright.retrieval.rerank.scores import checked_scores

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Questions that are asked of a server at once.
_WORKERS = 4


class Reranking:
    """Second scoring of the candidates of a search.

    Parameters
    ----------
    reranker
        The model.
    texts_at
        Gives the texts of chunks by their numbers.
    candidates
        How many of the first hits it is given.
    """

    def __init__(
        self,
        reranker: Reranker,
        texts_at: Callable[[NDArray[np.int64]], list[str]],
        candidates: int,
    ) -> None:
        self.candidates = candidates
        self._reranker = reranker
        self._texts_at = texts_at

    def of(self, hits: Hits, questions: list[str]) -> Hits:
        """Return hits with the reranker's scores, best first; of equal ones the earlier is first.

        Raises
        ------
        ModelError
            If the reranker fails.
        """
        import numpy as np

        is_shared = getattr(self._reranker, "concurrent", False) is True
        work = partial(self._scored, hits, questions)
        n_threads = _WORKERS if is_shared else 1
        found = list(in_threads(work, range(len(questions)), n_threads))
        scores = np.concatenate([np.zeros(0), *found])
        question = np.repeat(np.arange(len(hits)), np.diff(hits.offsets))
        # Stable: the first pass decides where the second does not.
        order = np.lexsort((hits.ranks, -scores, question))
        return Hits(
            hits.offsets,
            hits.indices[order],
            scores[order],
            scores_before=hits.scores[order],
            ranks_before=hits.ranks[order],
        )

    def _scored(self, hits: Hits, questions: list[str], question: int) -> NDArray[np.float64]:
        import numpy as np

        rows = slice(int(hits.offsets[question]), int(hits.offsets[question + 1]))
        texts = self._texts_at(hits.indices[rows])
        if not texts:
            return np.zeros(0)
        try:
            scores = self._reranker.scores(questions[question], texts)
        except ChunkwrightError:
            raise
        except Exception as error:
            failed = f"the reranker failed on {counted(len(texts), 'text')}: {error!r}"
            raise ModelError(failed) from error
        return checked_scores(scores, len(texts)).astype(np.float64)
