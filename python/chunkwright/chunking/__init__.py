"""The strategies, and :func:`chunk`, which calls one by its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, Literal, Unpack, overload

from chunkwright.chunking import option_types as types
from chunkwright.chunking.balanced import Balanced
from chunkwright.chunking.basic import Basic
from chunkwright.chunking.by_page import ByPage
from chunkwright.chunking.by_similarity import BySimilarity
from chunkwright.chunking.by_title import ByTitle
from chunkwright.chunking.cluster import Cluster
from chunkwright.chunking.discontinuity import Discontinuity
from chunkwright.chunking.elementwise import ElementStrategy, Source
from chunkwright.chunking.kamradt import Kamradt
from chunkwright.chunking.kamradt_modified import KamradtModified
from chunkwright.chunking.naming import strategy_hint
from chunkwright.chunking.recursive import Recursive
from chunkwright.chunking.sentence import Sentence
from chunkwright.chunking.separators import Separator
from chunkwright.chunking.strategy import Strategy
from chunkwright.chunking.table import TablePart, split_table
from chunkwright.chunking.window import Window
from chunkwright.chunks import Chunks
from chunkwright.document import Document
from chunkwright.errors import ConfigError, nearest

STRATEGIES: dict[str, type[Strategy]] = {
    "recursive": Recursive,
    "sentence": Sentence,
    "balanced": Balanced,
    "window": Window,
    "kamradt": Kamradt,
    "kamradt_modified": KamradtModified,
    "cluster": Cluster,
    "discontinuity": Discontinuity,
}
"""The strategies over text, by name."""

ELEMENT_STRATEGIES: dict[str, type[ElementStrategy]] = {
    "basic": Basic,
    "by_title": ByTitle,
    "by_page": ByPage,
    "by_similarity": BySimilarity,
}
"""The strategies over elements, by name."""

AnyStrategy = Strategy | ElementStrategy

ALL_STRATEGIES: dict[str, type[AnyStrategy]] = {**STRATEGIES, **ELEMENT_STRATEGIES}

__all__ = [
    "ALL_STRATEGIES",
    "ELEMENT_STRATEGIES",
    "STRATEGIES",
    "Balanced",
    "Basic",
    "ByPage",
    "BySimilarity",
    "ByTitle",
    "Cluster",
    "Discontinuity",
    "ElementStrategy",
    "Kamradt",
    "KamradtModified",
    "Recursive",
    "Sentence",
    "Separator",
    "Strategy",
    "TablePart",
    "Window",
    "chunk",
    "make_strategy",
    "split_table",
]


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
    **options: Unpack[types.SizeOptions],
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
    text: Source,
    strategy: Literal["basic", "by_page"],
    *,
    name: str | None = ...,
    **options: Unpack[types.ElementOptions],
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
    strategy: Literal["by_similarity"],
    *,
    name: str | None = ...,
    **options: Unpack[types.BySimilarityOptions],
) -> Chunks: ...
def chunk(
    text: Source, strategy: str = "recursive", *, name: str | None = None, **options: Any
) -> Chunks:
    """Cut ``text`` into chunks.

    Type checkers take the names of the strategies, and for each its options. For a name that is
    known at run time only there is :func:`chunkwright.chunking.make_strategy`.

    Parameters
    ----------
    text
        The text, or a :class:`chunkwright.Document`; for a strategy over elements also a list of
        them.
    strategy
        ``"recursive"`` (:class:`chunkwright.Recursive`), ``"sentence"``
        (:class:`chunkwright.Sentence`), ``"balanced"`` (:class:`chunkwright.Balanced`) or
        ``"window"`` (:class:`chunkwright.Window`); by what is alike ``"kamradt"``
        (:class:`chunkwright.Kamradt`), ``"kamradt_modified"``
        (:class:`chunkwright.KamradtModified`), ``"cluster"`` (:class:`chunkwright.Cluster`) or
        ``"discontinuity"`` (:class:`chunkwright.Discontinuity`); over elements ``"basic"``
        (:class:`chunkwright.Basic`), ``"by_title"`` (:class:`chunkwright.ByTitle`), ``"by_page"``
        (:class:`chunkwright.ByPage`) or ``"by_similarity"`` (:class:`chunkwright.BySimilarity`).
    name
        The document's name, from which ids are derived.
    **options
        Those of the strategy. Without ``max_tokens`` and ``max_chars``, or ``sentences``, the
        limit is 512 tokens.

    Returns
    -------
    Chunks
        None for an empty text, and for one of whitespace only. Those of a strategy over elements
        are :class:`chunkwright.Chunks`.

    Raises
    ------
    ConfigError
        If the strategy or an option is unknown, or a value makes no sense.
    ReadError
        If a list is not made of elements.
    TokenizerError
        If a callable tokenizer gives no count.
    ModelError
        If an embedder gives no vectors that can be used.

    Examples
    --------
    >>> import chunkwright as cw
    >>> chunks = cw.chunk("One sentence. And one more.", "recursive", max_tokens=4)
    >>> [(c.text, c.start, c.end, c.n_tokens) for c in chunks]
    [('One sentence. And', 0, 17, 4), ('one more.', 18, 27, 3)]
    """
    cut: Callable[..., Chunks] = make_strategy(strategy, options)
    return cut(text, name=name)


def make_strategy(strategy: str, options: dict[str, Any]) -> AnyStrategy:
    """Return the strategy of that name with ``options``.

    Raises
    ------
    ConfigError
        If the strategy or an option is unknown, with the nearest right name.
    """
    kind = ALL_STRATEGIES.get(strategy) if isinstance(strategy, str) else None
    if kind is None:
        raise ConfigError(
            f"unknown strategy {strategy!r}: {strategy_hint(strategy, ALL_STRATEGIES)}"
        )
    known = [field.name for field in fields(kind) if field.init]
    for option in options:
        if option not in known:
            hint = nearest(option, known)
            raise ConfigError(f"unknown option {option!r} of {strategy!r}: {hint}")
    return kind(**options)
