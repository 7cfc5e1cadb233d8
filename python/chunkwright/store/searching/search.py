"""Search of a store: candidates, shadows, rerankers, duplicates, and what is shown of each hit."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from chunkwright.errors import ChunkwrightError, ModelError
from chunkwright.retrieval.rerank.protocol import as_reranker
from chunkwright.retrieval.rerank.scores import checked_scores
from chunkwright.store.database.damage import decoding
from chunkwright.store.database.protocol import Query
from chunkwright.store.searching.candidates import (
    MOST_SHADOWED,
    Candidate,
    Thresholds,
    candidates_of,
    with_shadows,
)
from chunkwright.store.searching.composing import composed
from chunkwright.store.searching.expansion import Expansion
from chunkwright.store.searching.filters import Filter
from chunkwright.store.searching.found import Found, Results
from chunkwright.store.searching.furniture import Matches, found_line
from chunkwright.store.searching.matching import matching, matching_lines
from chunkwright.store.searching.showing import Showing
from chunkwright.store.versions import TOKENIZER
from chunkwright.tokens.tokenizer import as_tokenizer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.retrieval.options import Options
    from chunkwright.store.database.protocol import Database, Session
    from chunkwright.store.searching.furniture import Ranked
    from chunkwright.store.searching.opened import Opened, OpenedIndexes

# So many times as many candidates are looked at, where duplicates leave too few.
_MORE = 4
# Candidates of a database that finds vectors by itself, at least: as many for 1 hit as for 40.
_CANDIDATES = 160


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
    has_lines
        Whether page headers and footers are found, too.
    """

    k: int | None = None
    max_tokens: int | None = None
    where: Filter = field(default_factory=Filter)
    thresholds: Thresholds = field(default_factory=Thresholds)
    expansion: Expansion | None = None
    skips_duplicates: bool = True
    composes: bool = False
    has_lines: bool = True

    @property
    def is_filled(self) -> bool:
        """Whether hits are cut to fill a budget: where each is a block by itself."""
        return self.max_tokens is not None and self.expansion is None

    def fitting(self, found: Sequence[Found], more: Iterable[Found]) -> list[Found]:
        """Return hits with those of others, in their order, that there is room for."""
        hits = list(found)
        if self.k is not None:
            more = islice(more, max(0, self.k - len(hits)))
        if not self.is_filled:
            return [*hits, *more]
        room = self._room_beside(hits)
        for hit in more:
            room -= _n_tokens(hit)
            if room < 0:
                break
            hits.append(hit)
        return hits

    def beside(self, found: Sequence[Found]) -> Request | None:
        """Return what blocks are looked for where these are hits; None if there is no room."""
        if not self.is_filled:
            return self
        room = self._room_beside(found)
        return replace(self, max_tokens=room) if room > 0 else None

    def is_over_floor(self, hit: Found) -> bool:
        """Return whether a hit has the least score that hits have."""
        floor = self.thresholds.floor
        return floor is None or hit.score >= floor

    def _room_beside(self, found: Sequence[Found]) -> int:
        return (self.max_tokens or 0) - sum(map(_n_tokens, found))


def _n_tokens(hit: Found) -> int:
    return as_tokenizer(TOKENIZER).count(hit.text)


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
        # Candidates are reranked without duplicates, before thresholds are compared with scores.
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
        lines, furniture = Matches(), opened.furniture
        with self._database.reading() as session:
            rows = matching(session, opened.rows, request.where)
            if furniture is not None and request.has_lines:
                is_among = matching_lines(session, furniture, request.where)
                is_distinct = self._first.skip_duplicate_text
                lines = furniture.matches(question, rows, is_among, is_distinct=is_distinct)
            first = request.fitting((), self._lines(session, opened, lines.first))
        blocks, is_complete = self._blocks(opened, question, rows, request)
        best = blocks[0].score if blocks else -math.inf
        first = [replace(hit, score=max(hit.score, best)) for hit in first]
        first = [hit for hit in first if request.is_over_floor(hit)]
        if first and request.is_filled:
            room = request.beside(first)
            blocks = [] if room is None else self._blocks(opened, question, rows, room)[0]
        shown = [*first, *blocks][: request.k]
        if lines.others:
            least = blocks[-1].score if blocks else math.inf
            with self._database.reading() as session:
                others = self._lines(session, opened, lines.others, least)
                shown = request.fitting(shown, takewhile(request.is_over_floor, others))
        if request.expansion is not None:
            shown = request.expansion.of(shown, request.max_tokens)
        return Results(shown, is_complete=is_complete)

    def _lines(
        self, session: Session, opened: Opened, lines: Iterable[Ranked], most: float = math.inf
    ) -> Iterator[Found]:
        """Yield lines as hits, with the scores that their words alone would give to blocks."""
        own = self._first
        is_sum = own.embedder is not None and own.fusion == "sum"
        for each in lines:
            score = min(most, each.share * (own.word_weight if is_sum else 1.0))
            yield found_line(session, each, opened.rows.versions[each.line.document], score)

    def _blocks(
        self,
        opened: Opened,
        question: str,
        rows: NDArray[np.int64] | None,
        request: Request,
    ) -> tuple[list[Found], bool]:
        """Return the blocks that answer a question, best first, and whether there are no more."""
        index, is_complete = opened.index, True
        if opened.model is not None:
            rows, is_complete = self._nearest(opened, question, rows, request)
        asked = index.questions(question, rows)
        showing = Showing(self._database, opened.rows)
        first = partial(candidates_of, index, self._first, asked)
        if request.is_filled:
            hits = index.search(question, max_tokens=request.max_tokens, rows=rows)
            found = self._distinct(showing, first(hits), request)
        else:
            found = self._best(showing, lambda n: first(index.best(asked, n)), request)
        found = self._reranked(showing, question, found)
        found = with_shadows(found, index, opened.rows, question, request.thresholds)
        if request.k is not None:
            is_complete = is_complete or len(found) >= request.k
            found = found[: request.k]
        shown = showing.found(found)
        if request.composes:
            with self._database.reading() as session:
                shown = composed(session, shown)
        return shown, is_complete

    def _best(
        self, showing: Showing, best: Callable[[int], list[Candidate]], request: Request
    ) -> list[Candidate]:
        """Return the candidates, as many as are looked at for so many hits.

        Which those are does not depend on how many hits are asked for, so that fewer hits are the
        first of more: a reranker is given as many as its retriever says, and shadows are searched
        of as many, unless more hits are asked for.
        """
        n = request.k or 1
        if self._options.reranker is not None:
            n = max(n, self._options.candidates)
        elif request.thresholds.gate is not None:
            n = max(n, MOST_SHADOWED)
        depth = n
        while True:
            found = best(depth)
            distinct = self._distinct(showing, found, request)
            if len(distinct) >= n or len(found) < depth:
                return distinct[:n]
            depth *= _MORE

    def _distinct(
        self, showing: Showing, found: list[Candidate], request: Request
    ) -> list[Candidate]:
        """Return the candidates without those that say nearly the same as a better one."""
        return showing.without_duplicates(found) if request.skips_duplicates else found

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
