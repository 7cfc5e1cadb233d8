"""Tokenizer backends: the core's native counters, other libraries, and callables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from chunkwright import _core
from chunkwright.errors import ConfigError, MissingExtraError, TokenizerError
from chunkwright.tokens.index import TokenIndex


class Backend(Protocol):
    """Counting, encoding and decoding of one tokenizer."""

    name: str
    unit: _core.Unit

    def count(self, text: str) -> int:
        """Count tokens."""

    def encode(self, text: str) -> list[int]:
        """Return ids."""

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids."""

    def index(self, text: str) -> TokenIndex:
        """Prepare a text whose spans are to be counted."""

    def with_special_tokens(self) -> Backend:
        """Return the same, with the special tokens that the model adds."""


class Native:
    """A tokenizer of the core.

    Parameters
    ----------
    core
        The tokenizer.
    name
        What it is called.
    """

    def __init__(self, core: _core.Tokenizer, name: str) -> None:
        self.name = name
        self.core = core
        self.unit: _core.Unit = core.unit()
        # Bound once: counting a short text costs little more than the call.
        self.count: Callable[[str], int] = core.count
        self.encode: Callable[[str], list[int]] = core.encode
        self.index: Callable[[str], _core.TokenIndex] = core.index

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ``ids``; bytes that are no UTF-8 become U+FFFD."""
        try:
            return self.core.decode(list(ids)).decode("utf-8", errors="replace")
        except (OverflowError, TypeError) as error:
            raise TokenizerError(f"ids must be ints from 0 to {self.core.max_id}") from error

    def with_special_tokens(self) -> Native:
        """Return the same, with the special tokens that the model adds."""
        return Native(self.core.with_special_tokens(), self.name)


class Counter:
    """A callable that counts.

    Parameters
    ----------
    count
        The callable.
    name
        What it is called.
    unit
        What the core counts in.
    """

    def __init__(
        self, count: Callable[[str], int], name: str, unit: _core.Unit | None = None
    ) -> None:
        self.name = name
        self.unit: _core.Unit = _core.Unit.counter(count) if unit is None else unit
        self._count = count

    def count(self, text: str) -> int:
        """Count units."""
        return _core.checked_size(self._count(text), len(text))

    def encode(self, text: str) -> list[int]:
        """Refuse."""
        raise TokenizerError(f"{self.name} only counts, it cannot encode {text[:40]!r}")

    def decode(self, ids: Sequence[int]) -> str:
        """Refuse."""
        raise TokenizerError(f"{self.name} only counts, it cannot decode {len(ids)} ids")

    def index(self, text: str) -> TokenIndex:
        """Prepare nothing: each span is counted by itself."""
        return _CountingIndex(text, self)

    def with_special_tokens(self) -> Backend:
        """Refuse: what is added is not known."""
        raise ConfigError(
            f"special_tokens=True needs a tokenizer that says which it adds; {self.name} does not"
        )


class Tiktoken(Counter):
    """An encoding of tiktoken that the core does not count.

    Parameters
    ----------
    encoding
        The ``tiktoken.Encoding``.
    """

    def __init__(self, encoding: object) -> None:
        # Looked at by name, so that tiktoken is not imported.
        encode: Callable[[str], list[int]] = encoding.encode_ordinary  # type: ignore[attr-defined]
        super().__init__(lambda text: len(encode(text)), encoding.name)  # type: ignore[attr-defined]
        self.encode: Callable[[str], list[int]] = encode  # type: ignore[assignment]
        self._decode: Callable[[Sequence[int]], str] = encoding.decode  # type: ignore[attr-defined]

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ``ids``."""
        try:
            return self._decode(ids)
        except (KeyError, OverflowError, TypeError) as error:
            raise TokenizerError(f"{self.name} has no token {error}") from error

    def with_special_tokens(self) -> Backend:
        """Return itself: encodings of tiktoken add none."""
        return self


# A text may become so many bytes if its normaliser makes it much longer.
_MAX_NORMALIZED_BYTES = 1 << 28
# What a normaliser that writes other characters for some may do to the length.
_USUAL_GROWTH = 16


