"""Types of the strategies' names and options, for type checkers.

Made by scripts/generate_option_types.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

from chunkwright.chunking.bases.options import OverlapAt, Size
from chunkwright.chunking.separators import Markup, Separator
from chunkwright.chunking.strategies.cluster import Mean
from chunkwright.chunking.strategies.json import Syntax
from chunkwright.chunking.strategies.kamradt import Threshold
from chunkwright.chunking.strategies.kamradt_modified import Target
from chunkwright.embed import EmbedderLike
from chunkwright.llm.prompt import PromptLike
from chunkwright.llm.run.runner import RunnerLike
from chunkwright.tokens.tokenizer import TokenizerLike

TextStrategyName = Literal[
    "recursive",
    "sentence",
    "balanced",
    "window",
    "line_based",
    "kamradt",
    "kamradt_modified",
    "cluster",
    "discontinuity",
    "llm",
    "hierarchical",
    "hybrid",
    "auto",
]
ElementStrategyName = Literal[
    "hierarchical",
    "hybrid",
    "auto",
    "basic",
    "by_title",
    "by_page",
    "by_similarity",
    "structural",
]
StrategyName = Literal[TextStrategyName, "json", ElementStrategyName]
"""The names of all strategies."""


class LimitedOptions(TypedDict, total=False):
    """Those of :class:`chunkwright.chunking.bases.options.Limited`."""

    max_tokens: int | None
    max_chars: int | None
    tokenizer: TokenizerLike


class SizesOptions(LimitedOptions, total=False):
    """Those of :class:`chunkwright.chunking.bases.options.Sizes`."""

    soft_max: Size | None
    min_size: Size | None
    overlap: Size
    overlap_at: OverlapAt


class RecursiveOptions(SizesOptions, total=False):
    """Those of :class:`chunkwright.Recursive`."""

    separators: str | Sequence[str | Separator] | None
    markup: Markup | None
    repeat_headers: bool


class SentenceOptions(SizesOptions, total=False):
    """Those of :class:`chunkwright.Sentence`."""

    language: str
    sentences: int | None
    window: int


class BalancedOptions(SizesOptions, total=False):
    """Those of :class:`chunkwright.Balanced`."""

    language: str
    repeat_headers: bool


class WindowOptions(SizesOptions, total=False):
    """Those of :class:`chunkwright.Window`."""


class LineBasedOptions(SizesOptions, total=False):
    """Those of :class:`chunkwright.LineBased`."""

    header_lines: int
    omit_header_on_overflow: bool


class OverPiecesOptions(SizesOptions, total=False):
    """Those of :class:`chunkwright.chunking.bases.over_pieces.OverPieces`."""

    language: str


class SemanticOptions(OverPiecesOptions, total=False):
    """Those of :class:`chunkwright.chunking.bases.over_pieces.Semantic`."""

    embedder: EmbedderLike


class KamradtOptions(SemanticOptions, total=False):
    """Those of :class:`chunkwright.Kamradt`."""

    window: int
    threshold: Threshold
    amount: float | None
    n_chunks: int | None


class SmallPiecesOptions(SemanticOptions, total=False):
    """Those of :class:`chunkwright.chunking.bases.over_pieces.SmallPieces`."""

    piece_max: Size | None


class KamradtModifiedOptions(SmallPiecesOptions, total=False):
    """Those of :class:`chunkwright.KamradtModified`."""

    target: Target
    target_size: Size | None
    window: int


class ClusterOptions(SmallPiecesOptions, total=False):
    """Those of :class:`chunkwright.Cluster`."""

    mean: Mean


class DiscontinuityOptions(SemanticOptions, total=False):
    """Those of :class:`chunkwright.Discontinuity`."""

    window: int


class LLMOptions(OverPiecesOptions, total=False):
    """Those of :class:`chunkwright.LLM`."""

    llm: RunnerLike | None
    prompt: PromptLike | None
    window_tokens: int
    piece_max: Size | None


class SectionStrategyOptions(SizesOptions, total=False):
    """Those of :class:`chunkwright.chunking.bases.sectionwise.SectionStrategy`."""

    repeat_headings: bool
    always_emit_headings: bool
    repeat_headers: bool
    omit_header_on_overflow: bool
    language: str


class HierarchicalOptions(SectionStrategyOptions, total=False):
    """Those of :class:`chunkwright.Hierarchical`."""

    merge_list_items: bool


class HybridOptions(SectionStrategyOptions, total=False):
    """Those of :class:`chunkwright.Hybrid`."""

    merge_peers: bool


class AutoOptions(SizesOptions, total=False):
    """Those of :class:`chunkwright.Auto`."""

    language: str


class JsonOptions(SizesOptions, total=False):
    """Those of :class:`chunkwright.Json`."""

    syntax: Syntax


class ElementStrategyOptions(SizesOptions, total=False):
    """Those of :class:`chunkwright.chunking.bases.elementwise.ElementStrategy`."""

    overlap_all: bool
    isolate_tables: bool
    skip_tables: bool
    repeat_headers: bool
    language: str


class BasicOptions(ElementStrategyOptions, total=False):
    """Those of :class:`chunkwright.Basic`."""


class ByTitleOptions(ElementStrategyOptions, total=False):
    """Those of :class:`chunkwright.ByTitle`."""

    multipage_sections: bool


class ByPageOptions(ElementStrategyOptions, total=False):
    """Those of :class:`chunkwright.ByPage`."""


class BySimilarityOptions(ElementStrategyOptions, total=False):
    """Those of :class:`chunkwright.BySimilarity`."""

    embedder: EmbedderLike | None
    similarity_threshold: float


class StructuralOptions(ElementStrategyOptions, total=False):
    """Those of :class:`chunkwright.Structural`."""

    list_max: Size | None
    table_max: Size | None
    embedder: EmbedderLike | None
    merge_at: float
    split_above: Size | None
