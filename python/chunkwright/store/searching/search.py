"""Search of a store: blocks and page headers that answer a question, within a budget."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from chunkwright import telemetry
from chunkwright.checks import MAX_SIZE
from chunkwright.store.database.damage import decoding
from chunkwright.store.database.protocol import Query
from chunkwright.store.searching.candidates import Thresholds
from chunkwright.store.searching.expansion import Expansion
from chunkwright.store.searching.filling import Filled, Filling, Room, part_of
from chunkwright.store.searching.filters import Filter
from chunkwright.store.searching.found import Found, Results
from chunkwright.store.searching.furniture import Matches, found_line
from chunkwright.store.searching.matching import matching, matching_lines
from chunkwright.store.searching.ranking import MORE, Ranking, Showing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.retrieval.options import Options, Questions
    from chunkwright.store.database.protocol import Database, Session
    from chunkwright.store.searching.candidates import Candidate
    from chunkwright.store.searching.furniture import Ranked
    from chunkwright.store.searching.opened import Opened, OpenedIndexes

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
    def most(self) -> int:
        """How many hits there can be: a token each, at least."""
        return min(each for each in (self.k, self.max_tokens, MAX_SIZE) if each is not None)

    def is_over_floor(self, score: float) -> bool:
        """Return whether a score is the least one that hits have, or greater."""
        floor = self.thresholds.floor
        return floor is None or score >= floor


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
        with telemetry.span("store.search", k=request.k) as span, decoding(self._database.name):
            found = self._found(question, request)
            span.set(hits=len(found))
            return found

    def _found(self, question: str, request: Request) -> Results:
        with telemetry.span("store.search.open"):
            opened = self._indexes.of(self._first)
        with telemetry.span("store.search.filter"), self._database.reading() as session:
            rows = matching(session, opened.rows, request.where)
            lines = self._matches(session, opened, question, rows, request)
        is_complete = True
        if opened.model is not None:
            with telemetry.span("store.search.nearest"):
                rows, is_complete = self._nearest(opened, question, rows, request)
        with telemetry.span("store.search.embed"):
            asked = opened.index.questions(question, rows)
        showing = Showing(self._database, opened.rows)
        ranking = Ranking(
            *(opened, showing, self._options, request.thresholds, request.skips_duplicates)
        )
        n = ranking.n_candidates(request.k, request.max_tokens)
        while True:
            with telemetry.span("store.search.rank", n=n):
                found, is_all = ranking.candidates(asked, n)
            filled = self._filled(ranking, asked, found, lines.first, request)
            if filled.is_full or is_all:
                break
            n *= MORE
        shown = filled.hits
        if request.expansion is not None:
            with telemetry.span("store.search.expand"):
                shown = request.expansion.of(shown, filled.room.left)
        if lines.others:
            shown = self._with_others(opened, shown, lines.others, request)
        return Results(shown, is_complete=is_complete or filled.is_full)

    def _matches(
        self,
        session: Session,
        opened: Opened,
        question: str,
        rows: NDArray[np.int64] | None,
        request: Request,
    ) -> Matches:
        """Return the page headers and footers that have a part of a question."""
        furniture = opened.furniture
        if furniture is None or not request.has_lines:
            return Matches()
        return furniture.matches(
            question,
            rows,
            matching_lines(session, furniture, request.where),
            most=request.most,
            is_distinct=self._first.skip_duplicate_text,
        )

    def _lines(
        self, session: Session, opened: Opened, lines: Iterable[Ranked], most: float = math.inf
    ) -> Iterator[Found]:
        """Yield lines as hits, with the scores that their words alone would give to blocks."""
        own = self._first
        is_sum = own.embedder is not None and own.fusion == "sum"
        for each in lines:
            score = min(most, each.share * (own.word_weight if is_sum else 1.0))
            yield found_line(session, each, opened.rows.versions[each.line.document], score)

    def _with_others(
        self, opened: Opened, shown: list[Found], lines: Sequence[Ranked], request: Request
    ) -> list[Found]:
        """Return hits with the lines behind them, while they fit."""
        least = shown[-1].score if shown else math.inf
        room = Room.beside(request.max_tokens, shown)
        with self._database.reading() as session:
            n = max(0, request.most - len(shown))
            others = islice(self._lines(session, opened, lines, least), n)
            fitting = takewhile(lambda hit: request.is_over_floor(hit.score), others)
            return [*shown, *takewhile(room.takes, fitting)]

    def _filled(
        self,
        ranking: Ranking,
        asked: Questions,
        found: Sequence[Candidate],
        lines: Sequence[Ranked],
        request: Request,
    ) -> Filled:
        """Return the line that stands first, and the candidates behind it, while they fit.

        Of the first candidate that does not fit, the best sentences are a hit, unless hits are
        widened: then what is left is for that.
        """
        best = found[0].score if found else -math.inf
        opened, showing = ranking.opened, ranking.showing
        filled = Filled(Room(request.max_tokens))
        with self._database.reading() as session:
            for line in self._lines(session, opened, lines):
                hit = replace(line, score=max(line.score, best))
                if request.is_over_floor(hit.score) and filled.room.takes(hit):
                    filled.hits.append(hit)
            hit_of = showing.hits(session, found[: request.k])
            filling = Filling(session, hit_of, composes=request.composes)
            filling.fill(filled, found, request.k)
        if filled.following is not None and request.expansion is None:
            part = part_of(opened.index, asked, filled.following, filled.room.left or 0)
            if part is not None:
                with self._database.reading() as session:
                    hit = showing.hits(session, [part])(part)
                filled.hits += [hit] if filled.room.takes(hit) else []
        return filled

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
        n = max(_CANDIDATES, MORE * (request.k or 1))
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
