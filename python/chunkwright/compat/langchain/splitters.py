"""LangChain's text splitters over our engine: one separator, several, or windows of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, takewhile
from typing import Any, Literal, Self

from chunkwright.chunking.languages import LANGUAGES

from .base import Language, TextSplitter, Tokenizer
from .engine import SeparatorEngine, TokenEngine, windows
from .lengths import Allowed, Disallowed, Tokens, import_tiktoken


class CharacterTextSplitter(SeparatorEngine, TextSplitter):
    """Splits at one separator and merges the pieces; what is too large stays so.

    Parameters
    ----------
    separator
        Where to split.
    is_separator_regex
        Whether it is a regular expression, as Python's `re` takes it.
    **kwargs
        As for `TextSplitter`.

    Raises
    ------
    ValueError
        As `TextSplitter` does.
    """

    def __init__(
        self, separator: str = "\n\n", is_separator_regex: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self._separator = separator
        self._is_separator_regex = is_separator_regex

    def split_text(self, text: str) -> list[str]:
        """Split ``text`` into chunks."""
        return self._cut(text, (self._separator,), recursive=False)[0]

    def _with_starts(self, text: str) -> tuple[list[str], Sequence[int]]:
        if self._overrides(CharacterTextSplitter, "split_text"):
            return super()._with_starts(text)
        chunks, starts = self._cut(text, (self._separator,), recursive=False, starts=True)
        return super()._with_starts(text) if starts is None else (chunks, starts)


class RecursiveCharacterTextSplitter(SeparatorEngine, TextSplitter):
    """Splits at the first separator that a text contains, and what is too large at later ones.

    Parameters
    ----------
    separators
        Strongest first; paragraphs, lines, words and characters by default.
    keep_separator, is_separator_regex
        As for `TextSplitter` and `CharacterTextSplitter`.
    **kwargs
        As for `TextSplitter`.

    Raises
    ------
    ValueError
        As `TextSplitter` does.
    """

    def __init__(
        self,
        separators: list[str] | None = None,
        keep_separator: bool | Literal["start", "end"] = True,
        is_separator_regex: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(keep_separator=keep_separator, **kwargs)
        self._separators = separators or ["\n\n", "\n", " ", ""]
        self._is_separator_regex = is_separator_regex

    def split_text(self, text: str) -> list[str]:
        """Split ``text`` into chunks."""
        return self._split_text(text, self._separators)

    def _split_text(self, text: str, separators: list[str]) -> list[str]:
        """Split ``text`` at the separators given; subclasses of LangChain's call this."""
        return self._cut(text, separators, recursive=True)[0]

    def _with_starts(self, text: str) -> tuple[list[str], Sequence[int]]:
        if self._overrides(RecursiveCharacterTextSplitter, "split_text", "_split_text"):
            return super()._with_starts(text)
        chunks, starts = self._cut(text, self._separators, recursive=True, starts=True)
        return super()._with_starts(text) if starts is None else (chunks, starts)

    @classmethod
    def from_language(cls, language: Language, **kwargs: Any) -> RecursiveCharacterTextSplitter:
        """Make a splitter with a language's separators.

        Raises
        ------
        ValueError
            For a language that has none.
        """
        separators = cls.get_separators_for_language(language)
        return cls(separators=separators, is_separator_regex=True, **kwargs)

    @staticmethod
    def get_separators_for_language(language: Language) -> list[str]:
        """Return a language's separators, strongest first.

        Raises
        ------
        ValueError
            For a language that has none.
        """
        if language in LANGUAGES:
            return list(LANGUAGES[language])
        if language in Language._value2member_map_:
            raise ValueError(f"Language {language} is not implemented yet!")
        raise ValueError(
            f"Language {language} is not supported! Please choose from {list(Language)}"
        )


class PythonCodeTextSplitter(RecursiveCharacterTextSplitter):
    """Splits at classes, functions and lines of Python."""

    def __init__(self, **kwargs: Any) -> None:
        separators = self.get_separators_for_language(Language.PYTHON)
        super().__init__(separators=separators, **kwargs)


class LatexTextSplitter(RecursiveCharacterTextSplitter):
    """Splits at the separators of LaTeX, taken literally, as LangChain does."""

    def __init__(self, **kwargs: Any) -> None:
        separators = self.get_separators_for_language(Language.LATEX)
        super().__init__(separators=separators, **kwargs)


