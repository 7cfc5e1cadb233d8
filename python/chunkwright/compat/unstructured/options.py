"""The options of Unstructured's chunkers, checked in its order and with its messages."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil, floor, isfinite
from operator import index
from typing import Any, ParamSpec, TypedDict, TypeVar

from chunkwright import _core
from chunkwright.compat.langchain.lengths import built_in
from chunkwright.tokens.tokenizer import as_tokenizer

P = ParamSpec("P")
R = TypeVar("R")

CHUNK_MAX_CHARS_DEFAULT = 500
CHUNK_MULTI_PAGE_DEFAULT = True

# The engine's sizes are machine words; no text has as many characters.
_MANY = 2**62

# Of English; how much text is read ahead need not be exact.
_CHARS_PER_TOKEN = 4


# Unstructured lists its options by name, but for those that it got last.
_LAST = ("repeat_table_headers", "skip_table_chunking", "isolate_table")


class ChunkingOptions(TypedDict, total=False):
    """The options of all chunkers; of every one None is the default."""

    include_orig_elements: bool | None
    max_characters: int | None
    max_tokens: int | None
    new_after_n_chars: int | None
    new_after_n_tokens: int | None
    overlap: int | None
    overlap_all: bool | None
    tokenizer: str | None
    repeat_table_headers: bool | None
    skip_table_chunking: bool | None
    isolate_table: bool | None


class TitleOptions(ChunkingOptions, total=False):
    """The options of chunkers that begin a chunk at each title."""

    combine_text_under_n_chars: int | None
    multipage_sections: bool | None


def takes(kind: type) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Give a function with ``**options`` the signature that names each, as Unstructured's has it.

    Parameters
    ----------
    kind
        The `TypedDict` of the options.
    """
    types = kind.__annotations__
    names = [*sorted(types.keys() - set(_LAST)), *_LAST]
    keyword, variable = inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD
    options = [
        inspect.Parameter(name, keyword, default=None, annotation=types[name].__forward_arg__)
        for name in names
    ]

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        written = inspect.signature(function)
        own = [each for each in written.parameters.values() if each.kind != variable]
        signature = written.replace(parameters=[*own, *options])
        function.__signature__ = signature  # type: ignore[attr-defined]
        return function

    return decorate


