"""Counting tokens: exactly, of whole texts and of any span of one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from chunkwright import _core
from chunkwright.tokens.index import TokenIndex
from chunkwright.tokens.sources import NAMED, backend_of

if TYPE_CHECKING:
    import tiktoken
    import tokenizers
    import transformers

Foreign: TypeAlias = (
    "tiktoken.Encoding | tokenizers.Tokenizer | transformers.PreTrainedTokenizerBase"
)
Source: TypeAlias = "str | os.PathLike[str] | Foreign | Callable[[str], int]"
TokenizerLike: TypeAlias = "Source | Tokenizer"

# Characters of a source of JSON that a message shows.
_SHOWN = 60


class Tokenizer:
    """Counts tokens exactly as a model's own tokenizer does, or by a callable.

    Byte-level BPE (GPT-2, Llama 3, Qwen, o200k and their like), BERT's WordPiece and the Unigram of
    XLM-RoBERTa's family are counted natively, and spans of a text in constant time.  Any other
    ``tokenizer.json`` is counted by the library tokenizers (extra ``tokenizers``), which encodes
    each span by itself.  Truncation, padding and dropout that a file carries are left out.

    Parameters
    ----------
    source
        - ``"cl100k_base"``, ``"o200k_base"``, ``"gpt2"`` or ``"r50k_base"`` (built in), or a model
          of OpenAI's that uses one of them, such as ``"gpt-4o"`` or ``"text-embedding-3-small"``
        - ``"all-MiniLM-L6-v2"`` (built in, with or without ``sentence-transformers/``)
        - ``"chars"`` (code points) or ``"bytes"`` (of UTF-8)
        - the path of a ``tokenizer.json``, or of the folder that holds it; or its text
        - a ``tokenizers.Tokenizer`` or a tokenizer of transformers, as it is now
        - a ``tiktoken.Encoding``
        - a callable from ``str`` to ``int``
    special_tokens
        Whether to count the special tokens that the model adds to each text, such as ``[CLS]`` and
        ``[SEP]``: then a limit is one of the model's input.

    Raises
    ------
    ConfigError
        If the name is unknown, or `special_tokens` are asked of a callable.
    MissingExtraError
        If the file is not counted natively, and the library tokenizers is not installed.
    TokenizerError
        If the object is no tokenizer, or the file cannot be used.

    Examples
    --------
    >>> import chunkwright as cw
    >>> tokenizer = cw.Tokenizer("cl100k_base")
    >>> tokenizer.count("Hello, world!"), tokenizer.encode("Hello, world!")
    (4, [9906, 11, 1917, 0])
    >>> tokenizer.decode([9906, 11, 1917, 0])
    'Hello, world!'
    """

    __slots__ = ("_backend", "source", "special_tokens")

    source: Source
    special_tokens: bool

    def __init__(self, source: TokenizerLike, *, special_tokens: bool = False) -> None:
        if isinstance(source, Tokenizer):
            special_tokens = special_tokens or source.special_tokens
            source = source.source
        self.source = source
        self.special_tokens = special_tokens
        backend = backend_of(source)
        self._backend = backend.with_special_tokens() if special_tokens else backend

    @property
    def name(self) -> str:
        """The name or path that was given, or that of the object."""
        return self._backend.name

    def count(self, text: str) -> int:
        """Count the tokens of ``text``.

        Special tokens in the text count as ordinary text, as in ``encode_ordinary`` of tiktoken;
        those of a ``tokenizer.json`` are recognised, as in ``tokenizers``.

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
            If a callable, or a tokenizer that is not counted natively, gives no count.
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
        """Return the text of ``ids``; bytes that are not UTF-8 become U+FFFD.

        Raises
        ------
        TokenizerError
            If an id is unknown, or the tokenizer only counts.
        """
        return self._backend.decode(ids)

    def index(self, text: str) -> TokenIndex:
        """Encode ``text`` once, so that any span of it can be counted.

        Takes linear time, and memory of 0.3 to 0.5 bytes for each byte of text, if the tokenizer is
        counted natively; with another one, and where byte-level BPE or Unigram finds added tokens
        in the text, or byte-level BPE has to normalise it, each span is counted by itself.

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
        return isinstance(other, Tokenizer) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, self._key()

    def __repr__(self) -> str:
        shown = repr(self.source)
        shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."
        return f"Tokenizer({shown}{', special_tokens=True' if self.special_tokens else ''})"

    def _key(self) -> tuple[Any, bool]:
        return self.source, self.special_tokens

    @property
    def unit(self) -> _core.Unit:
        """The core's unit; for strategies."""
        return self._backend.unit


def _restored(source: Source, special_tokens: bool) -> Tokenizer:
    return Tokenizer(source, special_tokens=special_tokens)


def as_tokenizer(source: TokenizerLike) -> Tokenizer:
    """Return ``source`` as a tokenizer; names are looked up once."""
    if isinstance(source, Tokenizer):
        return source
    if isinstance(source, str) and source in NAMED:
        return _named(source)
    return Tokenizer(source)


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
        The number of tokens, equal to ``len(encoding.encode_ordinary(text))`` of tiktoken, or to
        ``len(tokenizer.encode(text, add_special_tokens=False))`` of tokenizers.

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
