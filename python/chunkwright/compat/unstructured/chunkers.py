"""Chunkers of Unstructured's package: basic and by title, each at once or lazily."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial, wraps
from typing import Any, ParamSpec, Unpack

from .engine import ElementRun, fresh_pages
from .options import (
    CHUNK_MULTI_PAGE_DEFAULT,
    ChunkingOptions,
    TitleOptions,
    checked,
    filled,
    flag,
    takes,
)

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


@takes(ChunkingOptions)
def chunk_elements(
    elements: Iterable[Any],
    **options: Unpack[ChunkingOptions],
) -> list[Any]:
    """Put neighbouring elements together, as many as a chunk may hold.

    Of every option None is the default.

    Parameters
    ----------
    elements
        The elements, in reading order.
    include_orig_elements
        Whether ``metadata.orig_elements`` of a chunk holds what it was made of; True by default.
    max_characters
        The largest size of a chunk, in code points; 500 by default. What is larger is split: texts
        at newlines and blanks, tables between rows.
    max_tokens
        The same in tokens of ``tokenizer``, in place of ``max_characters``.
    new_after_n_chars
        A chunk of more code points than this takes no further element; 0 leaves each element by
        itself. ``max_characters`` by default.
    new_after_n_tokens
        The same in tokens.
    overlap
        How much of a part of a split text is repeated in the next part; 0 by default.
    overlap_all
        Whether chunks of whole elements repeat as much of the one before too, in code points.
    tokenizer
        A model (``"gpt-4"``) or an encoding (``"o200k_base"``), as tiktoken names it. Those of
        ``cl100k_base``, ``o200k_base``, ``gpt2`` and ``r50k_base`` are counted without tiktoken.
    repeat_table_headers
        Whether parts of a table repeat its header; True by default.
    skip_table_chunking
        Whether tables are passed on as they are.
    isolate_table
        Whether tables stand alone; True by default.

    Returns
    -------
    list[Element]
        Elements of the classes ``CompositeElement``, ``Table`` and ``TableChunk``.

    Raises
    ------
    ValueError
        For options that make no sense; the message is Unstructured's.
    ReadError
        For what is no element.
    """
    return _basic(filled(chunk_elements, options)).all(elements)


@takes(ChunkingOptions)
def iter_chunk_elements(
    elements: Iterable[Any],
    **options: Unpack[ChunkingOptions],
) -> Iterator[Any]:
    """Do as `chunk_elements`, chunk by chunk.

    Elements are read as chunks are asked for, a few chunks ahead, so they may come without end;
    options are checked at once. With ``overlap_all`` elements are held until a table stands alone,
    where no chunk repeats the one before.
    """
    return _basic(filled(iter_chunk_elements, options)).each(elements)


@takes(TitleOptions)
def chunk_by_title(
    elements: Iterable[Any],
    **options: Unpack[TitleOptions],
) -> list[Any]:
    """Put neighbouring elements together, but begin a new chunk at each title.

    Parameters
    ----------
    elements
        The elements, in reading order.
    combine_text_under_n_chars
        Chunks of fewer code points are combined with the next one if both fit, whatever stands
        between them; by default as many as the limit says. 0 combines none.
    multipage_sections
        Whether a chunk may go on over the end of a page; True by default.
    include_orig_elements, max_characters, max_tokens, new_after_n_chars, new_after_n_tokens
        As for `chunk_elements`.
    overlap, overlap_all, tokenizer, repeat_table_headers, skip_table_chunking, isolate_table
        As for `chunk_elements`.

    Returns
    -------
    list[Element]
        As for `chunk_elements`.

    Raises
    ------
    ValueError
        For options that make no sense; the message is Unstructured's.
    ReadError
        For what is no element.
    """
    return _by_title(filled(chunk_by_title, options)).all(elements)


@takes(TitleOptions)
def iter_chunks_by_title(
    elements: Iterable[Any],
    **options: Unpack[TitleOptions],
) -> Iterator[Any]:
    """Do as `chunk_by_title`, chunk by chunk; as lazily as `iter_chunk_elements`."""
    return _by_title(filled(iter_chunks_by_title, options)).each(elements)


def _basic(given: Mapping[str, Any]) -> ElementRun:
    options = checked(given)
    return ElementRun(options, options.cutter.basic)


def _by_title(given: Mapping[str, Any]) -> ElementRun:
    options = checked(given, combines=True)
    multipage = flag(given["multipage_sections"], default=CHUNK_MULTI_PAGE_DEFAULT)
    cut = partial(options.cutter.by_title, multipage=multipage)
    return ElementRun(options, cut, None if multipage else fresh_pages)
