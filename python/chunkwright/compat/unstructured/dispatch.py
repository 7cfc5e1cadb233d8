"""Registry of chunkers by name, as Unstructured's dispatch has it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Any, ParamSpec

P = ParamSpec("P")

# What a partitioner's documentation is told of the options that it takes in addition.
_OPTIONS = """
chunking_strategy
	How elements are put into chunks: "basic", "by_title", "by_page", "by_similarity", or any
	other that was registered. None (the default) leaves them as they are.
	Options of the strategy, such as `max_characters`, can be given beside it.
"""


@dataclass(frozen=True)
class _Chunker:
    """A function that makes chunks of elements.

    Parameters
    ----------
    function
        The function.
    """

    function: Callable[..., Any]

    @cached_property
    def options(self) -> frozenset[str]:
        """The names of what it takes beside elements."""
        return frozenset(inspect.signature(self.function).parameters) - {"elements"}


_CHUNKERS: dict[str, _Chunker] = {}


def register_chunking_strategy(name: str, chunker: Callable[..., Any]) -> None:
    """Make a chunker available under a name.

    Parameters
    ----------
    name
        What `chunk` finds it by.
    chunker
        A function of ``elements`` and its own options.
    """
    _CHUNKERS[name] = _Chunker(chunker)


def chunk(elements: Iterable[Any], chunking_strategy: str, **kwargs: Any) -> list[Any]:
    """Make chunks of elements with the chunker of that name.

    Parameters
    ----------
    elements
        The elements.
    chunking_strategy
        ``"basic"``, ``"by_title"``, ``"by_page"``, ``"by_similarity"``, or a name that was given
        to `register_chunking_strategy`.
    **kwargs
        Options; those that the chunker does not take are left out.

    Returns
    -------
    list[Element]
        The chunks.

    Raises
    ------
    ValueError
        For a name that is unknown, and for options that make no sense.
    """
    chunker = _CHUNKERS.get(chunking_strategy)
    if chunker is None:
        raise ValueError(f"unrecognized chunking strategy {chunking_strategy!r}")
    options = {name: value for name, value in kwargs.items() if name in chunker.options}
    return chunker.function(elements, **options)  # type: ignore[no-any-return]


def add_chunking_strategy(func: Callable[P, list[Any]]) -> Callable[P, list[Any]]:
    """Let a function that returns elements return chunks, if its caller names a strategy.

    Parameters
    ----------
    func
        A partitioner. The strategy is its argument ``chunking_strategy``; other arguments are
        handed to the chunker if it takes them.

    Returns
    -------
    Callable
        The same with chunks; its documentation names the option.
    """
    described = func.__doc__ or ""
    names = getattr(getattr(func, "__code__", None), "co_varnames", ())
    if described and "chunking_strategy" in names and "chunking_strategy" not in described:
        func.__doc__ = described + _OPTIONS

    @wraps(func)
    def chunked(*args: P.args, **kwargs: P.kwargs) -> list[Any]:
        elements = func(*args, **kwargs)
        given = _arguments(func, *args, **kwargs)
        strategy = given.pop("chunking_strategy", None)
        return elements if strategy is None else chunk(elements, strategy, **given)

    return chunked


def _arguments(func: Callable[..., Any], *args: Any, **kwargs: Any) -> dict[str, Any]:
    """Return a call's arguments by name; those of ``**kwargs`` are no deeper than the others."""
    parameters = inspect.signature(func).parameters
    given = {**dict(zip(parameters, args, strict=False)), **kwargs}
    defaults = {
        name: parameter.default
        for name, parameter in parameters.items()
        if parameter.default is not parameter.empty
    }
    return {**defaults, **given}
