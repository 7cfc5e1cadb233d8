"""Unstructured's chunking strategies over native ones; needs the extra ``unstructured``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from chunkwright.chunking.bases.strategy import Strategy
from chunkwright.chunking.registry import ALL_STRATEGIES, as_strategy, strategy_class
from chunkwright.compat.unstructured.json import chunks_to_dicts
from chunkwright.errors import MissingExtraError
from chunkwright.readers.unstructured import read_elements

try:
    from unstructured.chunking import register_chunking_strategy
    from unstructured.staging.base import elements_from_dicts
except ImportError as _error:
    raise MissingExtraError("chunkwright.adapters.unstructured", "unstructured") from _error

if TYPE_CHECKING:
    from unstructured.documents.elements import Element

PREFIX = "cw_"
"""What stands before the names of strategies that are registered."""


def chunk_elements(
    elements: Iterable[Element], strategy: str | Strategy = "hybrid", **options: Any
) -> list[Element]:
    """Return the chunks of Unstructured's elements, as its elements.

    Texts are ``CompositeElement``, tables ``Table``, parts of one ``TableChunk``; metadata are put
    together as Unstructured does, and ``metadata.orig_elements`` is what a chunk is made of.

    Parameters
    ----------
    elements
        The elements.
    strategy
        The name of a strategy, or a strategy.
    **options
        Those of the strategy.

    Raises
    ------
    ConfigError
        If the strategy or an option is unknown, or a value makes no sense.
    ReadError
        If an item is no element; names its number.
    """
    cut = as_strategy(strategy, options)
    return elements_from_dicts(chunks_to_dicts(cut(read_elements(list(elements)))))


def register(*names: str) -> list[str]:
    """Register strategies with Unstructured, so that its partitioners can use them.

    ``partition(..., chunking_strategy="cw_hybrid", max_tokens=512)`` then cuts by
    :class:`chunkwright.Hybrid`, with its options.

    Parameters
    ----------
    *names
        The strategies; by default all that cut elements or texts.

    Returns
    -------
    list[str]
        The names that Unstructured knows them by.
    """
    every = names or [name for name, kind in ALL_STRATEGIES.items() if kind.takes != ("json",)]
    chunkers = {f"{PREFIX}{name}": _chunker(name) for name in every}
    for name, chunker in chunkers.items():
        register_chunking_strategy(name, chunker)
    return list(chunkers)


def _chunker(strategy: str) -> Callable[..., list[Element]]:
    """Return a function with the options of a strategy as arguments."""

    def chunker(elements: Iterable[Element], **options: Any) -> list[Element]:
        return chunk_elements(elements, strategy, **options)

    # Unstructured hands over those arguments of a partitioner that a chunker's signature names.
    kinds = inspect.Parameter
    options = [f.name for f in fields(strategy_class(strategy)) if f.init]
    parameters = [
        kinds("elements", kinds.POSITIONAL_OR_KEYWORD),
        *(kinds(option, kinds.KEYWORD_ONLY, default=None) for option in options),
    ]
    vars(chunker)["__signature__"] = inspect.Signature(parameters)
    return chunker
