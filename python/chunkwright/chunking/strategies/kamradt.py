"""Kamradt's strategy: cuts where neighbouring sentences are unusually far apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from chunkwright.checks import checked_int, checked_name, checked_number
from chunkwright.chunking.bases.over_pieces import MAX_WINDOW, Semantic
from chunkwright.errors import ConfigError

Threshold = Literal["percentile", "standard_deviation", "interquartile", "gradient"]

# The amounts of these are percentiles.
PERCENTILES = ("percentile", "gradient")


@dataclass(frozen=True, kw_only=True)
class Kamradt(Semantic):
    """Cut between sentences where the distance of their vectors exceeds a threshold.

    Each sentence is embedded together with its neighbours, the cosine distance of each two that
    follow one another is taken, and the text is cut where a distance is above a threshold that
    depends on all distances of the text. What is over the limit all the same is cut at its largest
    distance within reach, and a sentence over the limit as :class:`chunkwright.Sentence` cuts it.

    Parameters
    ----------
    window
        How many sentences on each side are embedded with a sentence.
    threshold
        Where the threshold lies: at a ``"percentile"`` of the distances; so many
        ``"standard_deviation"`` or ``"interquartile"`` ranges above their mean; or, for
        ``"gradient"``, at a percentile of how fast they grow, with which that is compared.
    amount
        The percentile (0 to 100) or the factor: 95, 3, 1.5 or 95 by default.
    n_chunks
        How many chunks are wanted, in place of ``threshold`` and ``amount``. Limit, ``min_size``
        and equal distances may make it more or fewer.
    min_size
        What a chunk must have for a distance to end it, in the unit of the limit; 0 by default.
    embedder, language
        See :class:`chunkwright.chunking.bases.over_pieces.Semantic`.
    soft_max
        What is over the limit is divided into chunks that end from this size on, where a boundary
        is within reach; half of the limit by default.
    max_tokens, max_chars, overlap, overlap_at, tokenizer
        See :class:`chunkwright.chunking.bases.options.Sizes`.

    Raises
    ------
    ConfigError
        If an option makes no sense.

    Notes
    -----
    Greg Kamradt, "The 5 Levels of Text Splitting for Retrieval" (2024), level 4; LangChain's
    ``SemanticChunker`` has the thresholds. Unlike there, sentences are told apart by rules, the
    limit holds, and chunks are slices of the text.

    Examples
    --------
    >>> import chunkwright as cw
    >>> def embedder(texts):
    ...     return [[text.count("cat"), text.count("engine"), 0.1] for text in texts]
    >>> text = "A cat naps. A cat purrs. A cat plays. An engine hums. An engine stops."
    >>> chunks = cw.Kamradt(max_tokens=100, embedder=embedder, window=0)(text)
    >>> chunks.texts()
    ['A cat naps. A cat purrs. A cat plays.', 'An engine hums. An engine stops.']
    >>> chunks.boundaries.scores.round(2).tolist()
    [0.0, 0.0, 0.99, 0.0]
    """

    name = "kamradt"

    window: int = 1
    threshold: Threshold = "percentile"
    amount: float | None = None
    n_chunks: int | None = None

    def _checked(self) -> dict[str, Any]:
        window = checked_int("window", self.window, least=0, most=MAX_WINDOW)
        threshold = checked_name("threshold", self.threshold, get_args(Threshold))
        spec = {**super()._checked(), "window": window, "threshold": threshold}
        if self.n_chunks is not None:
            if self.amount is not None or threshold != Kamradt.threshold:
                both = f"n_chunks={self.n_chunks!r} with {threshold!r} and amount={self.amount!r}"
                message = f"n_chunks takes the place of threshold and amount, got {both}"
                raise ConfigError(message, option="n_chunks")
            spec["n_chunks"] = checked_int("n_chunks", self.n_chunks, least=1)
        elif self.amount is not None:
            limits = {"least": 0, "most": 100} if threshold in PERCENTILES else {}
            spec["amount"] = checked_number("amount", self.amount, **limits)
        return spec
