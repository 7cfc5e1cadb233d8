"""Filling of a budget with hits: whole ones while they fit, and the best sentences of the next."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chunkwright.retrieval.budget import Budget, n_fitting
from chunkwright.retrieval.hits import Hits
from chunkwright.retrieval.indexed_chunks import IndexedChunks, units_of
from chunkwright.retrieval.options import Questions
from chunkwright.retrieval.trimming import Pieces, best_run

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Filling:
    """The budget of a search, and what the hits are cut by that do not fit whole.

    Parameters
    ----------
    budget
        How much fits.
    given
        The chunks.
    sentences
        Their sentences.
    """

    budget: Budget
    given: IndexedChunks
    sentences: Pieces

    def filled_up(self, hits: Hits, questions: Questions) -> Hits:
        """Return the hits that fit, and the best part of the first that does not."""
        import numpy as np

        texts = hits.texts()
        counts, rooms = n_fitting(hits.offsets, self.budget.sizes(texts), self.budget.limit)
        is_whole = hits.ranks < np.repeat(counts, np.diff(hits.offsets))
        is_next = hits.ranks == np.repeat(counts, np.diff(hits.offsets))
        nexts = hits.where(is_next)
        own = rooms[nexts.questions].tolist()
        ends = ends_of(hits)
        starts = np.zeros_like(ends) if hits.starts is None else hits.starts.copy()
        cut = self.ranges(nexts, questions, own)
        starts[is_next], ends[is_next] = cut[:, 0], cut[:, 1]
        is_kept = is_whole.copy()
        is_kept[is_next] = cut[:, 0] < cut[:, 1]
        return replace(hits, starts=starts, ends=ends).where(is_kept)

    def ranges(self, hits: Hits, questions: Questions, rooms: list[int]) -> NDArray[np.int64]:
        """Return the start and the end of the best part of each hit; the same if nothing fits."""
        import numpy as np

        rows = [hit for found in hits for hit in found]
        texts = self.given.texts_at(hits.indices)
        units = [
            units_of(
                text,
                self.given.table_rows(hit.index),
                hit.start,
                len(text) if hit.end is None else hit.end,
            )
            for text, hit in zip(texts, rows, strict=True)
        ]
        places = [[start for start, _ in own] for own in units]
        scores = self.sentences.scores_at(hits, questions.texts, questions.vectors, places)
        found = [
            best_run(own, score.tolist(), self.budget.size_within(text), room)
            for text, own, score, room in zip(texts, units, scores, rooms, strict=True)
        ]
        return np.array(found, np.int64).reshape(-1, 2)


def ends_of(hits: Hits) -> NDArray[np.int64]:
    """Return where each hit ends in its chunk's text."""
    import numpy as np

    if hits.ends is not None:
        return hits.ends.copy()
    return np.fromiter(map(len, hits.texts()), np.int64, len(hits.indices))
