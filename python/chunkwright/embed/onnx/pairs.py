"""A model that reads two texts together and gives a score."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chunkwright.embed.onnx.batches import Batch, batches, padded
from chunkwright.embed.onnx.folder import ModelFolder
from chunkwright.embed.onnx.graph import Graph, depends_on_batch
from chunkwright.embed.onnx.model import Tokens
from chunkwright.embed.threads import in_threads
from chunkwright.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# A graph says how well a pair fits, or how badly and how well.
_WIDTHS = (1, 2)


class PairModel:
    """A cross-encoder that is loaded.

    Parameters
    ----------
    folder
        What its folder says.
    batch_tokens
        How many tokens go through the graph at once, padding included.
    n_threads
        How many batches are run at once.

    Raises
    ------
    ModelError
        If a file cannot be used; names it.
    MissingExtraError
        If a library is not installed.
    """

    def __init__(self, folder: ModelFolder, batch_tokens: int, n_threads: int) -> None:
        self._folder = folder
        self._tokens = Tokens(folder)
        self._graph = Graph(folder.graph, None)
        self._batch_tokens = batch_tokens
        self._max_rows = 1 if depends_on_batch(folder.graph) else None
        self._n_threads = n_threads

    def scores(self, first: str, seconds: list[str]) -> NDArray[np.float32]:
        """Return a score for a text with each of some others: shape ``(len(seconds),)``."""
        import numpy as np

        ids, types = self._tokens.of_pairs(first, seconds)
        planned = batches([len(each) for each in ids], self._batch_tokens, self._max_rows)
        scores = np.zeros(len(seconds), np.float32)
        results = in_threads(partial(self._run, ids, types), planned, self._n_threads)
        for batch, found in zip(planned, results, strict=True):
            scores[batch.rows] = found
        return scores

    def _run(
        self, ids: list[list[int]], types: list[list[int]], batch: Batch
    ) -> NDArray[np.float32]:
        matrix, mask = padded(ids, batch, self._tokens.pad_id)
        kinds, _ = padded(types, batch, 0)
        found = self._graph.run(matrix, mask, kinds)
        if found.shape[:1] != matrix.shape[:1] or found.shape[1:] not in [(n,) for n in _WIDTHS]:
            graph = str(self._folder.graph)
            shapes = f"an array of shape {found.shape} for tokens of shape {matrix.shape}"
            raise ModelError(f"the graph {graph!r} gave {shapes}, not one or two numbers a pair")
        better: NDArray[np.float32] = found[:, -1]
        return better if found.shape[1] == 1 else better - found[:, 0]
