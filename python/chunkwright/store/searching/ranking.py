"""Ranking of a search: candidates by the retriever, its reranker and shadows, and hits of them."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chunkwright import telemetry
from chunkwright.elements.box import Box
from chunkwright.errors import ChunkwrightError, ModelError
from chunkwright.retrieval.rerank.protocol import as_reranker
from chunkwright.retrieval.rerank.scores import checked_scores
from chunkwright.store.reading import metadata_of_all
from chunkwright.store.searching.candidates import (
    MOST_SHADOWED,
    Candidate,
    Thresholds,
    candidates_of,
    with_shadows,
)
from chunkwright.store.searching.found import Found
from chunkwright.store.searching.linking import Duplicates

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from chunkwright.retrieval.options import Options, Questions
    from chunkwright.retrieval.rerank.protocol import Reranker
    from chunkwright.store.database.protocol import Database, Session
    from chunkwright.store.searching.opened import Opened
    from chunkwright.store.searching.rows import BlockRows, StandingBlock

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
            with telemetry.span("store.search.rerank", n=len(texts)):
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


# Between a block and its neighbour.
_BETWEEN = "\n\n"


class Showing:
    """Makes hits of candidates.

    Parameters
    ----------
    database
        The store's.
    rows
        The blocks of its index.
    """

    def __init__(self, database: Database, rows: BlockRows) -> None:
        self._database, self._rows = database, rows

    def texts(self, candidates: Sequence[Candidate]) -> list[str]:
        """Return the text of each candidate, with that of its neighbour in the order of both."""
        with self._database.reading() as session:
            standing = [self._standing(session, each) for each in candidates]
        return [_text(of, *blocks) for of, blocks in zip(candidates, standing, strict=True)]

    def hits(
        self, session: Session, candidates: Sequence[Candidate]
    ) -> Callable[[Candidate], Found]:
        """Return what makes hits of candidates; most are to be of the documents of these."""
        duplicates = Duplicates(session)
        documents = dict.fromkeys(self._rows.version(each.row)[0] for each in candidates)
        metadata = metadata_of_all(session, list(documents))

        def hit_of(of: Candidate) -> Found:
            document = self._rows.version(of.row)[0]
            if document not in documents:
                documents[document] = None
                metadata.update(metadata_of_all(session, [document]))
            return self._found(session, of, metadata, duplicates)

        return hit_of

    def without_duplicates(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Return the candidates without those that say nearly the same as a better one."""
        with self._database.reading() as session:
            duplicates = Duplicates(session)
            if not duplicates.any:
                return list(candidates)
            blocks = [self._rows.block(session, each.row) for each in candidates]
            return [candidates[number] for number in duplicates.shown(blocks)]

    def _standing(
        self, session: Session, of: Candidate
    ) -> tuple[StandingBlock, StandingBlock | None]:
        """Return the block of a candidate, and its neighbour if that belongs to it."""
        own = self._rows.standing(session, of.row)
        return own, None if of.beside is None else self._rows.standing(session, of.beside)

    def _found(
        self,
        session: Session,
        of: Candidate,
        metadata: Mapping[int, dict[str, Any]],
        duplicates: Duplicates,
    ) -> Found:
        document, version, ordinal = self._rows.version(of.row)
        own, beside = self._standing(session, of)
        uri, block, block_type, headings, pages, boxes, *places, speakers, begin, until = own.place
        start, end, first, last = places
        found = Found(
            block,
            uri,
            version,
            ordinal,
            of.score,
            _text(of, own, beside),
            block_type,
            tuple(json.loads(headings)),
            tuple(json.loads(pages)),
            tuple(Box(**each, width=None, height=None) for each in json.loads(boxes)),
            start,
            end,
            first,
            last,
            metadata=dict(metadata.get(document, {})),
            why=of.why,
            neighbours=() if beside is None else (beside.block,),
            duplicates=tuple(duplicates.of(block)),
            origin=own.origin,
            speakers=tuple(json.loads(speakers or "[]")),
            time_start=begin,
            time_end=until,
        )
        return found.with_chunk_of(own)


def _text(of: Candidate, own: StandingBlock, beside: StandingBlock | None) -> str:
    text = own.contextual_text[of.start : of.end]
    if beside is None or of.beside is None:
        return text
    parts = [beside.text, text] if of.beside < of.row else [text, beside.text]
    return _BETWEEN.join(parts)
