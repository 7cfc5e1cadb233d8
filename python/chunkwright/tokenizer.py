"""Counting tokens: exactly, of whole texts and of any span of one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from chunkwright import _core
from chunkwright.errors import ConfigError, TokenizerError, nearest

if TYPE_CHECKING:
    import tiktoken

TokenizerLike: TypeAlias = "str | Tokenizer | tiktoken.Encoding | Callable[[str], int]"

# Sizes that are no tokens, but can be asked for wherever tokens can.
PLAIN_UNITS = ("chars", "bytes")


class Tokenizer:
    """Counts tokens as ``encode_ordinary`` of tiktoken does, or as a callable says.

    Parameters
    ----------
    source
        ``"cl100k_base"`` or ``"o200k_base"`` (built in), ``"chars"`` (code points) or ``"bytes"``
        (of UTF-8), a ``tiktoken.Encoding``, or a callable from ``str`` to ``int``.

    Raises
    ------
    ConfigError
        If the name is unknown.
    TokenizerError
        If the object is no tokenizer.

    Examples
    --------
    >>> import chunkwright as cw
    >>> tokenizer = cw.Tokenizer("cl100k_base")
    >>> tokenizer.count("Hello, world!"), tokenizer.encode("Hello, world!")
    (4, [9906, 11, 1917, 0])
    >>> tokenizer.decode([9906, 11, 1917, 0])
    'Hello, world!'
    """

    __slots__ = ("_backend", "source")

    source: str | tiktoken.Encoding | Callable[[str], int]

    def __init__(self, source: TokenizerLike) -> None:
        self.source = source.source if isinstance(source, Tokenizer) else source
        self._backend = _backend(self.source)

    @property
    def name(self) -> str:
        """The vocabulary's name, or that of the callable."""
        return self._backend.name

    def count(self, text: str) -> int:
        """Count the tokens of ``text``; special tokens in it are text like any other.

        Parameters
        ----------
        text
            Any text. Surrogates that make a pair are joined and others replaced by U+FFFD, as
            tiktoken does.

        Returns
        -------
        int
            The number of tokens.

        Raises
        ------
        TokenizerError
            If a callable gives no count.
        """
        return self._backend.count(text)

    def count_batch(self, texts: Iterable[str]) -> list[int]:
        """Count the tokens of each of ``texts``."""
        count = self._backend.count
        return [count(text) for text in texts]

    def encode(self, text: str) -> list[int]:
        """Return the ids of the tokens of ``text``.

        Raises
        ------
        TokenizerError
            If the tokenizer only counts.
        """
        return self._backend.encode(text)

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ``ids``; bytes that are no UTF-8 become U+FFFD.

        Raises
        ------
        TokenizerError
            If an id is unknown, or the tokenizer only counts.
        """
        return self._backend.decode(ids)

    def index(self, text: str) -> TokenIndex:
        """Encode ``text`` once, so that any span of it can be counted.

        Takes linear time, and memory of 0.3 bytes for each byte of text with a built-in vocabulary;
        with another tokenizer each span is counted by itself.

        Examples
        --------
        >>> import chunkwright as cw
        >>> index = cw.Tokenizer("o200k_base").index("one two three four")
        >>> index.count(4, 13)
        2
        >>> index.longest(4, max_tokens=2)
        13
        """
        return self._backend.index(text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tokenizer) and self.source == other.source

    def __hash__(self) -> int:
        return hash(self.source)

    def __reduce__(self) -> tuple[object, ...]:
        return Tokenizer, (self.source,)

    def __repr__(self) -> str:
        return f"Tokenizer({self.source!r})"

    @property
    def unit(self) -> _core.Unit:
        """What the core counts in; for strategies."""
        return self._backend.unit


class TokenIndex(Protocol):
    """Token counts of the spans of one text; positions are code points."""

    @property
    def text(self) -> str:
        """The text."""

    def count(self, start: int, end: int) -> int:
        """Count the tokens of ``text[start:end]``, as if it stood alone.

        Raises
        ------
        IndexError
            Unless ``0 <= start <= end <= len(text)``.
        """

    def longest(self, start: int, max_tokens: int) -> int:
        """Return the greatest ``end`` for which ``text[start:end]`` has at most ``max_tokens``.

        With a built-in vocabulary this is exact although counts are not monotone; with another
        tokenizer it is what bisection finds.

        Raises
        ------
        IndexError
            Unless ``0 <= start <= len(text)``.
        """


def as_tokenizer(source: TokenizerLike) -> Tokenizer:
    """Return ``source`` as a tokenizer; names are looked up once."""
    if isinstance(source, Tokenizer):
        return source
    return _named(source) if isinstance(source, str) else Tokenizer(source)


def count_tokens(text: str, tokenizer: TokenizerLike = "cl100k_base") -> int:
    """Count the tokens of ``text``.

    Parameters
    ----------
    text
        Any text.
    tokenizer
        See :class:`Tokenizer`.

    Returns
    -------
    int
        The number of tokens, equal to ``len(encoding.encode_ordinary(text))`` of tiktoken.

    Examples
    --------
    >>> import chunkwright as cw
    >>> cw.count_tokens("Hello, world!")
    4
    """
    return as_tokenizer(tokenizer).count(text)


@lru_cache(maxsize=8)
def _named(name: str) -> Tokenizer:
    return Tokenizer(name)


# ---------------------------------------------------------------------- backends


class _Backend(Protocol):
    name: str
    unit: _core.Unit

    def count(self, text: str) -> int: ...
    def encode(self, text: str) -> list[int]: ...
    def decode(self, ids: Sequence[int]) -> str: ...
    def index(self, text: str) -> TokenIndex: ...


class _BuiltIn:
    """A vocabulary of the core."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.unit = _core.Unit.named(name)
        self._bpe = _core.Bpe(name)
        # Bound once: counting a short text costs little more than the call.
        self.count = self._bpe.count
        self.encode = self._bpe.encode
        self.index = self._bpe.index

    def decode(self, ids: Sequence[int]) -> str:
        try:
            return self._bpe.decode(list(ids)).decode("utf-8", errors="replace")
        except (OverflowError, TypeError) as error:
            raise TokenizerError(f"ids must be ints from 0 to {self._bpe.n_vocab - 1}") from error


