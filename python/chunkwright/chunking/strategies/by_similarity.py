"""Chunks of neighbouring elements with similar vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from chunkwright.chunking.bases.elementwise import ElementStrategy
from chunkwright.embed import EmbedderLike, core_embedder
from chunkwright.errors import ConfigError
from chunkwright.rows import OF_ELEMENTS, OF_ENDINGS


@dataclass(frozen=True, kw_only=True)
class BySimilarity(ElementStrategy):
    r"""Join elements as long as they fit and each is similar to the one before it.

    Two neighbours whose vectors' cosine is below the threshold are never in one chunk, not even
    as an overlap. A heading stays with what follows it, however similar the two are, and so does a
    line that ends in a colon with the list, the code, the table or the formula below it. Elements
    without text are with the one before them; a vector of zeros is similar to nothing.

    :attr:`chunkwright.Chunk.reason` says why a chunk ends: ``"score"``, for a cosine below the
    threshold, ``"structure"``, for a table that stands alone, or ``"limit"``.

    Parameters
    ----------
    embedder
        What gives texts their vectors: the path of a folder with a model, an embedder such as
        :class:`chunkwright.Onnx`, ``"lexical"`` (the document's own words: few elements share
        many, so the threshold must be low), or a callable ``list[str] -> array`` with a row for
        each text. Asked once for a document, for the texts of all elements that have any, and
        never by two threads at once.
    similarity_threshold
        The least cosine, between 0 and 1, both excluded.
    max_tokens, max_chars, soft_max, min_size, overlap, overlap_at, overlap_all, isolate_tables
        See :class:`chunkwright.chunking.bases.elementwise.ElementStrategy`.
    skip_tables, repeat_headers, language, tokenizer
        See :class:`chunkwright.chunking.bases.elementwise.ElementStrategy`.

    Raises
    ------
    ConfigError
        If an option makes no sense.
    ModelError
        If the folder of a model cannot be read.

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

    name = "by_similarity"
    models: ClassVar[tuple[str, ...]] = ("embedder",)
    columns: ClassVar[tuple[str, ...]] = (*OF_ELEMENTS, *OF_ENDINGS)

    embedder: EmbedderLike | None = None
    similarity_threshold: float = 0.5

    def _checked(self) -> dict[str, Any]:
        spec, threshold = super()._checked(), self.similarity_threshold
        # A bool is none of the numbers between the two.
        if not isinstance(threshold, int | float) or not 0 < threshold < 1:
            message = "similarity_threshold must be between 0 and 1, both excluded"
            raise ConfigError(f"{message}, got {threshold!r}", option="similarity_threshold")
        return {**spec, "similarity_threshold": float(threshold)}

    def _beside(self) -> dict[str, Any]:
        if self.embedder is None:
            known = "the folder of a model, an embedder or a callable"
            raise ConfigError(f"embedder must be {known}, got None", option="embedder")
        return {"embedder": core_embedder(self.embedder)}
