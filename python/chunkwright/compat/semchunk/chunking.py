"""One text to chunks: counters, overlap, offsets, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal, overload

from chunkwright import _core
from chunkwright.errors import ChunkwrightError, ConfigError
from chunkwright.tokens.sources import is_of
from chunkwright.tokens.tokenizer import Tokenizer, as_tokenizer

# What a memo without a size of its own keeps: so many texts of at most so many code points.
_REMEMBERED = 1024
_SHORT = 4096


class NativeCounter:
    """A token counter that the core can stand in for.

    Parameters
    ----------
    function
        What it counts when it is called.
    unit
        What the core counts in.
    prefix
        The size of the chunks, and the code points of the longest token: a long text is known to be
        too large by its beginning. None where every text is counted whole.
    """

    __slots__ = ("function", "prefix", "unit")

    def __init__(
        self,
        function: Callable[[str], Any],
        unit: _core.Unit,
        prefix: tuple[int, int] | None = None,
    ) -> None:
        self.function: Callable[[str], Any] = function
        self.unit: _core.Unit = unit
        self.prefix: tuple[int, int] | None = prefix

    def __call__(self, text: str) -> Any:
        """Count the tokens of ``text``."""
        return self.function(text)

    def __deepcopy__(self, memo: object) -> NativeCounter:
        """Return itself, as functions do."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the function, which is recognised again; a closure is an error, as ever."""
        return recognised, (self.function,)


def recognised(counter: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return ``counter``, as one that the core can stand in for if it is known."""
    if counter is len:
        return NativeCounter(len, as_tokenizer("chars").unit)
    owner = getattr(counter, "__self__", None)
    if isinstance(owner, Tokenizer) and counter == owner.count:
        return NativeCounter(counter, owner.unit)
    return counter


def unit_of(tokenizer: Any, options: dict[str, Any]) -> _core.Unit | None:
    """Return the unit that counts as ``tokenizer.encode(text, **options)``, if there is one."""
    if not _counts_plainly(tokenizer, options):
        return None
    try:
        return as_tokenizer(tokenizer).unit
    except ChunkwrightError:
        return None


def _counts_plainly(tokenizer: Any, options: dict[str, Any]) -> bool:
    """Return whether each text has the tokens that it has for the core, and no more and no less."""
    if isinstance(tokenizer, Tokenizer):
        return not options
    if is_of(tokenizer, "tiktoken", "Encoding"):
        return type(tokenizer).__name__ == "Encoding" and options == {"disallowed_special": ()}
    if options != {"add_special_tokens": False}:
        return False
    if is_of(tokenizer, "tokenizers", "Tokenizer"):
        return tokenizer.truncation is None and tokenizer.padding is None
    return (
        is_of(tokenizer, "transformers", "PreTrainedTokenizerBase")
        and getattr(tokenizer, "backend_tokenizer", None) is not None
        and not getattr(tokenizer, "split_special_tokens", False)
        # A class of the caller's may encode in a way of its own.
        and type(tokenizer).__module__.partition(".")[0] == "transformers"
    )


def remembered(counter: Callable[[str], Any], maxsize: int | None) -> Callable[[str], Any]:
    """Return ``counter`` with a memo, bounded also where no size is given; the core needs none."""
    memo = lru_cache(_REMEMBERED if maxsize is None else maxsize)
    if isinstance(counter, NativeCounter):
        return counter
    counted = memo(counter)
    if maxsize is not None:
        return counted

    def count(text: str) -> Any:
        return counted(text) if len(text) <= _SHORT else counter(text)

    return count


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