class _Counter:
    """A callable that counts."""

    def __init__(self, count: Callable[[str], int], name: str, unit: _core.Unit) -> None:
        self.name = name
        self.unit = unit
        self._count = count

    def count(self, text: str) -> int:
        return _core.checked_size(self._count(text), len(text))

    def encode(self, text: str) -> list[int]:
        raise TokenizerError(f"{self.name} only counts, it cannot encode {text[:40]!r}")

    def decode(self, ids: Sequence[int]) -> str:
        raise TokenizerError(f"{self.name} only counts, it cannot decode {len(ids)} ids")

    def index(self, text: str) -> TokenIndex:
        return _CountingIndex(text, self)


class _Tiktoken(_Counter):
    """An encoding of tiktoken that is not built in."""

    def __init__(self, encoding: tiktoken.Encoding) -> None:
        def count(text: str) -> int:
            return len(encoding.encode_ordinary(text))

        super().__init__(count, encoding.name, _core.Unit.counter(count))
        self.encode = encoding.encode_ordinary  # type: ignore[method-assign]
        self._encoding = encoding

    def decode(self, ids: Sequence[int]) -> str:
        try:
            return self._encoding.decode(ids)
        except KeyError as error:
            raise TokenizerError(f"{self.name} has no token {error}") from error


class _CountingIndex:
    """An index for tokenizers whose counts are not known to add up."""

    def __init__(self, text: str, counter: _Counter) -> None:
        self.text = text
        self._counter = counter

    def count(self, start: int, end: int) -> int:
        self._check(start, end)
        return self._counter.count(self.text[start:end])

    def longest(self, start: int, max_tokens: int) -> int:
        self._check(start, len(self.text))
        return _core.longest(self.text, self._counter.unit, start, max_tokens)

    def _check(self, start: int, end: int) -> None:
        if not 0 <= start <= end <= len(self.text):
            raise IndexError(f"{start}:{end} is no range of a text of {len(self.text)} characters")


def _backend(source: Any) -> _Backend:
    if isinstance(source, str):
        return _named_backend(source)
    if _is_tiktoken(source):
        return _BuiltIn(source.name) if _is_built_in(source) else _Tiktoken(source)
    if callable(source):
        name = getattr(source, "__name__", type(source).__name__)
        return _Counter(source, name, _core.Unit.counter(source))
    known = "a name, a tiktoken.Encoding or a callable"
    raise TokenizerError(f"{source!r} is no tokenizer: {known} is needed")


def _named_backend(name: str) -> _Backend:
    if name == "chars":
        return _Counter(len, name, _core.Unit.named(name))
    if name == "bytes":
        return _Counter(_n_bytes, name, _core.Unit.named(name))
    built_in = _core.Bpe.names()
    if name not in built_in:
        hint = nearest(name, [*built_in, *PLAIN_UNITS])
        raise ConfigError(f"unknown tokenizer {name!r}: {hint}")
    return _BuiltIn(name)


def _n_bytes(text: str) -> int:
    # As strategies see the text: surrogates that make a pair joined, others replaced.
    return len(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode())


def _is_tiktoken(source: object) -> bool:
    # Looked at by name, so that tiktoken is not imported.
    return any(
        kind.__module__.split(".")[0] == "tiktoken" and kind.__name__ == "Encoding"
        for kind in type(source).__mro__
    )


def _is_built_in(encoding: tiktoken.Encoding) -> bool:
    """Whether an encoding has the tokens of the built-in one of its name, not only the name."""
    if encoding.name not in _core.Bpe.names():
        return False
    bpe = _core.Bpe(encoding.name)
    ranks = encoding._mergeable_ranks  # noqa: SLF001 - tiktoken shows them nowhere else
    return (
        len(ranks) == bpe.n_vocab
        and encoding._pat_str == bpe.pattern  # noqa: SLF001
        and all(ranks.get(bpe.decode([rank])) == rank for rank in range(0, bpe.n_vocab, 1009))
    )
