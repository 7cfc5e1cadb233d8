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
    """Chunks that can be found; made by :meth:`Retriever.index`.

    It holds vectors and words of the chunks, and what was given to it, from which hits take their
    texts.
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
        """Make an index of parts that exist: it reads no text before one is found.

        Trimming and budgets read all texts, at the first such search.

        Parameters
        ----------
        retriever
            The options.
        given
            The chunks; they may be read from a store when they are asked for.
        words
            The index of their words; None if these do not count.
        vectors
            Their vectors; None if these do not count.
        groups
            Of each chunk the number of the first with an equal text; None: no two are equal, or
            each counts.
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
        rows
            Only these chunks are looked at: their numbers, ascending. ``k`` counts among them; the
            scores are those that they have in the whole index. None: all.

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
            int; if a tokenizer has no tokens to count; if ``queries`` hold something else than str;
            if ``rows`` are no numbers of chunks or do not ascend.
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
        """Return questions with their vectors, which are made once for several steps of a search.

        Parameters
        ----------
        queries
            One question, or several.
        rows
            The chunks that may be found, ascending; None: all.
        """
        texts = checked_queries(queries)
        among = None if rows is None else checked_rows(rows, len(self))
        vectors = None if self._vectors is None else self._vectors.of_questions(texts)
        return Questions(texts, vectors, among)

    def explain(self, question: str | Questions, rows: ArrayLike) -> Reasons:
        """Return what words and what vectors give to the scores of chunks for a question.

        Before reranking; with ``fusion="sum"`` the score is ``word_weight * words + vectors``, or
        of a search by words alone in proportion to ``words``.

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
        """Return what texts that are not in the index have of a question's words, each 0 to 1.

        That is the score of BM25, with the rarity of words and the mean length of the index,
        divided by what no text can exceed. Zeros where words do not count.

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
