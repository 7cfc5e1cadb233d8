"""Questions of a search, and its options, checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, get_args

from chunkwright.checks import checked_flag, checked_int, checked_name, checked_number
from chunkwright.embed import EmbedderLike, as_embedder
from chunkwright.errors import ConfigError
from chunkwright.retrieval.rerank.protocol import RerankerLike, as_reranker
from chunkwright.retrieval.steps.bm25 import K1, MOST, SUBWORDS, B, Subwords
from chunkwright.retrieval.steps.checks import unmasked
from chunkwright.retrieval.steps.fields import FIELD_WEIGHTS, checked_weights
from chunkwright.retrieval.steps.fusion import WORD_WEIGHT, Fusion
from chunkwright.retrieval.steps.neighbours import NEIGHBOUR_SMOOTHING, REACH
from chunkwright.retrieval.stop_words import checked_stop_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options of an index; :class:`chunkwright.retrieval.Retriever` documents each."""

    embedder: EmbedderLike | None = None
    words: bool = True
    k1: float = K1
    b: float = B
    subwords: Subwords | None = SUBWORDS
    field_weights: Mapping[str, float] = FIELD_WEIGHTS
    fusion: Fusion = "sum"
    word_weight: float = WORD_WEIGHT
    neighbour_smoothing: bool | float = True
    neighbour_reach: float = REACH
    stop_words: Iterable[str] = ()
    skip_duplicate_text: bool = True
    reranker: RerankerLike | None = None
    candidates: int = 50
    trim: float | None = None

    def __post_init__(self) -> None:
        checked_flag("words", self.words)
        checked_flag("skip_duplicate_text", self.skip_duplicate_text)
        object.__setattr__(self, "stop_words", checked_stop_words(self.stop_words))
        checked_name("fusion", self.fusion, get_args(Fusion))
        if self.subwords is not None:
            checked_name("subwords", self.subwords, get_args(Subwords))
        smoothing = self.neighbour_smoothing
        if isinstance(smoothing, bool):
            smoothing = NEIGHBOUR_SMOOTHING if smoothing else 0.0
        # Numbers become Python's own, so that all of them can be written as JSON.
        numbers: dict[str, Any] = {
            "k1": checked_number("k1", self.k1, least=0, most=MOST),
            "b": checked_number("b", self.b, least=0, most=1.0),
            "word_weight": checked_number("word_weight", self.word_weight, least=0),
            "neighbour_smoothing": checked_number(
                "neighbour_smoothing", smoothing, least=0, most=MOST
            ),
            "neighbour_reach": checked_number("neighbour_reach", self.neighbour_reach, least=0),
            "candidates": checked_int("candidates", self.candidates, least=1),
        }
        if self.trim is not None:
            numbers["trim"] = checked_number("trim", self.trim, least=0, most=1.0)
            if not self.trim:
                raise ConfigError(f"trim must be above 0, or None, got {self.trim!r}")
        models: dict[str, Any] = {}
        if self.reranker is not None:
            models["reranker"] = as_reranker(self.reranker)
        if self.embedder is not None:
            # What is none is told at once; a model is read anew where it is asked for.
            models["embedder"] = as_embedder(self.embedder)
        elif not self.words:
            raise ConfigError("words=False needs an embedder: there is nothing else to find by")
        fields = {"field_weights": checked_weights(self.field_weights)}
        for option, value in {**numbers, **fields, **models}.items():
            object.__setattr__(self, option, value)

    @property
    def name(self) -> str:
        """A short description, for tables."""
        parts = ["vectors"] * (self.embedder is not None) + ["words"] * self.words
        subwords = "" if self.subwords == SUBWORDS else f", {self.subwords or 'no subwords'}"
        n_stopped = len(tuple(self.stop_words))
        stopped = f", {n_stopped} stop words" if n_stopped else ""
        weights = [
            f"{name} {weight:g}"
            for name, weight in self.field_weights.items()
            if weight != FIELD_WEIGHTS[name]
        ]
        fields = f", fields: {', '.join(weights)}" if weights else ""
        by_words = f"{subwords}{stopped}{fields}" if self.words else ""
        by_rank = ", by rank" if len(parts) > 1 and self.fusion == "rank" else ""
        smoothing = self.neighbour_smoothing
        usual = "" if smoothing == NEIGHBOUR_SMOOTHING else f" by {smoothing:g}"
        reach = self.neighbour_reach
        usual += "" if reach == REACH else f" over {reach:g} tokens"
        smoothed = f", smoothed{usual}" if smoothing else ""
        reranked = "" if self.reranker is None else f", {self.candidates} reranked"
        trimmed = "" if self.trim is None else f", trimmed at {self.trim:g}"
        return f"{' + '.join(parts)}{by_words}{by_rank}{smoothed}{reranked}{trimmed}"


@dataclass(frozen=True, eq=False)
class Questions:
    """Questions that an index is asked together.

    Parameters
    ----------
    texts
        The questions.
    vectors
        Their vectors; None if these do not count.
    rows
        The chunks that may be found, ascending; None: all.
    """

    texts: list[str]
    vectors: NDArray[np.float32] | None
    rows: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.texts)

    def at(self, numbers: NDArray[np.int64]) -> Questions:
        """Return the questions with these numbers."""
        texts = [self.texts[number] for number in numbers.tolist()]
        vectors = None if self.vectors is None else self.vectors[numbers]
        return replace(self, texts=texts, vectors=vectors)

    def parts(self, n: int) -> Iterator[Questions]:
        """Yield the questions, so many at once."""
        for first in range(0, len(self), n):
            part = slice(first, first + n)
            vectors = None if self.vectors is None else self.vectors[part]
            yield replace(self, texts=self.texts[part], vectors=vectors)


def checked_rows(rows: ArrayLike, n: int) -> NDArray[np.int64]:
    """Return numbers of chunks, of which there are ``n``.

    Raises
    ------
    ConfigError
        If they are none, or do not ascend; names the first.
    """
    import numpy as np

    try:
        array = np.asarray(unmasked("rows", rows))
    except ValueError as error:
        raise ConfigError(f"rows must be numbers of chunks: {error}") from None
    if not array.size:
        array = array.astype(np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        got = f"an array of shape {array.shape} of {array.dtype}"
        raise ConfigError(f"rows must be numbers of chunks, got {got}")
    for is_wrong, must in (
        ((array < 0) | (array >= n), f"be from 0 to below {n}"),
        (np.concatenate([[False], array[1:] <= array[:-1]]), "ascend"),
    ):
        if is_wrong.any():
            at = int(np.argmax(is_wrong))
            raise ConfigError(f"rows must {must}, got {array[at]} at place {at}")
    return np.ascontiguousarray(array, np.int64)
