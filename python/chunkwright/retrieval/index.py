"""Index of chunks: what a retriever searches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from chunkwright.checks import checked_int
from chunkwright.embed import core_embedders
from chunkwright.errors import ModelError
from chunkwright.retrieval.checks import checked_queries
from chunkwright.retrieval.cosines import cosine
from chunkwright.retrieval.fusion import Fusion, fuse
from chunkwright.retrieval.hits import Hits
from chunkwright.retrieval.smoothing import smoothed_vectors
from chunkwright.retrieval.top_k import best_of
from chunkwright.retrieval.trimming import LEADING_HITS, Pieces

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright import _core
    from chunkwright.embed import EmbedderLike
    from chunkwright.retrieval.bm25 import Bm25Index
    from chunkwright.retrieval.rerank.reranking import Reranking

# Scores are held for so many questions at once that they take no more than this.
SCORES_BYTES = 64 * 2**20
# Of words, of vectors, of both.
_TABLES = 3
_SCORE_BYTES = 4


class Index:
    """Chunks that can be found; made by :meth:`Retriever.index`.

    It holds vectors and words of the chunks, not their texts; only to trim hits by vectors, or to
    rerank them, it has to keep these as well.
    """

    def __init__(  # noqa: PLR0913 - its parts by name
        self,
        n_texts: int,
        name: str,
        *,
        words: Bm25Index | None,
        vectors: Vectors | None,
        groups: NDArray[np.int64] | None,
        pieces: Pieces | None,
        reranking: Reranking | None,
        fusion: Fusion,
        word_weight: float,
    ) -> None:
        self._n_texts = n_texts
        self._name = name
        self._words = words
        self._vectors = vectors
        self._groups = groups
        self._pieces = pieces
        self._reranking = reranking
        self._fusion: Fusion = fusion
        self._word_weight = word_weight

    def __len__(self) -> int:
        return self._n_texts

    def __repr__(self) -> str:
        return f"<Index of {self._n_texts} chunks by {self._name}>"

    def search(self, queries: str | Sequence[str], k: int) -> Hits:
        """Return the best chunks for each question.

        Parameters
        ----------
        queries
            One question, or several.
        k
            How many chunks, at most. By words alone, chunks are found that hold one, or whose
            neighbours do.

        Returns
        -------
        Hits
            Numbers of chunks with their scores, best first; a list for each question. If the
            retriever reranks, scores are the reranker's, and each hit has the score and the rank
            that it had before; if it trims, each has the part that speaks to the question.

        Raises
        ------
        ConfigError
            If ``k`` is no positive int, or ``queries`` hold something else than str.
        ModelError
            If the embedder fails.
        """
        questions, n_hits = checked_queries(queries), checked_int("k", k, least=1)
        vectors = None if self._vectors is None else self._vectors.of_questions(questions)
        n_leading = n_hits if self._pieces is None else max(n_hits, LEADING_HITS)
        hits = self._ranked(questions, vectors, n_leading)
        if self._pieces is None:
            return hits
        return self._pieces.trimmed(hits, questions, vectors).first(n_hits)

    def scores(self, queries: str | Sequence[str]) -> NDArray[np.float32]:
        """Return the score of each chunk for each question, shape ``(q, n)``, before reranking.

        Parameters
        ----------
        queries
            One question, or several.
        """
        import numpy as np

        questions = checked_queries(queries)
        vectors = None if self._vectors is None else self._vectors.of_questions(questions)
        blocks = list(self._blocks(questions, vectors))
        return np.concatenate(blocks) if blocks else np.zeros((0, self._n_texts), np.float32)

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
        return fuse(*found, fusion=self._fusion, word_weight=self._word_weight, scale=bounds)


class Vectors:
    """The vectors of chunks, and what gives questions theirs.

    Parameters
    ----------
    embedder
        What gives them.
    texts
        Those of the chunks.

    Attributes
    ----------
    matrix
        A row for each chunk.
    """

    def __init__(self, embedder: EmbedderLike, texts: list[str]) -> None:
        self._passages, self._queries = core_embedders(embedder)
        self.matrix = self._embed(self._passages, texts)

    def smooth(self, neighbours: _core.Neighbours, neighbour_smoothing: float) -> None:
        """Let them lean towards those of their neighbours."""
        self.matrix = smoothed_vectors(self.matrix, neighbours, neighbour_smoothing)

    def of_questions(self, questions: list[str]) -> NDArray[np.float32]:
        """Return a vector for each question.

        Raises
        ------
        ModelError
            If the embedder fails, or they are not of the length of those of the chunks.
        """
        import numpy as np

        if not (len(self.matrix) and questions):
            return np.zeros((len(questions), self.matrix.shape[1]), np.float32)
        return self._alike("questions", self._queries, questions)

    def of_pieces(self, texts: list[str]) -> NDArray[np.float32]:
        """Return a vector for each piece of a chunk; raises as `of_questions`."""
        return self._alike("pieces of chunks", self._passages, texts)

    def _alike(self, what: str, embedder: _core.Embedder, texts: list[str]) -> NDArray[np.float32]:
        """Return vectors that can be compared with those of the chunks."""
        rows, n_dims = self._embed(embedder, texts), self.matrix.shape[1]
        if rows.shape[1] != n_dims:
            given = f"{rows.shape[1]} dimensions for {what}, {n_dims} for chunks"
            raise ModelError(f"the embedder gave vectors of {given}")
        return rows

    @staticmethod
    def _embed(embedder: _core.Embedder, texts: list[str]) -> NDArray[np.float32]:
        import numpy as np

        return np.asarray(embedder.embed(texts))
