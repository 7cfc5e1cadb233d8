"""Vectors of the chunks of an index, and of the questions that it is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright.embed import core_embedders
from chunkwright.errors import ModelError
from chunkwright.retrieval.steps.smoothing import smoothed_vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright import _core
    from chunkwright.embed import EmbedderLike
    from chunkwright.retrieval.options import Options


class Vectors:
    """The vectors of chunks, and what gives questions theirs.

    Parameters
    ----------
    embedder
        What gives them.
    texts
        Those of the chunks.
    matrix
        Their vectors, if these are made already.

    Attributes
    ----------
    matrix
        A row for each chunk.
    """

    def __init__(
        self,
        embedder: EmbedderLike,
        texts: list[str],
        matrix: NDArray[np.float32] | None = None,
    ) -> None:
        self._passages, self._queries = core_embedders(embedder)
        self.matrix = self._embed(self._passages, texts) if matrix is None else matrix

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


def vectors_of(
    retriever: Options,
    texts: list[str],
    neighbours: _core.Neighbours | None,
    matrix: NDArray[np.float32] | None,
) -> Vectors | None:
    """Return the vectors of texts, or those that are made already; None without an embedder."""
    if retriever.embedder is None:
        return None
    vectors = Vectors(retriever.embedder, texts, matrix)
    if neighbours is not None and matrix is None:
        vectors.smooth(neighbours, retriever.neighbour_smoothing)
    return vectors
