"""Types of the strategies' names and options, by which type checkers find misspelt ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

from chunkwright.chunking.cluster import Mean
from chunkwright.chunking.kamradt import Threshold
from chunkwright.chunking.kamradt_modified import Target
from chunkwright.chunking.options import OverlapAt
from chunkwright.chunking.separators import Markup, Separator
from chunkwright.embed import EmbedderLike
from chunkwright.tokenizer import TokenizerLike

TextStrategyName = Literal[
    "recursive",
    "sentence",
    "balanced",
    "window",
    "kamradt",
    "kamradt_modified",
    "cluster",
    "discontinuity",
]
ElementStrategyName = Literal["basic", "by_title", "by_page", "by_similarity"]
StrategyName = Literal[TextStrategyName, ElementStrategyName]
"""The names of all strategies."""


class LimitOptions(TypedDict, total=False):
    """Those of :class:`chunkwright.chunking.options.Limited`."""

    max_tokens: int | None
    max_chars: int | None
    tokenizer: TokenizerLike


class SizeOptions(LimitOptions, total=False):
    """Those of :class:`chunkwright.chunking.options.Sizes`, and of :class:`chunkwright.Window`."""

    soft_max: int | None
    overlap: int
    overlap_at: OverlapAt


class RecursiveOptions(SizeOptions, total=False):
    """Those of :class:`chunkwright.Recursive`."""

    separators: str | Sequence[str | Separator]
    markup: Markup | None


class BalancedOptions(SizeOptions, total=False):
    """Those of :class:`chunkwright.Balanced`."""

    language: str


class SentenceOptions(SizeOptions, total=False):
    """Those of :class:`chunkwright.Sentence`."""

    language: str
    sentences: int | None
    window: int


class SemanticOptions(SizeOptions, total=False):
    """Those of :class:`chunkwright.chunking.semantic.Semantic`."""

    embedder: EmbedderLike
    language: str


class KamradtOptions(SemanticOptions, total=False):
    """Those of :class:`chunkwright.Kamradt`."""

    window: int
    threshold: Threshold
    amount: float | None
    n_chunks: int | None
    min_size: int


class KamradtModifiedOptions(SemanticOptions, total=False):
    """Those of :class:`chunkwright.KamradtModified`."""

    piece_max: int | None
    target: Target
    target_size: int | None
    window: int


class ClusterOptions(SemanticOptions, total=False):
    """Those of :class:`chunkwright.Cluster`."""

    piece_max: int | None
    mean: Mean
    parity: bool


class DiscontinuityOptions(SemanticOptions, total=False):
    """Those of :class:`chunkwright.Discontinuity`."""

    window: int


class ElementOptions(LimitOptions, total=False):
    """Those of strategies over elements, and of :class:`chunkwright.Basic` and `ByPage`."""

    soft_max: int | None
    overlap: int
    overlap_all: bool
    isolate_tables: bool
    skip_tables: bool
    repeat_headers: bool
    fix: bool


class ByTitleOptions(ElementOptions, total=False):
    """Those of :class:`chunkwright.ByTitle`."""

    multipage_sections: bool
    combine_under: int | None


class BySimilarityOptions(ElementOptions, total=False):
    """Those of :class:`chunkwright.BySimilarity`."""

    embedder: EmbedderLike | None
    similarity_threshold: float


OPTIONS: dict[str, type] = {
    "recursive": RecursiveOptions,
    "sentence": SentenceOptions,
    "balanced": BalancedOptions,
    "window": SizeOptions,
    "kamradt": KamradtOptions,
    "kamradt_modified": KamradtModifiedOptions,
    "cluster": ClusterOptions,
    "discontinuity": DiscontinuityOptions,
    "basic": ElementOptions,
    "by_title": ByTitleOptions,
    "by_page": ElementOptions,
    "by_similarity": BySimilarityOptions,
}
"""The options of each strategy, by its name."""