def filled(function: Callable[..., Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return a function's options with None for what was not given.

    Raises
    ------
    TypeError
        For an option that it does not take, as Python says it.
    """
    known = inspect.signature(function).parameters
    for name in options:
        if name not in known:
            called = function.__name__
            raise TypeError(f"{called}() got an unexpected keyword argument {name!r}")
    return {name: options.get(name) for name in known}


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a chunker, checked.

    Parameters
    ----------
    cutter
        The engine, with all sizes.
    originals
        Whether chunks hold the elements that they are made of.
    carries_over
        Whether a chunk may begin with the end of the one before.
    isolates
        Whether tables stand alone.
    soft_chars, hard_chars
        Code points over which a chunk takes no further element, and that it has at most; or
        estimates of them.
    """

    cutter: _core.UnstructuredCutter
    originals: bool
    carries_over: bool
    isolates: bool
    soft_chars: int
    hard_chars: int


def checked(given: Mapping[str, Any], *, combines: bool = False) -> Options:
    """Check options in Unstructured's order.

    Parameters
    ----------
    given
        The options by name, as the caller gave them; None stands for a default.
    combines
        Whether small chunks are combined, as chunking by title does.

    Returns
    -------
    Options
        What to cut with.

    Raises
    ------
    ValueError
        With Unstructured's message, for options that make no sense.
    ImportError
        For a tokenizer that needs tiktoken, where that is not installed.
    """
    hard_max = _checked_limit(given)
    isolates = _flag(given, "isolate_table", default=True)
    skips = _flag(given, "skip_table_chunking", default=False)
    if skips and not isolates:
        raise ValueError(
            "'skip_table_chunking=True' requires 'isolate_table=True' (the default);"
            " tables cannot be passed through unchanged while also sharing a pre-chunk with"
            " adjacent elements"
        )
    overlap = _checked_overlap(given, hard_max)
    unit = _unit(given)
    soft_max = _soft_max(given, hard_max)
    combine_under = _checked_combining(given, hard_max, soft_max) if combines else 0
    n_chars = 1 if given["max_tokens"] is None else _CHARS_PER_TOKEN
    cutter = _core.UnstructuredCutter(
        unit,
        hard_max=_size(hard_max),
        soft_max=_size(soft_max),
        overlap=_size(overlap),
        overlap_all=bool(given["overlap_all"]),
        combine_under=_size(combine_under),
        isolate_tables=isolates,
        skip_tables=skips,
        repeat_headers=_flag(given, "repeat_table_headers", default=True),
    )
    return Options(
        cutter=cutter,
        originals=_flag(given, "include_orig_elements", default=True),
        carries_over=bool(given["overlap_all"] and overlap),
        isolates=isolates,
        soft_chars=_size(soft_max) * n_chars,
        hard_chars=_size(hard_max) * n_chars,
    )


def flag(value: Any, *, default: bool) -> bool:
    """Return an option that is on or off; None stands for the default."""
    return default if value is None else bool(value)


def _flag(given: Mapping[str, Any], name: str, *, default: bool) -> bool:
    return flag(given[name], default=default)


def _size(value: Any) -> int:
    """Return a size as the engine takes it; infinity and whole floats are sizes too."""
    if value >= _MANY:
        return _MANY
    return int(value) if isinstance(value, float) and value.is_integer() else index(value)


def _whole(value: Any, rounded: Callable[[float], int]) -> Any:
    """Return what stands for a fraction where integers are compared with it."""
    return rounded(value) if isinstance(value, float) and isfinite(value) else value


def _checked_limit(given: Mapping[str, Any]) -> Any:
    """Return the hard limit, once all that concerns it and the soft one is checked."""
    max_tokens, max_characters = given["max_tokens"], given["max_characters"]
    if max_tokens is not None and max_characters is not None:
        raise ValueError(
            "'max_tokens' and 'max_characters' are mutually exclusive;"
            " specify one or the other, not both"
        )
    if max_tokens is not None and not given["tokenizer"]:
        raise ValueError("'tokenizer' is required when using 'max_tokens'")
    if max_tokens is not None and max_tokens <= 0:
        raise ValueError(f"'max_tokens' argument must be > 0, got {max_tokens}")
    after = given["new_after_n_tokens"]
    if after is not None and max_tokens is None:
        raise ValueError("'new_after_n_tokens' requires 'max_tokens' to be specified")
    _refuse_negative("new_after_n_tokens", after)
    hard_max = max_tokens if max_tokens is not None else max_characters
    hard_max = CHUNK_MAX_CHARS_DEFAULT if hard_max is None else hard_max
    if hard_max <= 0:
        raise ValueError(f"'max_characters' argument must be > 0, got {hard_max}")
    _refuse_negative("new_after_n_chars", given["new_after_n_chars"])
    return hard_max


def _refuse_negative(name: str, value: Any) -> None:
    if value is not None and value < 0:
        raise ValueError(f"'{name}' argument must be >= 0, got {value}")


def _checked_overlap(given: Mapping[str, Any], hard_max: Any) -> Any:
    _refuse_negative("overlap", given["overlap"])
    overlap = given["overlap"] or 0
    if overlap >= hard_max:
        raise ValueError(
            f"'overlap' argument must be less than `max_characters`, got {overlap} >= {hard_max}"
        )
    return overlap


def _checked_combining(given: Mapping[str, Any], hard_max: Any, soft_max: Any) -> Any:
    under = given["combine_text_under_n_chars"]
    under = hard_max if under is None else under
    _refuse_negative("combine_text_under_n_chars", under)
    if under > hard_max:
        raise ValueError(
            "'combine_text_under_n_chars' argument must not exceed `max_characters`"
            f" value, got {under} > {hard_max}"
        )
    # Chunks are combined up to the soft limit at most.
    return _whole(min(under, soft_max), ceil)


def _soft_max(given: Mapping[str, Any], hard_max: Any) -> Any:
    by_tokens = given["max_tokens"] is not None
    after = given["new_after_n_tokens" if by_tokens else "new_after_n_chars"]
    return hard_max if after is None or after > hard_max else _whole(after, floor)


def _unit(given: Mapping[str, Any]) -> _core.Unit:
    """Return what sizes are counted in; a tokenizer that goes unused is not looked up."""
    if given["max_tokens"] is None:
        return as_tokenizer("chars").unit
    name = given["tokenizer"]
    known = built_in(None, name) or built_in(name, None)
    return as_tokenizer(known or _encoding(name)).unit


def _encoding(name: Any) -> Any:
    """Load tiktoken's encoding of a model, or of that name; its errors say what is wrong."""
    import tiktoken

    try:
        return tiktoken.encoding_for_model(name)
    except KeyError:
        return tiktoken.get_encoding(name)
