"""Search of a store: candidates, shadows, rerankers, duplicates, and what is shown of each hit."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from chunkwright.errors import ChunkwrightError, ModelError
from chunkwright.retrieval.rerank.protocol import as_reranker
from chunkwright.retrieval.rerank.scores import checked_scores
from chunkwright.store.database.damage import decoding
from chunkwright.store.database.protocol import Query
from chunkwright.store.searching.candidates import (
    Candidate,
    Thresholds,
    candidates_of,
    with_shadows,
)
from chunkwright.store.searching.composing import composed
from chunkwright.store.searching.expansion import Expansion
from chunkwright.store.searching.filters import Filter
from chunkwright.store.searching.found import Results
from chunkwright.store.searching.matching import matching
from chunkwright.store.searching.showing import Showing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.retrieval.options import Options
    from chunkwright.store.database.protocol import Database
    from chunkwright.store.searching.opened import Opened, OpenedIndexes

# Candidates for each hit that is asked for, of which borderline ones and duplicates are left.
_MORE = 4
_LEAST = 20
# Candidates of a database that finds vectors by itself, at least.
_CANDIDATES = 100


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
    composes
        Whether a figure and the table beside it are one hit.
    """

    k: int | None = None
    max_tokens: int | None = None
    where: Filter = field(default_factory=Filter)
    thresholds: Thresholds = field(default_factory=Thresholds)
    expansion: Expansion | None = None
    skips_duplicates: bool = True
    composes: bool = False

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

    def found(self, question: str, request: Request) -> Results:
        """Return the hits of a question, best first.

        Raises
        ------
        StoreError
            If the database fails, or blocks have no vectors of the embedder.
        ModelError
            If the embedder or the reranker fails.
        """
        with decoding(self._database.name):
            return self._found(question, request)

    def _found(self, question: str, request: Request) -> Results:
        opened = self._indexes.of(self._first)
        index = opened.index
        rows, is_complete = self._rows(opened, question, request)
        asked = index.questions(question, rows)
        if request.is_filled:
            hits = index.search(question, max_tokens=request.max_tokens, rows=rows)
        else:
            hits = index.best(asked, self._n_candidates(request))
        found = candidates_of(index, self._first, asked, hits)
        found = with_shadows(found, index, opened.rows, question, request.thresholds)
        beside = {each.beside for each in found}
        found = [each for each in found if each.beside is not None or each.row not in beside]
        showing = Showing(self._database, opened.rows)
        found = self._reranked(showing, question, found)
        if request.skips_duplicates:
            found = showing.without_duplicates(found)
        if request.k is not None:
            is_complete = is_complete or len(found) >= request.k
            found = found[: request.k]
        shown = showing.found(found)
        if request.composes:
            with self._database.reading() as session:
                shown = composed(session, shown)
        if request.expansion is not None:
            shown = request.expansion.of(shown, request.max_tokens)
        return Results(shown, is_complete=is_complete)

    def _n_candidates(self, request: Request) -> int:
        k = request.k or 1
        is_plain = request.thresholds.gate is None and self._options.reranker is None
        if is_plain and not request.skips_duplicates:
            return k
        most = max(_MORE * k, _LEAST)
        return most if self._options.reranker is None else max(most, self._options.candidates)

    def _rows(
        self, opened: Opened, question: str, request: Request
    ) -> tuple[NDArray[np.int64] | None, bool]:
        """Return the rows that may be found (None for all), and whether there are no more."""
        with self._database.reading() as session:
            rows = matching(session, opened.rows, request.where)
        if opened.model is None:
            return rows, True
        return self._nearest(opened, question, rows, request)

    def _nearest(
        self,
        opened: Opened,
        question: str,
        rows: NDArray[np.int64] | None,
        request: Request,
    ) -> tuple[NDArray[np.int64] | None, bool]:
        """Return the candidates of a database that finds vectors by an index of its own.

        They are those that it finds nearest, and those that are best by their words.
        """
        import numpy as np

        vectors = opened.index.questions(question).vectors
        if vectors is None:
            return rows, True
        vector = vectors[0]
        length = float(np.linalg.norm(vector)) or 1.0
        n = max(_CANDIDATES, _MORE * (request.k or 1))
        condition, parameters = request.where.condition
        query = Query(opened.model or 0, vector / length, n, condition, parameters)
        with self._database.reading() as session:
            found = self._database.vectors.nearest(session, query)
        if found is None:
            return rows, True
        near = opened.rows.rows_at(found.places)
        if not self._first.words:
            return near, found.is_complete
        by_words = self._indexes.of(replace(self._first, embedder=None))
        hits = by_words.index.search(question, n, rows=rows)
        return np.union1d(near, hits.indices), found.is_complete

    def _reranked(self, showing: Showing, question: str, found: list[Candidate]) -> list[Candidate]:
        """Return the candidates in the order of the reranker, if there is one."""
        if self._options.reranker is None or not found:
            return found
        reranker = as_reranker(self._options.reranker)
        texts = showing.texts(found)
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