class TokenTextSplitter(TokenEngine, TextSplitter):
    """Cuts windows of tokens, wherever they end.

    Parameters
    ----------
    encoding_name, model_name
        The encoding, as tiktoken names it; the model's name goes before.
    allowed_special, disallowed_special
        As in tiktoken.
    **kwargs
        As for `TextSplitter`.

    Raises
    ------
    ImportError
        If the encoding is not built into chunkwright, and tiktoken is not installed.
    ValueError
        As `TextSplitter` does.
    """

    def __init__(
        self,
        encoding_name: str = "gpt2",
        model_name: str | None = None,
        allowed_special: Allowed | None = None,
        disallowed_special: Disallowed = "all",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        try:
            self._tokens = Tokens(encoding_name, model_name, allowed_special, disallowed_special)
        except ImportError:
            import_tiktoken("for TokenTextSplitter")
            raise

    @classmethod
    def from_tiktoken_encoder(
        cls,
        encoding_name: str = "gpt2",
        model_name: str | None = None,
        allowed_special: Allowed | None = None,
        disallowed_special: Disallowed = "all",
        **kwargs: Any,
    ) -> Self:
        """Make a splitter that cuts, and measures, with one of tiktoken's encodings.

        Raises
        ------
        ImportError
            If tiktoken is needed and not installed.
        """
        return cls(
            length_function=Tokens(encoding_name, model_name, allowed_special, disallowed_special),
            encoding_name=encoding_name,
            model_name=model_name,
            allowed_special=allowed_special,
            disallowed_special=disallowed_special,
            **kwargs,
        )

    def split_text(self, text: str) -> list[str]:
        """Split ``text`` into windows; a code point that a window cuts becomes U+FFFD.

        Raises
        ------
        ValueError
            For an overlap as large as the size, and for special tokens that are not allowed.
        """
        vocabulary = self._vocabulary(text)
        if vocabulary is not None:
            return self._windows(text, vocabulary)[0]
        return split_text_on_tokens(text=text, tokenizer=self._described(Tokenizer))

    def _windows(self, text: str, vocabulary: str) -> tuple[list[str], list[int] | None]:
        _check_overlap(self._chunk_size, self._chunk_overlap)
        return super()._windows(text, vocabulary)

    def _with_starts(self, text: str) -> tuple[list[str], Sequence[int]]:
        if self._overrides(TokenTextSplitter, "split_text"):
            return super()._with_starts(text)
        vocabulary = self._vocabulary(text)
        if vocabulary is None:
            chunks, starts = self.split_text(text), self._starts(text)
        else:
            chunks, starts = self._windows(text, vocabulary)
        return super()._with_starts(text) if starts is None else (chunks, starts[: len(chunks)])

    def _starts(self, text: str) -> list[int] | None:
        """Code points at which tiktoken's windows begin, unless it changed the text."""
        if not self._sizes_are_counts():
            return None
        tokens = self._tokenizer.decode_tokens_bytes(self._tokens.encode(text))
        if b"".join(tokens) != text.encode("utf-8", "surrogatepass"):
            return None
        before = accumulate((_n_chars(token) for token in tokens), initial=0)
        starts = [n - (not _n_chars(token[:1])) for n, token in zip(before, tokens, strict=False)]
        return starts[:: self._chunk_size - self._chunk_overlap]


_CONTINUATION_BYTES = bytes(range(0x80, 0xC0))


def _n_chars(token: bytes) -> int:
    """Code points that begin in a token."""
    return len(token.translate(None, _CONTINUATION_BYTES))


def _check_overlap(tokens_per_chunk: int, chunk_overlap: int) -> None:
    if tokens_per_chunk <= chunk_overlap:
        raise ValueError("tokens_per_chunk must be greater than chunk_overlap")


def split_text_on_tokens(*, text: str, tokenizer: Tokenizer) -> list[str]:
    """Cut ``text`` into windows of tokens and decode them; empty ones are left out.

    Parameters
    ----------
    text
        What to cut.
    tokenizer
        How to encode and decode, and how long windows are.

    Returns
    -------
    list[str]
        The windows.

    Raises
    ------
    ValueError
        For an overlap as large as the size.
    """
    ids = tokenizer.encode(text)
    size, overlap = tokenizer.tokens_per_chunk, tokenizer.chunk_overlap
    _check_overlap(size, overlap)
    decoded = [tokenizer.decode(window) for window in takewhile(bool, windows(ids, size, overlap))]
    return [window for window in decoded if window]


for _public in (
    CharacterTextSplitter,
    RecursiveCharacterTextSplitter,
    PythonCodeTextSplitter,
    LatexTextSplitter,
    TokenTextSplitter,
    split_text_on_tokens,
):
    # What pickles and messages say is where a program imports it from.
    _public.__module__ = "chunkwright.compat.langchain"