class HuggingFace(Counter):
    """A tokenizer that the library tokenizers counts, as its JSON describes it.

    Parameters
    ----------
    tokenizer
        A ``tokenizers.Tokenizer`` of one's own, which pads and cuts nothing.
    name
        What it is called.
    growth
        How many times longer its normaliser may make a text.
    has_specials
        Whether it puts the same special tokens around each text.
    special_tokens
        Whether these are counted.
    """

    def __init__(
        self,
        tokenizer: Any,
        name: str,
        *,
        growth: int,
        has_specials: bool,
        special_tokens: bool = False,
    ) -> None:
        super().__init__(lambda text: len(self.encode(text)), name)
        self._tokenizer = tokenizer
        self._growth = growth
        self._has_specials = has_specials
        self._special_tokens = special_tokens

    @classmethod
    def from_json(cls, json: str, name: str) -> HuggingFace:
        """Return the tokenizer of a ``tokenizer.json``.

        Raises
        ------
        MissingExtraError
            If the library tokenizers is not installed.
        TokenizerError
            If it is no tokenizer that can be used; says why.
        """
        try:
            import tokenizers
        except ImportError as error:
            raise MissingExtraError(f"counting with {name}", "tokenizers") from error
        growth, has_specials = _core.Tokenizer.foreign(name, json) or (1, True)
        broken = f"{name} cannot be used as a tokenizer"
        tokenizer = _guarded(broken, tokenizers.Tokenizer.from_str, json)
        tokenizer.no_truncation()
        tokenizer.no_padding()
        if getattr(tokenizer.model, "dropout", None) is not None:
            tokenizer.model.dropout = None
        if tokenizer.normalizer is not None:
            for token in tokenizer.get_added_tokens_decoder().values():
                content, normalize = token.content, tokenizer.normalizer.normalize_str
                # It would be found in front of every character, without end.
                if token.normalized and not _guarded(broken, normalize, content):
                    raise TokenizerError(
                        f"{broken}: its normalizer leaves nothing of the added token {content!r}"
                    )
        return cls(tokenizer, name, growth=growth, has_specials=has_specials)

    def encode(self, text: str) -> list[int]:
        """Return ids."""
        text, n_bytes = _joined(text)
        n_normalized = n_bytes * self._growth
        if self._growth > _USUAL_GROWTH and n_normalized > _MAX_NORMALIZED_BYTES:
            raise TokenizerError(
                f"{self.name}: its normalizer may make {n_normalized} bytes of a text of {n_bytes}"
            )
        encoding = _guarded(
            self.name, self._tokenizer.encode, text, add_special_tokens=self._special_tokens
        )
        ids: list[int] = encoding.ids
        return ids

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ``ids``."""
        try:
            unknown = [i for i in ids if self._tokenizer.id_to_token(i) is None]
        except (OverflowError, TypeError) as error:
            raise TokenizerError(f"ids must be ints from 0 to {(1 << 32) - 1}") from error
        if unknown:
            raise TokenizerError(f"token id {unknown[0]} is not in {self.name}")
        text: str = _guarded(
            self.name, self._tokenizer.decode, list(ids), skip_special_tokens=False
        )
        return text

    def with_special_tokens(self) -> Backend:
        """Return the same, with the special tokens that the model adds."""
        if not self._has_specials:
            raise ConfigError(
                "what its post-processor adds depends on the text: special_tokens cannot be True"
            )
        return HuggingFace(
            self._tokenizer,
            self.name,
            growth=self._growth,
            has_specials=True,
            special_tokens=True,
        )


def _joined(text: str) -> tuple[str, int]:
    """Return a text without surrogates, pairs of which are joined, and its number of bytes."""
    try:
        return text, len(text.encode())
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return text, len(text.encode())


def _guarded(what: str, call: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Call the library; whatever goes wrong in it, a panic too, is an error of the tokenizer."""
    try:
        return call(*args, **options)
    except Exception as error:
        raise TokenizerError(f"{what}: {error}") from error
    except BaseException as error:
        # No subclass of Exception, so that Python code does not go on after it by chance.
        if type(error).__name__ != "PanicException":
            raise
        raise TokenizerError(f"{what}: the library tokenizers failed: {error}") from error


class Transformers(Counter):
    """A tokenizer of transformers that is written in Python.

    Parameters
    ----------
    tokenizer
        A ``PreTrainedTokenizer``.
    special_tokens
        Whether the tokens that it adds are counted.
    """

    def __init__(self, tokenizer: object, *, special_tokens: bool = False) -> None:
        self._tokenizer = tokenizer

        def encode(text: str) -> list[int]:
            ids: list[int] = tokenizer.encode(  # type: ignore[attr-defined]
                text, add_special_tokens=special_tokens, padding=False, truncation=False
            )
            return ids

        super().__init__(lambda text: len(encode(text)), type(tokenizer).__name__)
        self.encode: Callable[[str], list[int]] = encode  # type: ignore[assignment]

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ``ids``."""
        text: str = self._tokenizer.decode(list(ids))  # type: ignore[attr-defined]
        return text

    def with_special_tokens(self) -> Backend:
        """Return the same, with the special tokens that the model adds."""
        return Transformers(self._tokenizer, special_tokens=True)


class _CountingIndex:
    """An index for tokenizers whose counts are not known to add up."""

    def __init__(self, text: str, counter: Counter) -> None:
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
            n_chars = len(self.text)
            raise IndexError(f"{start}:{end} is not a range of a text of {n_chars} characters")
