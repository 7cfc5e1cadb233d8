"""Chunks of neighbours that speak of the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING

from chunkwright.chunking.elementwise import ElementStrategy
from chunkwright.chunking.options import set_derived
from chunkwright.errors import ConfigError
from chunkwright.vectors import Embedder, embedded

if TYPE_CHECKING:
    from chunkwright import _core
    from chunkwright.elements import Elements


@dataclass(frozen=True, kw_only=True)
class BySimilarity(ElementStrategy):
    r"""Join elements as long as they fit and each is similar to the one before it.

    Two neighbours whose vectors' cosine is below the threshold are never in one chunk, not even
    as an overlap. Elements without text are with the one before them; a vector of zeros is similar
    to nothing.

    Parameters
    ----------
    embedder
        Gives a vector for each text of a list: a callable ``list[str] -> array`` of shape
        ``(len(texts), d)``. Called once for a document, with the texts of all elements that have
        any, and never by two threads at once.
    similarity_threshold
        The least cosine, between 0 and 1, both excluded.
    max_tokens, max_chars, soft_max, overlap, overlap_all, isolate_tables, skip_tables
        See :class:`chunkwright.chunking.elementwise.ElementStrategy`.
    repeat_headers, fix, tokenizer
        See :class:`chunkwright.chunking.elementwise.ElementStrategy`.

    Raises
    ------
    ConfigError
        If an option makes no sense.

    Examples
    --------
    >>> import chunkwright as cw
    >>> texts = ["Cats purr.", "Cats sleep.", "Engines hum."]
    >>> def embedder(texts):
    ...     return [[1.0, 0.0] if "Cats" in text else [0.0, 1.0] for text in texts]
    >>> splitter = cw.BySimilarity(max_chars=100, embedder=embedder)
    >>> splitter([{"type": "NarrativeText", "text": text} for text in texts]).texts()
    ['Cats purr.\n\nCats sleep.', 'Engines hum.']
    """

    embedder: Embedder | None = None
    similarity_threshold: float = 0.5
    _embedder: Embedder = field(init=False, repr=False, compare=False)
    _embedding: Lock = field(init=False, repr=False, compare=False)

    def _derive(self) -> None:
        if not callable(self.embedder):
            raise ConfigError(f"embedder must be a callable, got {self.embedder!r}")
        _check_threshold(self.similarity_threshold)
        set_derived(self, "_embedder", self.embedder)
        set_derived(self, "_embedding", Lock())
        super()._derive()

    def _columns(self, elements: Elements) -> _core.ElementColumns:
        texts = [text for text in elements.texts() if text]
        with self._embedding:
            vectors = embedded(self._embedder, texts)
        threshold = float(self.similarity_threshold)
        return self._cutter.by_similarity(elements.core, vectors.data, threshold)


def _check_threshold(threshold: object) -> None:
    # A bool is none of the numbers between the two.
    if not isinstance(threshold, int | float) or not 0 < threshold < 1:
        raise ConfigError(
            f"similarity_threshold must be between 0 and 1, both excluded, got {threshold!r}"
        )
