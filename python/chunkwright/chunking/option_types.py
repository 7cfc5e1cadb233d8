"""Types of the strategies' names and options, for type checkers.

Made by scripts/generate_option_types.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

from chunkwright.chunking.separators import Separator
from chunkwright.embed import EmbedderLike
from chunkwright.llm.prompt import PromptLike
from chunkwright.llm.run.runner import RunnerLike
from chunkwright.tokens.tokenizer import TokenizerLike

Size = int
"""A size in the unit of the limit, which has no meaning under a limit in another one."""

OverlapAt = Literal["word", "sentence", "any"]
KeepMark = Literal["start", "end", "drop"]
Markup = Literal[
    "text",
    "markdown",
    "rst",
    "code",
    "python",
    "js",
    "ts",
    "tsx",
    "java",
    "c",
    "cpp",
    "csharp",
    "go",
    "rust",
    "ruby",
    "php",
    "kotlin",
    "swift",
    "scala",
    "lua",
    "bash",
    "sql",
    "html",
    "css",
    "yaml",
    "toml",
    "dockerfile",
    "make",
    "hcl",
    "dart",
    "julia",
    "r",
    "zig",
    "elixir",
    "haskell",
    "sol",
    "proto",
    "graphql",
    "vue",
    "svelte",
    "powershell",
    "perl",
    "cobol",
    "visualbasic6",
    "latex",
]
Language = Literal[
    "python",
    "js",
    "ts",
    "tsx",
    "java",
    "c",
    "cpp",
    "csharp",
    "go",
    "rust",
    "ruby",
    "php",
    "kotlin",
    "swift",
    "scala",
    "lua",
    "bash",
    "sql",
    "html",
    "css",
    "yaml",
    "toml",
    "dockerfile",
    "make",
    "hcl",
    "dart",
    "julia",
    "r",
    "zig",
    "elixir",
    "haskell",
    "sol",
    "proto",
    "graphql",
    "vue",
    "svelte",
    "powershell",
    "perl",
    "cobol",
    "visualbasic6",
    "latex",
]
Threshold = Literal["percentile", "standard_deviation", "interquartile", "gradient"]
Target = Literal["average", "max"]
Mean = Literal["global", "local"]
Syntax = Literal["json", "yaml"]
TextStrategyName = Literal[
    "recursive",
    "sentence",
    "balanced",
    "window",
    "line_based",
    "code",
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


class SizesOptions(TypedDict, total=False):
    """Those of :class:`chunkwright.chunking.bases.options.Sizes`."""

    max_tokens: int | None
    max_chars: int | None
    tokenizer: TokenizerLike
    soft_max: Size | None
    min_size: Size | None
    overlap: Size
    overlap_at: OverlapAt
    split_at: str | Separator | Sequence[str | Separator] | None
    keep_mark: KeepMark


class RecursiveOptions(SizesOptions, total=False):
    """Those of :class:`chunkwright.Recursive`."""

    separators: str | Sequence[str | Separator] | None
    markup: Markup | None
    repeat_headers: bool


class SentenceOptions(SizesOptions, total=False):
    """Those of :class:`chunkwright.Sentence`."""

    language: str
    repeat_headers: bool
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


class CodeOptions(SizesOptions, total=False):
    """Those of :class:`chunkwright.Code`."""

    language: Language | None
    repeat_heads: bool


class KamradtOptions(SizesOptions, total=False):
    """Those of :class:`chunkwright.Kamradt`."""

    language: str
    embedder: EmbedderLike
    window: int
    threshold: Threshold
    amount: float | None
    n_chunks: int | None


class KamradtModifiedOptions(SizesOptions, total=False):
    """Those of :class:`chunkwright.KamradtModified`."""

    language: str
    embedder: EmbedderLike
    piece_max: Size | None
    target: Target
    target_size: Size | None
    window: int


class ClusterOptions(SizesOptions, total=False):
    """Those of :class:`chunkwright.Cluster`."""

    language: str
    embedder: EmbedderLike
    piece_max: Size | None
    mean: Mean


class DiscontinuityOptions(SizesOptions, total=False):
    """Those of :class:`chunkwright.Discontinuity`."""

    language: str
    embedder: EmbedderLike
    window: int


class LLMOptions(SizesOptions, total=False):
    """Those of :class:`chunkwright.LLM`."""

    language: str
    llm: RunnerLike | None
    prompt: PromptLike | None
    window_tokens: int
    piece_max: Size | None


class HierarchicalOptions(SizesOptions, total=False):
    """Those of :class:`chunkwright.Hierarchical`."""

    repeat_headings: bool
    always_emit_headings: bool
    repeat_headers: bool
    omit_header_on_overflow: bool
    language: str
    merge_list_items: bool


class HybridOptions(SizesOptions, total=False):
    """Those of :class:`chunkwright.Hybrid`."""

    repeat_headings: bool
    always_emit_headings: bool
    repeat_headers: bool
    omit_header_on_overflow: bool
    language: str
    merge_peers: bool


class AutoOptions(SizesOptions, total=False):
    """Those of :class:`chunkwright.Auto`."""

    language: str


class JsonOptions(SizesOptions, total=False):
    """Those of :class:`chunkwright.Json`."""

    syntax: Syntax


class BasicOptions(SizesOptions, total=False):
    """Those of :class:`chunkwright.Basic`."""

    overlap_all: bool
    isolate_tables: bool
    skip_tables: bool
    repeat_headers: bool
    language: str


class ByTitleOptions(SizesOptions, total=False):
    """Those of :class:`chunkwright.ByTitle`."""

    overlap_all: bool
    isolate_tables: bool
    skip_tables: bool
    repeat_headers: bool
    language: str
    multipage_sections: bool


class ByPageOptions(SizesOptions, total=False):
    """Those of :class:`chunkwright.ByPage`."""

    overlap_all: bool
    isolate_tables: bool
    skip_tables: bool
    repeat_headers: bool
    language: str


class BySimilarityOptions(SizesOptions, total=False):
    """Those of :class:`chunkwright.BySimilarity`."""

    overlap_all: bool
    isolate_tables: bool
    skip_tables: bool
    repeat_headers: bool
    language: str
    embedder: EmbedderLike | None
    similarity_threshold: float


class StructuralOptions(SizesOptions, total=False):
    """Those of :class:`chunkwright.Structural`."""

    overlap_all: bool
    isolate_tables: bool
    skip_tables: bool
    repeat_headers: bool
    language: str
    list_max: Size | None
    table_max: Size | None
    embedder: EmbedderLike | None
    merge_at: float
    split_above: Size | None
