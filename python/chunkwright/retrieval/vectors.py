"""Vectors of the chunks of an index, and of the questions that it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Protocol

from chunkwright import _core
from chunkwright.embed import Lexical, as_embedder, core_embedders
from chunkwright.errors import ModelError
from chunkwright.retrieval.steps.cosines import cosine
from chunkwright.retrieval.steps.smoothing import smoothed_vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.embed import EmbedderLike
    from chunkwright.retrieval.options import Options


class VectorRows(Protocol):
    """Vectors of chunks that can be compared with those of questions."""

    @property
    def n_dims(self) -> int:
        """How many numbers each has."""

    def __len__(self) -> int: ...

    def cosines(
        self, queries: NDArray[np.float32], rows: NDArray[np.int64] | None
    ) -> NDArray[np.float32]:
        """Return the cosine of each question with each chunk, or with those of ``rows``.

        Parameters
        ----------
        queries
            The vectors of questions.
        rows
            Numbers of chunks, ascending; None: all.
        """


class MatrixRows:
    """Vectors of chunks as a matrix, smoothed already.

    Parameters
    ----------
    matrix
        A row for each chunk.
    """

    def __init__(self, matrix: NDArray[np.float32]) -> None:
        self.matrix = matrix

    @property
    def n_dims(self) -> int:
        """How many numbers each has."""
        return int(self.matrix.shape[1])

    def __len__(self) -> int:
        return len(self.matrix)

    def cosines(
        self, queries: NDArray[np.float32], rows: NDArray[np.int64] | None
    ) -> NDArray[np.float32]:
        """Return the cosine of each question with each chunk, or with those of ``rows``."""
        return cosine(self.matrix if rows is None else self.matrix[rows], queries)


class StoredRows:
    """Vectors of chunks as blocks of half floats, which several may share; smoothed as numbers are.

    What they cost is one pass over the vectors of all chunks, for the lengths of the smoothed ones.

    Parameters
    ----------
    blocks
        Vectors at unit length, as :func:`chunkwright._core.to_halves` writes them, of ``n_dims``
        numbers each.
    n_dims
        How many numbers each has.
    row_slots
        The vector of each chunk, numbered through the blocks; -1: it has none, and the cosine 0.
    neighbours, neighbour_smoothing
        What chunks count for each other; None: each is by itself.

    Attributes
    ----------
    core
        The same in the core, which computes.

    Raises
    ------
    ConfigError
        If there is no such vector, or there are more or fewer neighbours.
    """

    def __init__(
        self,
        blocks: Sequence[_core.HalfBlock],
        n_dims: int,
        row_slots: NDArray[np.int64],
        *,
        neighbours: _core.Neighbours | None = None,
        neighbour_smoothing: float = 0.0,
    ) -> None:
        self.n_dims = n_dims
        self._smoothing = neighbour_smoothing
        self.core: _core.Slots = _core.Slots(
            blocks, n_dims, row_slots.data, neighbours, neighbour_smoothing
        )

    def renewed(
        self,
        blocks: Sequence[_core.HalfBlock],
        row_slots: NDArray[np.int64],
        rows_before: NDArray[np.int64],
        *,
        neighbours: _core.Neighbours | None,
    ) -> StoredRows:
        """Return the same as of new parts, most of whose documents are those of this.

        It costs a pass over the vectors of the other documents.

        Parameters
        ----------
        blocks, row_slots, neighbours
            As for a new one.
        rows_before
            The number of each row here; -1 for all rows of documents that changed.
        """
        renewed = copy(self)
        renewed.core = self.core.renewed(
            blocks, row_slots.data, rows_before.data, neighbours, self._smoothing
        )
        return renewed

    def __len__(self) -> int:
        return len(self.core)

    def cosines(
        self, queries: NDArray[np.float32], rows: NDArray[np.int64] | None
    ) -> NDArray[np.float32]:
        """Return the cosine of each question with each chunk, or with those of ``rows``."""
        import numpy as np

        n = len(self) if rows is None else len(rows)
        if not (n and len(queries)):
            return np.zeros((len(queries), n), np.float32)
        return np.asarray(self.core.cosines(queries.data, None if rows is None else rows.data))


class Vectors:
    """The vectors of chunks, and what gives questions theirs.

    Parameters
    ----------
    embedder
        What gives them.
    rows
        Those of the chunks.
    """

    def __init__(self, embedder: EmbedderLike, rows: VectorRows) -> None:
        self._passages, self._queries = core_embedders(embedder)
        self._rows = rows

    @property
    def matrix(self) -> NDArray[np.float32] | None:
        """Those of the chunks, if they are a matrix."""
        return self._rows.matrix if isinstance(self._rows, MatrixRows) else None

    def cosines(
        self, queries: NDArray[np.float32], rows: NDArray[np.int64] | None
    ) -> NDArray[np.float32]:
        """Return the cosine of each question with each chunk, or with those of ``rows``."""
        return self._rows.cosines(queries, rows)

    def of_questions(self, questions: list[str]) -> NDArray[np.float32]:
        """Return a vector for each question.

        Raises
        ------
        ModelError
            If the embedder fails, or they are not of the length of those of the chunks.
        """
        import numpy as np

        if not (len(self._rows) and questions):
            return np.zeros((len(questions), self._rows.n_dims), np.float32)
        return self._alike("questions", self._queries, questions)

    def of_pieces(self, texts: list[str]) -> NDArray[np.float32]:
        """Return a vector for each piece of a chunk; raises as `of_questions`."""
        return self._alike("pieces of chunks", self._passages, texts)

    def _alike(self, what: str, embedder: _core.Embedder, texts: list[str]) -> NDArray[np.float32]:
        """Return vectors that can be compared with those of the chunks."""
        rows, n_dims = _embedded(embedder, texts), self._rows.n_dims
        if rows.shape[1] != n_dims:
            given = f"{rows.shape[1]} dimensions for {what}, {n_dims} for chunks"
            raise ModelError(f"the embedder gave vectors of {given}")
        return rows


def vectors_of(
    retriever: Options,
    texts: list[str],
    neighbours: _core.Neighbours | None,
    matrix: NDArray[np.float32] | None,
) -> Vectors | None:
    """Return the vectors of texts, or those that are made already; None without an embedder."""
    if retriever.embedder is None:
        return None
    embedder = as_embedder(retriever.embedder)
    if isinstance(embedder, Lexical):
        # By itself it weighs words by the texts of each call.
        embedder = embedder.fitted(texts)
    if matrix is None:
        matrix = _embedded(core_embedders(embedder)[0], texts)
        if neighbours is not None:
            matrix = smoothed_vectors(matrix, neighbours, retriever.neighbour_smoothing)
    return Vectors(embedder, MatrixRows(matrix))


def _embedded(embedder: _core.Embedder, texts: list[str]) -> NDArray[np.float32]:
    import numpy as np

    return np.asarray(embedder.embed(texts))
