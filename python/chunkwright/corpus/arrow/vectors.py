"""Vectors of chunks: unit length, many texts a call, failures by document."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from chunkwright.embed import Lexical, as_embedder, core_embedders
from chunkwright.embed.vectors import of_unit_length
from chunkwright.errors import ConfigError, ModelError
from chunkwright.llm.protocol import ModelAccessError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from chunkwright.embed import EmbedderLike

# Tells how many dimensions a model has.
_SAMPLE = "text"


class Vectors:
    """Embedder of chunks.

    Parameters
    ----------
    embedder
        See :func:`chunkwright.embed.as_embedder`.
    collects
        Whether a document whose texts cannot be embedded is told of, not raised.

    Raises
    ------
    ConfigError
        If it is none, or its vectors depend on the texts of the same call.
    ModelError
        If a model's folder cannot be used.
    """

    def __init__(self, embedder: EmbedderLike, *, collects: bool) -> None:
        own = as_embedder(embedder)
        if isinstance(own, Lexical):
            message = (
                '"lexical" weighs words by the texts that are embedded with them, so vectors would'
                " depend on the batch that a document is in"
            )
            raise ConfigError(message, option="embedder")
        self._passages, _ = core_embedders(own)
        self._collects = collects

    @cached_property
    def n_dims(self) -> int:
        """The number of dimensions, which embedding a word tells.

        Raises
        ------
        ModelError
            If the embedder fails.
        """
        return int(self._embedded([_SAMPLE]).shape[1])

    def of_documents(
        self, texts: Sequence[str], numbers: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], dict[int, ModelError]]:
        """Return the vectors of the chunks of some documents, and why which documents have none.

        If the embedder fails, it is asked again about each half of the documents, so that those
        fail which fail by themselves, whatever others are embedded with them.

        Parameters
        ----------
        texts
            What is embedded.
        numbers
            The number of the document of each, in order.

        Returns
        -------
        tuple
            Vectors of unit length, shape ``(len(texts), n_dims)``, zeros where there are none; and
            the errors by the numbers of documents.

        Raises
        ------
        ModelError
            If the embedder fails, and errors are not collected; if it refuses all requests; if it
            gives vectors of other dimensions than before.
        """
        import numpy as np

        if not texts:
            return np.zeros((0, self.n_dims), np.float32), {}
        try:
            return self._unit(texts), {}
        except ModelAccessError:
            raise
        except ModelError as error:
            if not self._collects:
                raise
            first, last = int(numbers[0]), int(numbers[-1])
            if first == last:
                return np.zeros((len(texts), self.n_dims), np.float32), {first: error}
        # Halves of the documents, of which there are two at least.
        starts = np.flatnonzero(np.diff(numbers)) + 1
        middle = int(starts[len(starts) // 2])
        before, why_before = self.of_documents(texts[:middle], numbers[:middle])
        behind, why_behind = self.of_documents(texts[middle:], numbers[middle:])
        return np.concatenate([before, behind]), why_before | why_behind

    def _unit(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = self._embedded(texts)
        if rows.shape[1] != self.n_dims:
            raise ModelError(
                f"the embedder gave vectors of {rows.shape[1]} dimensions, before of {self.n_dims}"
            )
        return of_unit_length(rows)

    def _embedded(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        return np.asarray(self._passages.embed(list(texts)), np.float32)


def embedded_column(schema: pa.Schema) -> str:
    """Return the column of chunks with the texts that are embedded."""
    return "contextual_text" if "contextual_text" in schema.names else "text"


def vector_column(vectors: NDArray[np.float32], has: NDArray[np.bool_]) -> pa.Array:
    """Return vectors as lists of a fixed size, null where a row has none.

    Parameters
    ----------
    vectors
        Those of the rows that have one, in order.
    has
        Whether each row has one.
    """
    import numpy as np
    import pyarrow as pa

    n_dims = vectors.shape[1]
    rows = np.zeros((len(has), n_dims), np.float32)
    rows[has] = vectors
    return pa.FixedSizeListArray.from_arrays(
        pa.array(rows.reshape(-1)), type=vector_type(n_dims), mask=pa.array(~has)
    )


def vector_type(n_dims: int) -> pa.DataType:
    """Return the type of the column."""
    import pyarrow as pa

    return pa.list_(pa.float32(), n_dims)
