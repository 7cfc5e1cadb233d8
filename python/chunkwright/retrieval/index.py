"""Index of chunks: what a retriever searches."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from chunkwright.checks import checked_int, checked_path
from chunkwright.errors import ConfigError
from chunkwright.retrieval.budget import Budget, n_fitting
from chunkwright.retrieval.hits import Hits
from chunkwright.retrieval.indexed_chunks import IndexedChunks
from chunkwright.retrieval.rerank.protocol import RerankerLike, as_reranker
from chunkwright.retrieval.rerank.reranking import Reranking
from chunkwright.retrieval.steps.bm25 import Bm25Index
from chunkwright.retrieval.steps.checks import checked_queries
from chunkwright.retrieval.steps.cosines import cosine
from chunkwright.retrieval.steps.fusion import fuse
from chunkwright.retrieval.steps.neighbours import REACH, neighbours_of
from chunkwright.retrieval.steps.top_k import best_of, groups_of
from chunkwright.retrieval.trimming import (
    LEADING_HITS,
    PIECE_REACH,
    SENTENCE_REACH,
    Pieces,
    best_run,
    pieces_of,
    sentences_of,
)
from chunkwright.retrieval.units import units_of
from chunkwright.retrieval.vectors import vectors_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright import _core
    from chunkwright.chunks import Chunks
    from chunkwright.embed import EmbedderLike
    from chunkwright.retrieval.options import Options
    from chunkwright.tokens.tokenizer import TokenizerLike

# Scores are held for so many questions at once that they take no more than this.
SCORES_BYTES = 64 * 2**20
# Of words, of vectors, of both.
_TABLES = 3
_SCORE_BYTES = 4


class Index:
    """Chunks that can be found; made by :meth:`Retriever.index`.

    It holds vectors and words of the chunks, and what was given to it, from which hits take their
    texts.
    """

    def __init__(
        self, retriever: Options, given: IndexedChunks, matrix: NDArray[np.float32] | None = None
    ) -> None:
        texts = given.texts()
        self._retriever = retriever
        self._given = given
        self._n_texts = len(texts)
        self._mean_chars = sum(map(len, texts)) / max(1, len(texts))
        neighbours = given.neighbours(REACH)
        self._words = _words_of(retriever, texts, neighbours)
        self._vectors = vectors_of(retriever, texts, neighbours, matrix)
        self._groups = groups_of(texts) if retriever.skip_duplicate_text else None
        self._reranking = _reranking_of(retriever, texts)
        if retriever.trim is not None:
            # What each search needs is not left to the first.
            _ = self._pieces

    def __len__(self) -> int:
        return self._n_texts

    def __repr__(self) -> str:
        return f"<Index of {self._n_texts} chunks by {self._retriever.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        matrix = None if self._vectors is None else self._vectors.matrix
        return type(self), (self._retriever, self._given, matrix)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the index into a file, which :meth:`load` reads.

        It holds texts, places of chunks, vectors and options; not the models, nor the elements that
        chunks were made of.

        Parameters
        ----------
        path
            The file; it is there whole or not at all.

        Raises
        ------
        ConfigError
            If it cannot be written.
        """
        from chunkwright.retrieval.index_file import write_index

        matrix = None if self._vectors is None else self._vectors.matrix
        write_index(checked_path("path", path, what="a file"), self._retriever, self._given, matrix)

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        embedder: EmbedderLike | None = None,
        reranker: RerankerLike | None = None,
        tokenizer: TokenizerLike | None = None,
        chunks: Chunks | None = None,
    ) -> Index:
        """Read an index from a file that :meth:`save` wrote; it gives the same scores.

        Nothing of a file is run, so one of somebody else does no harm. No chunk is embedded again.

        Parameters
        ----------
        path
            The file.
        embedder, reranker
            The models that the index was made with. Another one is an error, if both have a
            fingerprint.
        tokenizer
            What the chunks were measured with, if that has no name.
        chunks
            The chunks that the index was made of, for hits with their elements, headings and pages.
            None: hits refer to chunks of plain texts.

        Raises
        ------
        ReadError
            If the file cannot be read, is no index, damaged, or of another version.
        ConfigError
            If a model, the tokenizer or the chunks are missing, or not those of the index.

        Examples
        --------
        >>> from tempfile import TemporaryDirectory
        >>> import chunkwright as cw
        >>> from chunkwright.retrieval import Index
        >>> index = cw.Retriever().index(cw.chunk("Eels are long.", "recursive", max_tokens=9))
        >>> with TemporaryDirectory() as folder:
        ...     index.save(f"{folder}/fish.index")
        ...     same = Index.load(f"{folder}/fish.index")
        >>> same.search("eels", k=1) == index.search("eels", k=1)
        True
        """
        from chunkwright.retrieval.index_file import read_index

        models = {"embedder": embedder, "reranker": reranker}
        file = checked_path("path", path, what="a file")
        return cls(*read_index(file, models, tokenizer, chunks))

    def search(
        self,
        queries: str | Sequence[str],
        k: int | None = None,
        *,
        max_tokens: int | None = None,
        max_chars: int | None = None,
        tokenizer: TokenizerLike | None = None,
    ) -> Hits:
        """Return the best chunks for each question: so many, or as much as fits.

        Parameters
        ----------
        queries
            One question, or several.
        k
            How many chunks, at most. By words alone, chunks are found that hold one, or whose
            neighbours do.
        max_tokens, max_chars
            In place of ``k``: how many tokens, or code points, the hits of a question have together
            at most, the text of each counted by itself. Hits are taken whole, in the order of their
            ranks, while they fit. Of the first that does not, the run of whole sentences is taken
            that fits and has most to do with the question; none if none fits. A row of a table
            counts as one sentence.
        tokenizer
            Counts the tokens of a budget. None: the one that the chunks were cut with; for texts,
            ``"cl100k_base"``.

        Returns
        -------
        Hits
            Numbers of chunks with their scores, best first; a list for each question. If the
            retriever reranks, scores are the reranker's, and each hit has the score and the rank
            that it had before; if it trims, or a budget was filled, each has the part that was
            kept.

        Raises
        ------
        ConfigError
            If there is not one of ``k``, ``max_tokens`` and ``max_chars``, or it is no positive
            int; if a tokenizer has no tokens to count; if ``queries`` hold something else than str.
        ModelError
            If the embedder fails.
        TokenizerError
            If the tokenizer gives no count.

        Examples
        --------
        >>> import chunkwright as cw
        >>> text = "Eels are long. Pike are quick. Tench sleep all winter, and nobody minds."
        >>> index = cw.Retriever().index(cw.chunk(text, "recursive", max_tokens=100))
        >>> (hit,) = index.search("When do tench sleep?", max_tokens=12)[0]
        >>> hit.text, hit.start, hit.end
        ('Tench sleep all winter, and nobody minds.', 31, 72)
        """
        questions = checked_queries(queries)
        _check_one(k=k, max_tokens=max_tokens, max_chars=max_chars)
        if k is None:
            own = self._given.tokenizer
            budget = Budget.of(max_tokens, max_chars, tokenizer, own)
            return self._filled(questions, self._vectors_of(questions), budget)
        if tokenizer is not None:
            raise ConfigError(f"k counts no tokens: leave out tokenizer={tokenizer!r}")
        n_hits = checked_int("k", k, least=1)
        return self._best(questions, self._vectors_of(questions), n_hits)

    def best_parts(
        self,
        hits: Hits,
        queries: str | Sequence[str],
        rooms: Sequence[int],
        tokenizer: TokenizerLike | None,
        begins: NDArray[np.int64] | None = None,
    ) -> Hits:
        """Return of each hit the run of whole sentences that fits and speaks most to the question.

        Parameters
        ----------
        hits
            What was found for each question.
        queries
            The questions.
        rooms
            What each hit may have, of all questions in a row.
        tokenizer
            Counts tokens; None: code points are counted.
        begins
            Where in each hit's text that begins which may be kept; None: where the text does.

        Returns
        -------
        Hits
            Those of which something fits, with ``starts`` and ``ends``.
        """
        import numpy as np

        questions = checked_queries(queries)
        budget = Budget.by(tokenizer)
        known = hits.among(self._given.searched)
        if begins is not None:
            starts = begins if known.starts is None else np.maximum(begins, known.starts)
            ends = _ends_of(known)
            known = replace(known, starts=np.minimum(starts, ends), ends=ends)
        cut = self._cut(known, questions, self._vectors_of(questions), list(rooms), budget)
        starts, ends = cut.T.copy()
        return replace(known, starts=starts, ends=ends).where(starts < ends)

    def scores(self, queries: str | Sequence[str]) -> NDArray[np.float32]:
        """Return the score of each chunk for each question, shape ``(q, n)``, before reranking.

        Parameters
        ----------
        queries
            One question, or several.
        """
        import numpy as np

        questions = checked_queries(queries)
        vectors = self._vectors_of(questions)
        blocks = list(self._blocks(questions, vectors))
        return np.concatenate(blocks) if blocks else np.zeros((0, self._n_texts), np.float32)

    def _vectors_of(self, questions: list[str]) -> NDArray[np.float32] | None:
        """Return a vector for each question; None if these do not count."""
        return None if self._vectors is None else self._vectors.of_questions(questions)

    @cached_property
    def _pieces(self) -> Pieces:
        """The pieces of the chunks, which trimming keeps or drops."""
        return self._indexed(pieces_of(self._given.texts()), PIECE_REACH)

    @cached_property
    def _sentences(self) -> Pieces:
        """The sentences of the chunks, of which those are chosen that fill a budget."""
        return self._indexed(sentences_of(self._given.texts()), SENTENCE_REACH)

    def _indexed(self, pieces: Chunks, reach: float) -> Pieces:
        """Return pieces of the chunks, indexed as the chunks are."""
        neighbours = None
        if self._given.documents is not None:
            own = self._given.documents[pieces.doc_index]
            neighbours = neighbours_of(own, len(own), pieces.n_tokens, reach)
        return Pieces(
            self._given.texts(),
            pieces,
            words=_words_of(self._retriever, pieces.texts(), neighbours),
            embed=None if self._vectors is None else self._vectors.of_pieces,
            word_weight=self._retriever.word_weight,
        )

    def _best(self, questions: list[str], vectors: NDArray[np.float32] | None, k: int) -> Hits:
        """Return the best chunks for each question, trimmed if the retriever trims."""
        share = self._retriever.trim
        n_leading = k if share is None else max(k, LEADING_HITS)
        hits = self._ranked(questions, vectors, n_leading).among(self._given.searched)
        if share is None:
            return hits
        return self._pieces.trimmed(hits, questions, vectors, share).first(k)

    def _filled(
        self, questions: list[str], vectors: NDArray[np.float32] | None, budget: Budget
    ) -> Hits:
        """Return the hits of each question that fit, and what fits of the next.

        So many are looked for as are likely to fit; for questions where all of these do, twice as
        many, and so on. So what is found for a question depends on no other.
        """
        import numpy as np

        parts: list[tuple[NDArray[np.int64], Hits]] = []
        left = np.arange(len(questions))
        depth = min(budget.n_texts(self._mean_chars), max(1, self._n_texts))
        while len(left):
            asked = [questions[number] for number in left.tolist()]
            own = None if vectors is None else vectors[left]
            hits = self._best(asked, own, depth)
            sizes = budget.sizes(hits.texts())
            found = np.diff(hits.offsets)
            counts, _ = n_fitting(hits.offsets, sizes, budget.limit)
            is_done = (counts < found) | (found < depth) | (depth >= self._n_texts)
            parts.append((left[is_done], hits.first(counts + 1).of_questions(is_done)))
            left, depth = left[~is_done], 2 * depth
        gathered = Hits.gathered(parts, len(questions)).among(self._given.searched)
        return self._filled_up(gathered, questions, vectors, budget)

    def _filled_up(
        self,
        hits: Hits,
        questions: list[str],
        vectors: NDArray[np.float32] | None,
        budget: Budget,
    ) -> Hits:
        """Return the hits that fit, and the best part of the first that does not."""
        import numpy as np

        texts = hits.texts()
        counts, rooms = n_fitting(hits.offsets, budget.sizes(texts), budget.limit)
        is_whole = hits.ranks < np.repeat(counts, np.diff(hits.offsets))
        is_next = hits.ranks == np.repeat(counts, np.diff(hits.offsets))
        nexts = hits.where(is_next)
        own = rooms[nexts.questions].tolist()
        ends = _ends_of(hits)
        starts = np.zeros_like(ends) if hits.starts is None else hits.starts.copy()
        cut = self._cut(nexts, questions, vectors, own, budget)
        starts[is_next], ends[is_next] = cut[:, 0], cut[:, 1]
        is_kept = is_whole.copy()
        is_kept[is_next] = cut[:, 0] < cut[:, 1]
        return replace(hits, starts=starts, ends=ends).where(is_kept)

    def _cut(
        self,
        hits: Hits,
        questions: list[str],
        vectors: NDArray[np.float32] | None,
        rooms: list[int],
        budget: Budget,
    ) -> NDArray[np.int64]:
        """Return the start and the end of the best part of each hit; the same if nothing fits."""
        import numpy as np

        rows = [hit for found in hits for hit in found]
        texts = self._given.texts_at(hits.indices)
        units = [
            units_of(
                text,
                self._given.table_rows(hit.index),
                hit.start,
                len(text) if hit.end is None else hit.end,
            )
            for text, hit in zip(texts, rows, strict=True)
        ]
        places = [[start for start, _ in own] for own in units]
        scores = self._sentences.scores_at(hits, questions, vectors, places)
        found = [
            best_run(own, score.tolist(), budget.size_within(text), room)
            for text, own, score, room in zip(texts, units, scores, rooms, strict=True)
        ]
        return np.array(found, np.int64).reshape(-1, 2)

    def _ranked(self, questions: list[str], vectors: NDArray[np.float32] | None, k: int) -> Hits:
        """Return the best chunks for each question, after the second pass if there is one."""
        if self._reranking is None:
            return self._whole(questions, vectors, k)
        candidates = self._whole(questions, vectors, max(k, self._reranking.candidates))
        return self._reranking.of(candidates, questions).first(k)

    @property
    def _is_plain(self) -> bool:
        """Whether words alone decide, and each chunk by itself."""
        is_alone = self._words is not None and not self._words.is_smoothed
        return is_alone and self._vectors is None and self._groups is None

    def _whole(self, questions: list[str], vectors: NDArray[np.float32] | None, k: int) -> Hits:
        """Return the best chunks for each question, all of each."""
        if self._is_plain and self._words is not None:
            return self._words.search(questions, k)
        blocks = self._blocks(questions, vectors)
        found = Hits.joined([best_of(scores, k, self._groups) for scores in blocks])
        return found if self._vectors is not None else found.over(0.0)

    def _blocks(
        self, questions: list[str], vectors: NDArray[np.float32] | None
    ) -> Iterator[NDArray[np.float32]]:
        """Give the scores of a few questions after those of the few before."""
        n_questions = max(1, SCORES_BYTES // (_TABLES * _SCORE_BYTES * max(1, self._n_texts)))
        for first in range(0, len(questions), n_questions):
            part = slice(first, first + n_questions)
            yield self._scored(questions[part], None if vectors is None else vectors[part])

    def _scored(
        self, questions: list[str], vectors: NDArray[np.float32] | None
    ) -> NDArray[np.float32]:
        """Return the scores of all chunks for a few questions."""
        found, bounds = [], None
        if self._vectors is not None and vectors is not None:
            found.append(cosine(self._vectors.matrix, vectors))
        if self._words is not None:
            bounds = self._words.bounds(questions)
            found.append(self._words.scores(questions))
        if len(found) == 1:
            return found[0]
        own = self._retriever
        return fuse(*found, fusion=own.fusion, word_weight=own.word_weight, scale=bounds)


def _words_of(
    retriever: Options, texts: list[str], neighbours: _core.Neighbours | None
) -> Bm25Index | None:
    """Return what finds texts by their words; None if these do not count."""
    if not retriever.words:
        return None
    return Bm25Index.of_texts(
        texts,
        k1=retriever.k1,
        b=retriever.b,
        subwords=retriever.subwords,
        neighbours=neighbours,
        neighbour_smoothing=retriever.neighbour_smoothing,
    )


def _reranking_of(retriever: Options, texts: list[str]) -> Reranking | None:
    """Return what scores the best hits anew; None if nothing does."""
    if retriever.reranker is None:
        return None
    return Reranking(as_reranker(retriever.reranker), texts, retriever.candidates)


def _ends_of(hits: Hits) -> NDArray[np.int64]:
    """Return where each hit ends in its chunk's text."""
    import numpy as np

    if hits.ends is not None:
        return hits.ends.copy()
    return np.fromiter(map(len, hits.texts()), np.int64, len(hits.indices))


def _check_one(**options: int | None) -> None:
    """Raise :class:`ConfigError` unless one option is given."""
    given = [f"{name}={value!r}" for name, value in options.items() if value is not None]
    if len(given) != 1:
        *most, last = options
        known = f"{', '.join(most)} and {last}"
        raise ConfigError(f"give one of {known}, got {' and '.join(given) or 'none'}")
