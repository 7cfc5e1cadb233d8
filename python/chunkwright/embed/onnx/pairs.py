"""A model that reads two texts together and gives a score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from chunkwright.concurrency.ordered_results import in_threads
from chunkwright.embed.onnx.folder import ModelFolder
from chunkwright.embed.onnx.graph import Batch, Graph, batches, depends_on_batch, padded
from chunkwright.embed.onnx.model import TokenIds
from chunkwright.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# A graph says how well a pair fits, or how badly and how well.
_WIDTHS = (1, 2)

# The ids of a text that may be read, without special tokens, and how many tokens it has.
Bare: TypeAlias = tuple[Sequence[int], int]


class Pair(NamedTuple):
    """The tokens of a pair of texts.

    Attributes
    ----------
    ids
        Special tokens included.
    types
        Which of the two texts each of them is of, as the model is told.
    """

    ids: list[int]
    types: list[int]


@dataclass(frozen=True)
class PairForm:
    """Template of a pair of two texts: what of each is read, and special tokens.

    The library tokenizers does so with whole texts, and keeps all that it cuts off of either in
    each combination: memory grows with the product of their lengths. This gives the same tokens,
    from the first ``max_tokens`` of each text.

    Parameters
    ----------
    parts
        In order: a special token with its type, or the number of a text (0 or 1) with the type of
        its tokens.
    max_tokens
        Tokens of a pair, special ones included; None: any number.
    """

    parts: tuple[tuple[int | None, int, int], ...]
    max_tokens: int | None

    @classmethod
    def read(cls, pair: Any, max_tokens: int | None) -> PairForm:
        """Return the form of a pair that tokenizers made of two short texts."""
        parts: list[tuple[int | None, int, int]] = []
        for token, text, kind in zip(pair.ids, pair.sequence_ids, pair.type_ids, strict=True):
            part = (token, -1, kind) if text is None else (None, text, kind)
            # A text may have several tokens.
            if text is None or not parts or parts[-1] != part:
                parts.append(part)
        return cls(tuple(parts), max_tokens)

    def of(self, first: Bare, second: Bare) -> Pair:
        """Return the pair of two texts, each as the ids that may be read and its number of tokens.

        As tokenizers does by its strategy "longest first", the longer text is cut until both fit,
        or are equally long; then both are.
        """
        texts: tuple[Sequence[int], ...] = (first[0], second[0])
        if self.max_tokens is not None:
            n_special = sum(text < 0 for _, text, _ in self.parts)
            room = max(0, self.max_tokens - n_special)
            texts = tuple(
                text[:n]
                for text, n in zip(texts, longest_first(first[1], second[1], room), strict=True)
            )
        pair = Pair([], [])
        for token, text, kind in self.parts:
            ids = texts[text] if token is None else (token,)
            pair.ids.extend(ids)
            pair.types.extend([kind] * len(ids))
        return pair


def longest_first(first: int, second: int, room: int) -> tuple[int, int]:
    """Return how many tokens are left of two texts in a room: that of tokenizers.

    Examples
    --------
    >>> longest_first(3, 9, 8), longest_first(9, 9, 7), longest_first(2, 3, 8)
    ((3, 5), (3, 4), (2, 3))
    """
    if first + second <= room:
        return first, second
    shorter = min(first, second)
    longer = max(shorter, room - shorter)
    if shorter + longer > room:
        shorter = room // 2
        longer = room - shorter
    return (shorter, longer) if first <= second else (longer, shorter)


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
        self._tokens = TokenIds(folder, of_pairs=True)
        self._form = PairForm.read(self._tokens.pair(), folder.max_tokens)
        self._graph = Graph(folder.graph, None)
        self._batch_tokens = batch_tokens
        self._max_rows = 1 if depends_on_batch(folder.graph) else None
        self._n_threads = n_threads

    def scores(self, first: str, seconds: list[str]) -> NDArray[np.float32]:
        """Return a score for a text with each of some others: shape ``(len(seconds),)``."""
        import numpy as np

        if not seconds:
            return np.zeros(0, np.float32)
        (one,) = self._tokens.bare([first])
        pairs = [self._form.of(one, other) for other in self._tokens.bare(seconds)]
        ids = [each.ids or [self._tokens.pad_id] for each in pairs]
        types = [each.types or [0] for each in pairs]
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
        scores = self._graph.run(matrix, mask, kinds)
        if scores.shape[:1] != matrix.shape[:1] or scores.shape[1:] not in [(n,) for n in _WIDTHS]:
            graph = str(self._folder.graph)
            shapes = f"an array of shape {scores.shape} for tokens of shape {matrix.shape}"
            raise ModelError(f"the graph {graph!r} gave {shapes}, not one or two numbers a pair")
        better: NDArray[np.float32] = scores[:, -1]
        return better if scores.shape[1] == 1 else better - scores[:, 0]
