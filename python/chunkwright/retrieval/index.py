"""Index of chunks: what a retriever searches."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from chunkwright.checks import checked_int, checked_path
from chunkwright.embed.texts import checked_texts
from chunkwright.errors import ConfigError
from chunkwright.retrieval.budget import Budget, n_fitting
from chunkwright.retrieval.filling import Filling, ends_of
from chunkwright.retrieval.hits import Hits
from chunkwright.retrieval.indexed_chunks import IndexedChunks
from chunkwright.retrieval.options import Questions, checked_rows
from chunkwright.retrieval.rerank.protocol import RerankerLike, as_reranker
from chunkwright.retrieval.rerank.reranking import Reranking
from chunkwright.retrieval.scoring import Reasons, Scoring, words_of
from chunkwright.retrieval.steps.bm25 import Bm25Index
from chunkwright.retrieval.steps.checks import checked_queries
from chunkwright.retrieval.steps.neighbours import neighbours_of
from chunkwright.retrieval.steps.top_k import groups_of
from chunkwright.retrieval.trimming import (
    LEADING_HITS,
    PIECE_REACH,
    SENTENCE_REACH,
    Pieces,
    pieces_of,
    sentences_of,
)
from chunkwright.retrieval.vectors import Vectors, vectors_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from chunkwright.chunks import Chunks
    from chunkwright.embed import EmbedderLike
    from chunkwright.retrieval.options import Options
    from chunkwright.tokens.tokenizer import TokenizerLike


class Index:
    """An index of chunks for search, which :meth:`Retriever.index` makes.

    It holds the vectors and words of the chunks, and refers to the chunks or texts that it was made
    of, from which hits take their texts.
    """

    def __init__(self, retriever: Options, given: IndexedChunks, scoring: Scoring) -> None:
        self._retriever = retriever
        self._given = given
        self.scoring = scoring
        self._reranking = _reranking_of(retriever, given)

    @classmethod
    def of_texts(
        cls, retriever: Options, given: IndexedChunks, matrix: NDArray[np.float32] | None = None
    ) -> Index:
        """Index chunks by their texts.

        Parameters
        ----------
        retriever
            The options.
        given
            The chunks.
        matrix
            Their vectors, smoothed, if these are made already.
        """
        texts = given.texts()
        neighbours = given.neighbours(retriever.neighbour_reach)
        index = cls.of_parts(
            retriever,
            given,
            words=words_of(retriever, texts, neighbours, given.fields),
            vectors=vectors_of(retriever, texts, neighbours, matrix),
            groups=groups_of(texts) if retriever.skip_duplicate_text else None,
        )
        if retriever.trim is not None:
            # What each search needs is not left to the first.
            _ = index.pieces
        return index

    @classmethod
    def of_parts(
        cls,
        retriever: Options,
        given: IndexedChunks,
        *,
        words: Bm25Index | None,
        vectors: Vectors | None,
        groups: NDArray[np.int64] | None,
    ) -> Index:
        """Make an index of existing parts, which reads texts only of hits.

        The first search with trimming or a budget reads all texts.

        Parameters
        ----------
        retriever
            The options.
        given
            The chunks, which may be read from a store on demand.
        words
            The index of their words; None if words do not count.
        vectors
            Their vectors; None if vectors do not count.
        groups
            For each chunk the number of the first chunk with an equal text; None if no two texts
            are equal, or if each counts.
        """
        scoring = Scoring(retriever, len(given), words=words, vectors=vectors, groups=groups)
        return cls(retriever, given, scoring)

    def __len__(self) -> int:
        return len(self._given)

    def __repr__(self) -> str:
        return f"<Index of {len(self)} chunks by {self._retriever.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Index.of_texts, (self._retriever, self._given, self._matrix)

    @property
    def _matrix(self) -> NDArray[np.float32] | None:
        """The vectors of the chunks, for a file or another process.

        Raises
        ------
        ConfigError
            If the chunks or the vectors are in a store.
        """
        matrix = None if self._vectors is None else self._vectors.matrix
        if self._given.is_stored or (matrix is None and self._vectors is not None):
            raise ConfigError(f"{self!r} is of a store, which keeps it: open that again")
        return matrix

    @property
    def _vectors(self) -> Vectors | None:
        return self.scoring.vectors

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the index into a file, which :meth:`load` reads.

        The file has texts, places of chunks, vectors and options, but neither the models nor the
        elements of the chunks.

        Parameters
        ----------
        path
            The file, which is written whole or not at all.

        Raises
        ------
        ConfigError
            If it cannot be written.
        """
        from chunkwright.retrieval.index_file import write_index

        file = checked_path("path", path, what="a file")
        write_index(file, self._retriever, self._given, self._matrix)

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

        Nothing in a file is executed, so files of others are safe. No chunk is embedded again.

        Parameters
        ----------
        path
            The file.
        embedder, reranker
            The models that the index was made with. If both have a fingerprint, another one is an
            error.
        tokenizer
            The tokenizer of the chunks, if it has no name.
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
        return cls.of_texts(*read_index(file, models, tokenizer, chunks))

    def search(  # noqa: PLR0913 - options by name
        self,
        queries: str | Sequence[str],
        k: int | None = None,
        *,
        max_tokens: int | None = None,
        max_chars: int | None = None,
        tokenizer: TokenizerLike | None = None,
        rows: ArrayLike | None = None,
    ) -> Hits:
        """Return the best chunks for each question: a number of them, or as many as fit a budget.

        Parameters
        ----------
        queries
            One question, or several.
        k
            The largest number of chunks. A search by words alone finds only chunks that share a
            word with the question, or whose neighbours do.
        max_tokens, max_chars
            Instead of ``k``: the most tokens, or code points, of all hits of a question together,
            each text counted by itself. Hits are taken whole, best first, while they fit. Of the
            first that does not fit, the run of whole sentences is taken that fits and is most
            relevant to the question, if there is one. A row of a table counts as one sentence.
        tokenizer
            The tokenizer of the budget; by default that of the chunks, and ``"cl100k_base"`` for
            texts.
        rows
            The numbers, ascending, of the chunks to search; None: all. ``k`` counts among them, and
            scores are those in the whole index.

        Returns
        -------
        Hits
            A list of hits for each question, best first. If the retriever reranks, scores are the
            reranker's, and hits also have the score and rank before. If it trims, or a budget was
            filled, hits have the part that was kept.

        Raises
        ------
        ConfigError
            If not exactly one of ``k``, ``max_tokens`` and ``max_chars`` is given, or it is not a
            positive int; if there is a tokenizer, but no budget of tokens; if ``queries`` are not
            texts; if ``rows`` are not ascending numbers of chunks.
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
        _check_one(k=k, max_tokens=max_tokens, max_chars=max_chars)
        if k is None:
            own = self._given.tokenizer
            budget = Budget.of(max_tokens, max_chars, tokenizer, own)
            return self._filled(self.questions(queries, rows), budget)
        if tokenizer is not None:
            raise ConfigError(f"k counts no tokens: leave out tokenizer={tokenizer!r}")
        n_hits = checked_int("k", k, least=1)
        return self.best(self.questions(queries, rows), n_hits)

    def questions(self, queries: str | Sequence[str], rows: ArrayLike | None = None) -> Questions:
        """Return questions with their vectors, to embed them once for several steps of a search.

        Parameters
        ----------
        queries
            One question, or several.
        rows
            The numbers, ascending, of the chunks to search; None: all.
        """
        texts = checked_queries(queries)
        among = None if rows is None else checked_rows(rows, len(self))
        vectors = None if self._vectors is None else self._vectors.of_questions(texts)
        return Questions(texts, vectors, among)

    def explain(self, question: str | Questions, rows: ArrayLike) -> Reasons:
        """Return the contributions of words and of vectors to the scores of chunks for a question.

        They are those before reranking. With ``fusion="sum"`` the score is ``word_weight * words +
        vectors``; in a search by words alone it is proportional to ``words``.

        Parameters
        ----------
        question
            One question.
        rows
            Numbers of chunks, ascending.
        """
        asked = question if isinstance(question, Questions) else self.questions(question)
        if len(asked) != 1:
            raise ConfigError(f"question must be one, got {len(asked)}")
        return self.scoring.reasons(replace(asked, rows=checked_rows(rows, len(self))))

    def word_shares(self, question: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the share of a question's words in texts outside the index, from 0 to 1.

        It is the BM25 score, with the rarity of words and the mean length of the index, divided by
        its upper bound. It is 0 if words do not count.

        Parameters
        ----------
        question
            One question.
        texts
            Any texts.
        """
        return self.scoring.word_shares(question, checked_texts(texts))

    def best_parts(
        self,
        hits: Hits,
        queries: str | Sequence[str] | Questions,
        rooms: Sequence[int],
        tokenizer: TokenizerLike | None,
        begins: NDArray[np.int64] | None = None,
    ) -> Hits:
        """Return for each hit the most relevant run of whole sentences that fits.

        Parameters
        ----------
        hits
            The hits of each question.
        queries
            The questions.
        rooms
            The budget of each hit, question after question.
        tokenizer
            The tokenizer of the budgets; None: they are code points.
        begins
            Where the part that may be kept begins in each hit's text; None: at its start.

        Returns
        -------
        Hits
            The hits of which something fits, with ``starts`` and ``ends``.
        """
        import numpy as np

        known = hits.among(self._given.searched)
        if begins is not None:
            starts = begins if known.starts is None else np.maximum(begins, known.starts)
            ends = ends_of(known)
            known = replace(known, starts=np.minimum(starts, ends), ends=ends)
        asked = queries if isinstance(queries, Questions) else self.questions(queries)
        cut = self._filling(Budget.by(tokenizer)).ranges(known, asked, list(rooms))
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

        blocks = list(self.scoring.scores(self.questions(queries)))
        return np.concatenate(blocks) if blocks else np.zeros((0, len(self)), np.float32)

    @cached_property
    def pieces(self) -> Pieces:
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
            words=words_of(self._retriever, pieces.texts(), neighbours),
            embed=None if self._vectors is None else self._vectors.of_pieces,
            word_weight=self._retriever.word_weight,
        )

    def best(self, questions: Questions, k: int) -> Hits:
        """Return the best chunks for each question, reranked and trimmed if the retriever does so.

        Parameters
        ----------
        questions
            See :meth:`questions`.
        k
            How many chunks, at most.
        """
        share = self._retriever.trim
        n_leading = k if share is None else max(k, LEADING_HITS)
        hits = self._ranked(questions, n_leading).among(self._given.searched)
        if share is None:
            return hits
        return self.pieces.trimmed(hits, questions.texts, questions.vectors, share).first(k)

    def _filled(self, questions: Questions, budget: Budget) -> Hits:
        """Return the hits of each question that fit, and what fits of the next.

        So many are looked for as are likely to fit; for questions where all of these do, twice as
        many, and so on. So what is found for a question depends on no other.
        """
        import numpy as np

        parts: list[tuple[NDArray[np.int64], Hits]] = []
        left = np.arange(len(questions))
        n_all = len(self) if questions.rows is None else len(questions.rows)
        depth = min(budget.n_texts(self._given.mean_chars), max(1, n_all))
        while len(left):
            hits = self.best(questions.at(left), depth)
            sizes = budget.sizes(hits.texts())
            found = np.diff(hits.offsets)
            counts, _ = n_fitting(hits.offsets, sizes, budget.limit)
            is_done = (counts < found) | (found < depth) | (depth >= n_all)
            parts.append((left[is_done], hits.first(counts + 1).of_questions(is_done)))
            left, depth = left[~is_done], 2 * depth
        gathered = Hits.gathered(parts, len(questions)).among(self._given.searched)
        return self._filling(budget).filled_up(gathered, questions)

    def _filling(self, budget: Budget) -> Filling:
        return Filling(budget, self._given, self._sentences)

    def _ranked(self, questions: Questions, k: int) -> Hits:
        """Return the best chunks for each question, after the second pass if there is one."""
        if self._reranking is None:
            return self.scoring.best(questions, k)
        candidates = self.scoring.best(questions, max(k, self._reranking.candidates))
        return self._reranking.of(candidates, questions.texts).first(k)


def _reranking_of(retriever: Options, given: IndexedChunks) -> Reranking | None:
    """Return what scores the best hits anew; None if nothing does."""
    if retriever.reranker is None:
        return None
    return Reranking(as_reranker(retriever.reranker), given.texts_at, retriever.candidates)


def _check_one(**options: int | None) -> None:
    """Raise :class:`ConfigError` unless one option is given."""
    given = [f"{name}={value!r}" for name, value in options.items() if value is not None]
    if len(given) != 1:
        *most, last = options
        known = f"{', '.join(most)} and {last}"
        raise ConfigError(f"give one of {known}, got {' and '.join(given) or 'none'}")
