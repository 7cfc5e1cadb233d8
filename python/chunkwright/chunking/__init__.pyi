# What type checkers know of this package. Made by scripts/generate_option_types.py.
from typing import Literal, Unpack, overload

from chunkwright.chunking import option_types as types
from chunkwright.chunking.bases.chunker import Chunker as Chunker
from chunkwright.chunking.bases.chunker import Source as Source
from chunkwright.chunking.bases.elementwise import ElementStrategy as ElementStrategy
from chunkwright.chunking.bases.sectionwise import SectionStrategy as SectionStrategy
from chunkwright.chunking.bases.strategy import Strategy as Strategy
from chunkwright.chunking.registry import ALL_STRATEGIES as ALL_STRATEGIES
from chunkwright.chunking.registry import ELEMENT_STRATEGIES as ELEMENT_STRATEGIES
from chunkwright.chunking.registry import STRATEGIES as STRATEGIES
from chunkwright.chunking.registry import AnyStrategy as AnyStrategy
from chunkwright.chunking.registry import make_strategy as make_strategy
from chunkwright.chunking.separators import Separator as Separator
from chunkwright.chunking.strategies.auto import Auto as Auto
from chunkwright.chunking.strategies.balanced import Balanced as Balanced
from chunkwright.chunking.strategies.basic import Basic as Basic
from chunkwright.chunking.strategies.by_page import ByPage as ByPage
from chunkwright.chunking.strategies.by_similarity import BySimilarity as BySimilarity
from chunkwright.chunking.strategies.by_title import ByTitle as ByTitle
from chunkwright.chunking.strategies.cluster import Cluster as Cluster
from chunkwright.chunking.strategies.discontinuity import Discontinuity as Discontinuity
from chunkwright.chunking.strategies.hierarchical import Hierarchical as Hierarchical
from chunkwright.chunking.strategies.hybrid import Hybrid as Hybrid
from chunkwright.chunking.strategies.json import Json as Json
from chunkwright.chunking.strategies.kamradt import Kamradt as Kamradt
from chunkwright.chunking.strategies.kamradt_modified import KamradtModified as KamradtModified
from chunkwright.chunking.strategies.line_based import LineBased as LineBased
from chunkwright.chunking.strategies.llm import LLM as LLM
from chunkwright.chunking.strategies.recursive import Recursive as Recursive
from chunkwright.chunking.strategies.sentence import Sentence as Sentence
from chunkwright.chunking.strategies.structural import Structural as Structural
from chunkwright.chunking.strategies.window import Window as Window
from chunkwright.chunking.table_splitter import TablePart as TablePart
from chunkwright.chunking.table_splitter import split_table as split_table
from chunkwright.chunks import Chunks
from chunkwright.document import Document

@overload
def chunk(
    text: str | Document,
    strategy: Literal["recursive"] = ...,
    *,
    name: str | None = ...,
    **options: Unpack[types.RecursiveOptions],
) -> Chunks: ...
@overload
def chunk(
    text: str | Document,
    strategy: Literal["sentence"],
    *,
    name: str | None = ...,
    **options: Unpack[types.SentenceOptions],
) -> Chunks: ...
@overload
def chunk(
    text: str | Document,
    strategy: Literal["balanced"],
    *,
    name: str | None = ...,
    **options: Unpack[types.BalancedOptions],
) -> Chunks: ...
@overload
def chunk(
    text: str | Document,
    strategy: Literal["window"],
    *,
    name: str | None = ...,
    **options: Unpack[types.WindowOptions],
) -> Chunks: ...
@overload
def chunk(
    text: str | Document,
    strategy: Literal["line_based"],
    *,
    name: str | None = ...,
    **options: Unpack[types.LineBasedOptions],
) -> Chunks: ...
@overload
def chunk(
    text: str | Document,
    strategy: Literal["kamradt"],
    *,
    name: str | None = ...,
    **options: Unpack[types.KamradtOptions],
) -> Chunks: ...
@overload
def chunk(
    text: str | Document,
    strategy: Literal["kamradt_modified"],
    *,
    name: str | None = ...,
    **options: Unpack[types.KamradtModifiedOptions],
) -> Chunks: ...
@overload
def chunk(
    text: str | Document,
    strategy: Literal["cluster"],
    *,
    name: str | None = ...,
    **options: Unpack[types.ClusterOptions],
) -> Chunks: ...
@overload
def chunk(
    text: str | Document,
    strategy: Literal["discontinuity"],
    *,
    name: str | None = ...,
    **options: Unpack[types.DiscontinuityOptions],
) -> Chunks: ...
@overload
def chunk(
    text: str | Document,
    strategy: Literal["llm"],
    *,
    name: str | None = ...,
    **options: Unpack[types.LLMOptions],
) -> Chunks: ...
@overload
def chunk(
    text: Source,
    strategy: Literal["hierarchical"],
    *,
    name: str | None = ...,
    **options: Unpack[types.HierarchicalOptions],
) -> Chunks: ...
@overload
def chunk(
    text: Source,
    strategy: Literal["hybrid"],
    *,
    name: str | None = ...,
    **options: Unpack[types.HybridOptions],
) -> Chunks: ...
@overload
def chunk(
    text: Source,
    strategy: Literal["auto"],
    *,
    name: str | None = ...,
    **options: Unpack[types.AutoOptions],
) -> Chunks: ...
@overload
def chunk(
    text: Source,
    strategy: Literal["json"],
    *,
    name: str | None = ...,
    **options: Unpack[types.JsonOptions],
) -> Chunks: ...
@overload
def chunk(
    text: Source,
    strategy: Literal["basic"],
    *,
    name: str | None = ...,
    **options: Unpack[types.BasicOptions],
) -> Chunks: ...
@overload
def chunk(
    text: Source,
    strategy: Literal["by_title"],
    *,
    name: str | None = ...,
    **options: Unpack[types.ByTitleOptions],
) -> Chunks: ...
@overload
def chunk(
    text: Source,
    strategy: Literal["by_page"],
    *,
    name: str | None = ...,
    **options: Unpack[types.ByPageOptions],
) -> Chunks: ...
@overload
def chunk(
    text: Source,
    strategy: Literal["by_similarity"],
    *,
    name: str | None = ...,
    **options: Unpack[types.BySimilarityOptions],
) -> Chunks: ...
@overload
def chunk(
    text: Source,
    strategy: Literal["structural"],
    *,
    name: str | None = ...,
    **options: Unpack[types.StructuralOptions],
) -> Chunks: ...
@overload
def chunk(text: Source, strategy: AnyStrategy, *, name: str | None = ...) -> Chunks: ...
