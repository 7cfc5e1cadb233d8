"""Chunkers: a size and a counter, for one text or many."""

from __future__ import annotations

import inspect
import multiprocessing
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from multiprocessing.pool import ThreadPool
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from chunkwright import _core
from chunkwright.tokens.sources import MODELS, encoding_of
from chunkwright.tokens.tokenizer import Tokenizer, as_tokenizer

from .chunking import NativeCounter, chunks_of, recognised, refuse_model, remembered, unit_of

if TYPE_CHECKING:
    import tiktoken
    import tokenizers
    import transformers

Item = TypeVar("Item")
Foreign: TypeAlias = "tiktoken.Encoding | transformers.PreTrainedTokenizer | tokenizers.Tokenizer"
Source: TypeAlias = "str | Foreign | Tokenizer | Callable[[str], int]"

# What a tokenizer's `encode` is told, if it takes it: no tokens are added, and none are special.
_PLAIN = {"add_special_tokens": False, "split_special_tokens": True, "disallowed_special": ()}
# A longer text is counted by its beginning first: code points for each token of the size.
_CHARS_PER_TOKEN = 6


class Chunker:
    """Splits texts into chunks of at most ``chunk_size`` tokens.

    Parameters
    ----------
    chunk_size
        The most tokens of a chunk.
    token_counter
        Counts the tokens of a text.
    chunking_model, isaacus_client
        Not supported: a model asks a service.

    Raises
    ------
    ConfigError
        If there is a `chunking_model`.
    """

    def __init__(
        self,
        chunk_size: int,
        token_counter: Callable[[str], int],
        chunking_model: str | None = None,
        isaacus_client: Any = None,
    ) -> None:
        refuse_model(chunking_model)
        self.chunk_size = chunk_size
        self.token_counter = token_counter
        self.chunking_model = chunking_model
        self.isaacus_client = isaacus_client

    def __call__(
        self,
        text_or_texts: str | Sequence[str],
        processes: int = 1,
        progress: bool = False,
        offsets: bool = False,
        overlap: float | None = None,
    ) -> Any:
        """Split a text, or each of several.

        Parameters
        ----------
        text_or_texts
            A text, or several.
        processes
            How many texts are split at once: on threads where the core counts, in processes where a
            callable does (on threads where the system cannot fork).
        progress
            Whether to show a progress bar for several texts; it needs tqdm.
        offsets
            Whether to return where chunks start and end, too.
        overlap
            Tokens that neighbouring chunks share at most; below 1, a share of `chunk_size`.

        Returns
        -------
        list, or tuple of two lists
            The chunks of the text, or those of each; with `offsets`, also the code points at which
            each chunk starts and ends.

        Raises
        ------
        ConfigError
            If `chunk_size` leaves no room for a text.
        RecursionError
            If a single character is over the size.
        """
        counter = recognised(self.token_counter)
        split = partial(
            chunks_of,
            chunk_size=self.chunk_size,
            counter=counter,
            offsets=offsets,
            overlap=overlap,
        )
        if isinstance(text_or_texts, str):
            return split(text_or_texts)
        if processes == 1:
            results = [split(text) for text in _with_progress(text_or_texts, shown=progress)]
        else:
            in_threads = isinstance(counter, NativeCounter)
            results = _in_pool(split, text_or_texts, processes, progress, in_threads=in_threads)
        if offsets:
            chunks, spans = zip(*results, strict=True)
            return list(chunks), list(spans)
        return results


def _with_progress(
    items: Iterable[Item], *, shown: bool, total: int | None = None
) -> Iterable[Item]:
    """Yield items behind a progress bar."""
    if not shown:
        return items
    from tqdm import tqdm

    bar: Iterable[Item] = tqdm(items, total=total)
    return bar


# What a worker splits with: it is inherited, since closures cannot be sent to processes.
_inherited: list[Callable[[str], Any]] = []


def _split_in_worker(text: str) -> Any:
    return _inherited[-1](text)


def _in_pool(
    split: Callable[[str], Any],
    texts: Sequence[str],
    processes: int,
    progress: bool,
    *,
    in_threads: bool,
) -> list[Any]:
    if in_threads or "fork" not in multiprocessing.get_all_start_methods():
        pool: Any = ThreadPool(processes)
        work = split
    else:
        context = multiprocessing.get_context("fork")
        pool = context.Pool(processes, initializer=_inherited.append, initargs=(split,))
        work = _split_in_worker
    with pool:
        found = pool.imap(work, texts)
        return list(_with_progress(found, shown=progress, total=len(texts) if progress else None))


