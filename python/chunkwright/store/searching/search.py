"""Search of a store: candidates, shadows, rerankers, duplicates, and what is shown of each hit."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from chunkwright.errors import ChunkwrightError, ModelError
from chunkwright.retrieval.rerank.protocol import as_reranker
from chunkwright.retrieval.rerank.scores import checked_scores
from chunkwright.store.searching.candidates import (
    Candidate,
    Thresholds,
    candidates_of,
    with_shadows,
)
from chunkwright.store.searching.expansion import Expansion
from chunkwright.store.searching.filters import Filter
from chunkwright.store.searching.showing import Showing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.retrieval.options import Options
    from chunkwright.store.database.protocol import Database
    from chunkwright.store.searching.found import Found
    from chunkwright.store.searching.opened import Opened, OpenedIndexes

# Candidates for each hit that is asked for, of which borderline ones and duplicates are left.
_MORE = 4
_LEAST = 20
_PLACES = (
    "SELECT p.document, p.ordinal FROM placements p JOIN documents d"
    " ON d.id = p.document AND d.current_version = p.version"
)


@dataclass(frozen=True, kw_only=True)
class Request:
    """What a search is to find.

    Attributes
    ----------
    k
        How many blocks, at most; None: as many as fit.
    max_tokens
        Tokens of all hits of a question together, at most; None: without limit.
    where
        Which blocks are searched.
    thresholds
        Scores between which shadows are searched.
    expansion
        How hits are widened; None: they are not.
    skips_duplicates
        Whether of blocks that are nearly the same only the best is a hit.
    """

    k: int | None = None
    max_tokens: int | None = None
    where: Filter = field(default_factory=Filter)
    thresholds: Thresholds = field(default_factory=Thresholds)
    expansion: Expansion | None = None
    skips_duplicates: bool = True

    @property
    def is_filled(self) -> bool:
        """Whether hits are cut to fill a budget: where each is a block by itself."""
        return self.k is None


class StoreSearch:
    """Search of a store by one retriever.

    Parameters
    ----------
    database
        The store's.
    indexes
        Its indexes.
    options
        The retriever.
    """

    def __init__(self, database: Database, indexes: OpenedIndexes, options: Options) -> None:
        self._database = database
        self._indexes = indexes
        self._options = options
        # Hits are reranked with their neighbours, and not by the index.
        self._first = replace(options, reranker=None)

    def found(self, question: str, request: Request) -> list[Found]:
        """Return the hits of a question, best first.

        Raises
        ------
        StoreError
            If the database fails, or blocks have no vectors of the embedder.
        ModelError
            If the embedder or the reranker fails.
        """
        opened = self._indexes.of(self._first)
        rows = self._rows(opened, request.where)
        index, options = opened.index, self._first
        if request.is_filled:
            hits = index.search(question, max_tokens=request.max_tokens, rows=rows)[0]
        else:
            hits = index.search(question, self._n_candidates(request), rows=rows)[0]
        found = candidates_of(index, options, question, hits)
        found = with_shadows(found, index, opened.rows, question, request.thresholds)
        found = self._reranked(opened, question, found)
        showing = Showing(self._database, opened.rows)
        if request.skips_duplicates:
            found = showing.without_duplicates(found)
        if request.k is not None:
            found = found[: request.k]
        shown = showing.found(found)
        if request.expansion is None:
            return shown
        return request.expansion.of(shown, request.max_tokens)

    def _n_candidates(self, request: Request) -> int:
        k = request.k or 1
        is_plain = request.thresholds.gate is None and self._options.reranker is None
        if is_plain and not request.skips_duplicates:
            return k
        most = max(_MORE * k, _LEAST)
        return most if self._options.reranker is None else max(most, self._options.candidates)

    def _rows(self, opened: Opened, where: Filter) -> NDArray[np.int64] | None:
        """Return the rows that may be found; None for all."""
        condition, parameters = where.condition
        if not condition:
            return None
        with self._database.reading() as session:
            places = session.rows(f"{_PLACES} WHERE {condition}", parameters)
        return opened.rows.rows_at([(place[0], place[1]) for place in places])

    def _reranked(self, opened: Opened, question: str, found: list[Candidate]) -> list[Candidate]:
        """Return the candidates in the order of the reranker, if there is one."""
        if self._options.reranker is None or not found:
            return found
        reranker = as_reranker(self._options.reranker)
        texts = [Showing(self._database, opened.rows).text(each) for each in found]
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
