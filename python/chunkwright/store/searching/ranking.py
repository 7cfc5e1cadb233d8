"""Ranking of a search: the candidates of a question by the retriever, its reranker and shadows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chunkwright.errors import ChunkwrightError, ModelError
from chunkwright.retrieval.rerank.protocol import as_reranker
from chunkwright.retrieval.rerank.scores import checked_scores
from chunkwright.store.searching.candidates import (
    MOST_SHADOWED,
    Candidate,
    Thresholds,
    candidates_of,
    with_shadows,
)

if TYPE_CHECKING:
    from chunkwright.retrieval.options import Options
    from chunkwright.retrieval.questions import Questions
    from chunkwright.retrieval.rerank.protocol import Reranker
    from chunkwright.store.searching.opened import Opened
    from chunkwright.store.searching.showing import Showing

# So many times as many candidates are looked at, where there are too few.
MORE = 4
# So many more than are likely to fit into a budget.
_SPARE = 5


@dataclass(frozen=True)
class Ranking:
    """Ranking of the blocks of an index.

    Parameters
    ----------
    opened
        The index, without a reranker: candidates are reranked without duplicates, before
        thresholds are compared with scores.
    showing
        Shows its blocks.
    options
        The retriever.
    thresholds
        Scores between which shadows are searched.
    skips_duplicates
        Whether of blocks that are nearly the same only the best is a candidate.
    """

    opened: Opened
    showing: Showing
    options: Options
    thresholds: Thresholds
    skips_duplicates: bool

    def n_candidates(self, k: int | None, max_tokens: int | None) -> int:
        """Return how many candidates are looked at, at first.

        Which those are does not depend on how many hits are asked for, so that fewer hits are the
        first of more: a reranker is given as many as its retriever says, and shadows are searched
        of as many, unless more hits are asked for.

        Parameters
        ----------
        k, max_tokens
            How many hits, and tokens of all; None: without limit.
        """
        n = k or 1
        if self.options.reranker is not None:
            return max(n, self.options.candidates)
        if k is None and max_tokens is not None:
            sizes = self.opened.of_rows.n_tokens
            n = min(int(max_tokens * len(sizes) / max(1, sizes.sum())) + _SPARE, 1 + len(sizes))
        return n if self.thresholds.gate is None else max(n, MOST_SHADOWED)

    def candidates(self, asked: Questions, n: int) -> tuple[list[Candidate], bool]:
        """Return the first candidates of a question, best first, and whether there are no more.

        Parameters
        ----------
        asked
            The question.
        n
            How many are looked at.
        """
        (question,) = asked.texts
        found = self._best(asked, n)
        floor = self.thresholds.floor
        is_all = len(found) < n or (floor is not None and found[-1].score < floor)
        if self.options.reranker is not None and found:
            reranker = as_reranker(self.options.reranker)
            found, is_all = self._reranked(reranker, question, found), True
        index, rows = self.opened.index, self.opened.rows
        return with_shadows(found, index, rows, question, self.thresholds), is_all

    def _best(self, asked: Questions, n: int) -> list[Candidate]:
        """Return candidates, of those that say nearly the same only the best."""
        index, depth = self.opened.index, n
        while True:
            found = candidates_of(index, self.options, asked, index.best(asked, depth))
            showing = self.showing
            distinct = showing.without_duplicates(found) if self.skips_duplicates else found
            if len(distinct) >= n or len(found) < depth:
                return distinct[:n]
            depth *= MORE

    def _reranked(
        self, reranker: Reranker, question: str, found: list[Candidate]
    ) -> list[Candidate]:
        """Return candidates in the order of the reranker."""
        texts = self.showing.texts(found)
        try:
            scores = checked_scores(reranker.scores(question, texts), len(texts)).tolist()
        except ChunkwrightError:
            raise
        except Exception as error:
            raise ModelError(f"the reranker failed on {len(texts)} texts: {error!r}") from error
        ranked = [
            replace(
                each,
                score=score,
                why=replace(each.why, rank_before=rank, score_before=each.score),
            )
            for rank, (each, score) in enumerate(zip(found, scores, strict=True))
        ]
        return sorted(ranked, key=lambda each: -each.score)