def chunkerify(  # noqa: PLR0913 - semchunk's signature
    tokenizer_or_token_counter: Source,
    chunk_size: int | None = None,
    *,
    chunking_model: str | None = None,
    isaacus_client: Any = None,
    tokenizer_kwargs: dict[str, Any] | None = None,
    max_token_chars: int | None = None,
    memoize: bool = True,
    cache_maxsize: int | None = None,
) -> Chunker:
    """Make a chunker of a tokenizer or a counter.

    Parameters
    ----------
    tokenizer_or_token_counter
        The name of an encoding or a model of OpenAI's, or of a tokenizer of transformers; an object
        with a method `encode`, such as a tokenizer of tiktoken, tokenizers, transformers or
        chunkwright; or a callable that counts the tokens of a text.
    chunk_size
        The most tokens of a chunk; without it, `model_max_length` of the tokenizer less the special
        tokens that it adds.
    chunking_model, isaacus_client
        Not supported: a model asks a service.
    tokenizer_kwargs
        What `encode`, or the callable, is given with each text.
    max_token_chars
        Code points of the longest token; without it, what the vocabulary says, if there is one. A
        text of over six times the size is then known to be too large by its beginning.
    memoize
        Whether the counts of a callable are remembered while the chunker lives.
    cache_maxsize
        How many counts are remembered; without it, the last 1,024 of texts of up to 4,096 code
        points.

    Returns
    -------
    Chunker
        Splits one text or many.

    Raises
    ------
    ValueError
        If no tokenizer has that name, or no `chunk_size` is given and the tokenizer knows none.
    ConfigError
        If there is a `chunking_model`.

    Examples
    --------
    >>> from chunkwright.compat.semchunk import chunkerify
    >>> chunker = chunkerify(lambda text: len(text.split()), 3)
    >>> chunker("one two three four five", overlap=1)
    ['one two three', 'three four five']
    """
    refuse_model(chunking_model)
    source: Any = tokenizer_or_token_counter
    options = dict(tokenizer_kwargs or {})
    if isinstance(source, str):
        built_in = None if options else _built_in(source)
        if built_in is None:
            source = _named(source)
        else:
            source = as_tokenizer(built_in)
            if max_token_chars is None:
                max_token_chars = _core.Tokenizer.named(built_in).max_token_bytes
    if max_token_chars is None:
        max_token_chars = _longest_token(source)
    if chunk_size is None:
        chunk_size = _size_of_model(source)
    counter = _counter(source, options)
    if max_token_chars is not None:
        counter = _quick(counter, chunk_size, max_token_chars)
    if memoize:
        counter = remembered(counter, cache_maxsize)
    return Chunker(chunk_size, counter, chunking_model, isaacus_client)


def _built_in(name: str) -> str | None:
    """Name the built-in encoding that tiktoken would load."""
    return name if name in MODELS else encoding_of(name)


def _named(name: str) -> Any:
    """Load the tokenizer of that name.

    Raises
    ------
    ValueError
        If neither tiktoken nor transformers knows it; the message is semchunk's.
    """
    with suppress(Exception):
        import tiktoken

        try:
            return tiktoken.encoding_for_model(name)
        except Exception:  # noqa: BLE001 - whatever it is, the name may be that of an encoding
            return tiktoken.get_encoding(name)
    try:
        import transformers

        return transformers.AutoTokenizer.from_pretrained(name)
    except Exception:  # noqa: BLE001 - whatever it is, there is no tokenizer
        raise ValueError(
            f'"{name}" was provided to `semchunk.chunkerify` as the name of a tokenizer but '
            "neither Tiktoken nor Transformers have a tokenizer by that name. Perhaps they are not "
            "installed or maybe there is a typo in that name?"
        ) from None


def _longest_token(source: Any) -> int | None:
    """Return the length of the longest token, if the tokenizer shows its vocabulary."""
    for name in ("token_byte_values", "get_vocab"):
        vocabulary = getattr(source, name, None)
        if not callable(vocabulary):
            continue
        tokens = vocabulary()
        if hasattr(tokens, "__iter__") and tokens and all(hasattr(t, "__len__") for t in tokens):
            return max(map(len, tokens))
    return None


def _size_of_model(source: Any) -> int:
    """Return the most tokens that a model takes, less those that its tokenizer adds.

    Raises
    ------
    ValueError
        If the tokenizer does not say; the message is semchunk's.
    """
    size = getattr(source, "model_max_length", None)
    if not isinstance(size, int):
        raise ValueError(  # noqa: TRY004 - semchunk's own
            "Your desired chunk size was not passed to `semchunk.chunkerify` and the provided "
            "tokenizer either lacks an attribute named 'model_max_length' or that attribute is not "
            "an integer. Either specify a chunk size or provide a tokenizer that has a "
            "'model_max_length' attribute that is an integer."
        )
    if hasattr(source, "encode"):
        with suppress(Exception):
            size -= len(source.encode(""))
    return size


def _counter(source: Any, options: dict[str, Any]) -> Callable[[str], int]:
    """Return what counts the tokens of a text; special ones are text, and none are added."""
    if not hasattr(source, "encode"):
        return partial(source, **options) if options else recognised(source)
    try:
        known: Any = inspect.signature(source.encode).parameters
    except Exception:  # noqa: BLE001 - whatever it is, nothing is known of it
        known = ()
    options = {name: value for name, value in _PLAIN.items() if name in known} | options

    def count(text: str) -> int:
        return len(source.encode(text, **options))

    unit = unit_of(source, options)
    return count if unit is None else NativeCounter(count, unit)


def _quick(counter: Callable[[str], int], size: int, max_token_chars: int) -> Callable[[str], int]:
    """Return a counter that looks at the beginning of a long text first."""
    function = counter.function if isinstance(counter, NativeCounter) else counter

    def count(text: str) -> int:
        long = size * _CHARS_PER_TOKEN
        if len(text) > long and function(text[: long + max_token_chars - 1]) > size:
            return size + 1
        return function(text)

    if isinstance(counter, NativeCounter) and _is_count(size, 0) and _is_count(max_token_chars, 1):
        return NativeCounter(count, counter.unit, (size, max_token_chars))
    return count


def _is_count(number: Any, least: int) -> bool:
    return isinstance(number, int) and least <= number <= sys.maxsize
