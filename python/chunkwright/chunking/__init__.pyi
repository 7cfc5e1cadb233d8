# What type checkers know of this package. Made by scripts/generate_option_types.py.
from typing import Literal, Unpack, overload

from chunkwright.chunking import option_types as types
from chunkwright.chunking.bases.chunker import Chunker as Chunker
from chunkwright.chunking.bases.chunker import Source as Source
from chunkwright.chunking.bases.strategy import Strategy as Strategy
from chunkwright.chunking.registry import ALL_STRATEGIES as ALL_STRATEGIES
from chunkwright.chunking.registry import ELEMENT_STRATEGIES as ELEMENT_STRATEGIES
from chunkwright.chunking.registry import STRATEGIES as STRATEGIES
from chunkwright.chunking.registry import AnyStrategy as AnyStrategy
from chunkwright.chunking.registry import make_strategy as make_strategy
from chunkwright.chunking.separators import Separator as Separator
from chunkwright.chunking.strategies.auto import Auto as Auto
from chunkwright.chunking.strategies.code import Code as Code
from chunkwright.chunking.strategies.elements import Basic as Basic
from chunkwright.chunking.strategies.elements import ByPage as ByPage
from chunkwright.chunking.strategies.elements import BySimilarity as BySimilarity
from chunkwright.chunking.strategies.elements import ByTitle as ByTitle
from chunkwright.chunking.strategies.elements import ElementStrategy as ElementStrategy
from chunkwright.chunking.strategies.elements import Structural as Structural
from chunkwright.chunking.strategies.json import Json as Json
from chunkwright.chunking.strategies.llm import LLM as LLM
from chunkwright.chunking.strategies.sections import Hierarchical as Hierarchical
from chunkwright.chunking.strategies.sections import Hybrid as Hybrid
from chunkwright.chunking.strategies.sections import SectionStrategy as SectionStrategy
from chunkwright.chunking.strategies.semantic import Cluster as Cluster
from chunkwright.chunking.strategies.semantic import Discontinuity as Discontinuity
from chunkwright.chunking.strategies.semantic import Kamradt as Kamradt
from chunkwright.chunking.strategies.semantic import KamradtModified as KamradtModified
from chunkwright.chunking.strategies.text import Balanced as Balanced
from chunkwright.chunking.strategies.text import LineBased as LineBased
from chunkwright.chunking.strategies.text import Recursive as Recursive
from chunkwright.chunking.strategies.text import Sentence as Sentence
from chunkwright.chunking.strategies.text import Window as Window
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
    strategy: Literal["code"],
    *,
    name: str | None = ...,
    **options: Unpack[types.CodeOptions],
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
