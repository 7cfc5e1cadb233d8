"""One text to chunks: overlap, offsets, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal, overload

from chunkwright import _core
from chunkwright.errors import ConfigError

from .counters import NativeCounter, recognised, remembered

Spans = list[tuple[int, int]]


@overload
def chunk(
    text: str,
    chunk_size: int,
    token_counter: Callable[[str], int],
    *,
    memoize: bool = True,
    offsets: Literal[False] = False,
    overlap: float | None = None,
    chunking_model: str | None = None,
    isaacus_client: Any = None,
    cache_maxsize: int | None = None,
) -> list[str]: ...


@overload
def chunk(
    text: str,
    chunk_size: int,
    token_counter: Callable[[str], int],
    *,
    memoize: bool = True,
    offsets: bool,
    overlap: float | None = None,
    chunking_model: str | None = None,
    isaacus_client: Any = None,
    cache_maxsize: int | None = None,
) -> Any: ...


def chunk(  # noqa: PLR0913 - semchunk's signature
    text: str,
    chunk_size: int,
    token_counter: Callable[[str], int],
    *,
    memoize: bool = True,
    offsets: bool = False,
    overlap: float | None = None,
    chunking_model: str | None = None,
    isaacus_client: Any = None,  # noqa: ARG001 - without a model semchunk does not look at it either
    cache_maxsize: int | None = None,
) -> list[str] | tuple[list[str], Spans]:
    """Split a text into chunks of at most ``chunk_size`` tokens.

    Parameters
    ----------
    text
        Any text.
    chunk_size
        The most tokens of a chunk.
    token_counter
        Counts the tokens of a text.
    memoize
        Whether counts are remembered while this call lasts.
    offsets
        Whether to return where chunks start and end, too.
    overlap
        Tokens that neighbouring chunks share at most; below 1, a share of `chunk_size`.
    chunking_model, isaacus_client
        Not supported: a model asks a service.
    cache_maxsize
        How many counts are remembered; without it, the last 1,024 of texts of up to 4,096 code
        points.

    Returns
    -------
    list of str, or tuple
        The chunks; with `offsets`, also the code points at which each starts and ends.

    Raises
    ------
    ConfigError
        If there is a `chunking_model`, or `chunk_size` leaves no room for a text.
    RecursionError
        If a single character is over the size.

    Examples
    --------
    >>> from chunkwright.compat.semchunk import chunk
    >>> chunk("One sentence. And another one.", 15, len, offsets=True)
    (['One sentence.', 'And another', 'one.'], [(0, 13), (14, 25), (26, 30)])
    """
    refuse_model(chunking_model)
    counter = recognised(token_counter)
    if memoize:
        counter = remembered(counter, cache_maxsize)
    return chunks_of(text, chunk_size, counter, offsets=offsets, overlap=overlap)


def refuse_model(chunking_model: object) -> None:
    """Refuse a model of Isaacus.

    Raises
    ------
    ConfigError
        If there is one.
    """
    if chunking_model is not None:
        raise ConfigError(
            f"chunking_model={chunking_model!r} asks Isaacus' service, which chunkwright does not: "
            "leave it out, or use semchunk for it"
        )


def chunks_of(
    text: str,
    chunk_size: int,
    counter: Callable[[str], int],
    *,
    offsets: bool,
    overlap: float | None,
) -> list[str] | tuple[list[str], Spans]:
    """Split a text by a counter that is recognised and remembers what it should."""
    limit: float = chunk_size
    if overlap:
        overlap = math.floor(chunk_size * overlap) if overlap < 1 else min(overlap, chunk_size - 1)
        limit = min(overlap, chunk_size - overlap) if overlap else chunk_size
    if isinstance(counter, NativeCounter):
        chunks, spans = _core.semchunk(text, limit, counter.function, counter.unit, counter.prefix)
    else:
        chunks, spans = _core.semchunk(text, limit, counter)
    if overlap and chunks:
        spans = _overlapped(spans, chunk_size / limit, (chunk_size - overlap) / limit)
        chunks = [text[start:end] for start, end in spans]
    return (chunks, spans) if offsets else chunks


def _overlapped(parts: Spans, n_parts: float, stride: float) -> Spans:
    """Join so many parts to each chunk, and begin so many parts behind the one before."""
    size, step, last = math.floor(n_parts), math.floor(stride), len(parts) - 1
    n_chunks = max(1, math.ceil((len(parts) - size) / step) + 1)
    return [
        (parts[first][0], parts[min(first + size - 1, last)][1])
        for first in range(0, n_chunks * step, step)
    ]
