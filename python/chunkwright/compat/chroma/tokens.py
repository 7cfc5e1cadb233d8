"""Chroma's two chunkers that need no embedding: LangChain's splitters of 2024, other defaults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from chunkwright.chunking.languages import LANGUAGES
from chunkwright.compat.langchain.engine import SeparatorEngine, TokenEngine, windows
from chunkwright.compat.langchain.fallback import Tokenizer
from chunkwright.compat.langchain.lengths import Allowed, Disallowed, Tokens, import_tiktoken
from chunkwright.errors import ConfigError

from .base import SEPARATORS, WITHOUT_SEPARATORS, Language, TextSplitter


class RecursiveTokenChunker(SeparatorEngine, TextSplitter):
    """Splits at the first separator that a text contains, and what is too large at later ones.

    Sizes are code points, despite the name, unless ``length_function`` says otherwise.

    Parameters
    ----------
    chunk_size, chunk_overlap
        As for `TextSplitter`.
    separators
        Strongest first; paragraphs, lines, ``.``, ``?``, ``!``, words and characters by default.
    keep_separator
        Whether a separator stays in the text, with the piece that follows.
    is_separator_regex
        Whether separators are regular expressions, as Python's `re` takes them.
    **kwargs
        As for `TextSplitter`.

    Raises
    ------
    ValueError
        As `TextSplitter` does.
    """

    def __init__(
        self,
        chunk_size: int = 4000,
        chunk_overlap: int = 200,
        separators: list[str] | None = None,
        keep_separator: bool = True,
        is_separator_regex: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            chunk_size=chunk_size,
            chunk_overlap=chunk_overlap,
            keep_separator=keep_separator,
            **kwargs,
        )
        self._separators = separators or ["\n\n", "\n", ".", "?", "!", " ", ""]
        self._is_separator_regex = is_separator_regex

    def split_text(self, text: str) -> list[str]:
        """Split ``text`` into chunks."""
        return self._split_text(text, self._separators)

    def _split_text(self, text: str, separators: Sequence[str]) -> list[str]:
        """Split ``text`` at the separators given; subclasses of the peer's call this."""
        return self._cut(text, separators, recursive=True)[0]

    @staticmethod
    def get_separators_for_language(language: Language) -> list[str]:
        """Return a language's separators, regular expressions, strongest first.

        Raises
        ------
        ValueError
            For a language that has none.
        """
        if language not in set(Language) - set(WITHOUT_SEPARATORS):
            raise ValueError(
                f"Language {language} is not supported! Please choose from {list(Language)}"
            )
        name = Language(language).value
        return list(SEPARATORS.get(name) or LANGUAGES[name])


class FixedTokenChunker(TokenEngine, TextSplitter):
    """Cuts windows of tokens, wherever they end.

    Parameters
    ----------
    encoding_name, model_name
        The encoding, as tiktoken names it; the model's name goes before.
    chunk_size, chunk_overlap
        Tokens in a window, and those that it repeats of the window before.
    allowed_special, disallowed_special
        As in tiktoken.
    **kwargs
        As for `TextSplitter`; without effect, as in the peer.

    Raises
    ------
    ImportError
        If the encoding is not built into chunkwright, and tiktoken is not installed.
    ValueError
        As `TextSplitter` does.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - the peer's signature
        self,
        encoding_name: str = "cl100k_base",
        model_name: str | None = None,
        chunk_size: int = 4000,
        chunk_overlap: int = 200,
        allowed_special: Allowed = frozenset(),
        disallowed_special: Disallowed = "all",
        **kwargs: Any,
    ) -> None:
        super().__init__(chunk_size=chunk_size, chunk_overlap=chunk_overlap, **kwargs)
        try:
            self._tokens = Tokens(encoding_name, model_name, allowed_special, disallowed_special)
        except ImportError:
            import_tiktoken("for FixedTokenChunker")
            raise

    @classmethod
    def from_tiktoken_encoder(
        cls,
        encoding_name: str = "gpt2",
        model_name: str | None = None,
        allowed_special: Allowed = frozenset(),
        disallowed_special: Disallowed = "all",
        **kwargs: Any,
    ) -> Self:
        """Make a chunker that cuts with one of tiktoken's encodings.

        Raises
        ------
        ImportError
            If tiktoken is needed and not installed.
        """
        own: dict[str, Any] = {
            "encoding_name": encoding_name,
            "model_name": model_name,
            "allowed_special": allowed_special,
            "disallowed_special": disallowed_special,
        }
        return cls(length_function=Tokens(**own), **{**kwargs, **own})

    def split_text(self, text: str) -> list[str]:
        """Split ``text`` into windows; a code point that a window cuts becomes U+FFFD.

        Raises
        ------
        ConfigError
            For a text that is longer than one window if the overlap is as large as the window.
        ValueError
            For special tokens that are not allowed.
        """
        vocabulary = self._vocabulary(text)
        if vocabulary is not None:
            return self._windows(text, vocabulary)[0]
        return split_text_on_tokens(text=text, tokenizer=self._described(Tokenizer))

    def _sizes_are_counts(self) -> bool:
        return super()._sizes_are_counts() and 0 <= self._chunk_overlap < self._chunk_size


def split_text_on_tokens(*, text: str, tokenizer: Tokenizer) -> list[str]:
    """Cut ``text`` into windows of tokens and decode them.

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
    ConfigError
        If windows would never reach the end: the overlap is as large as the window, or larger.
    """
    ids = tokenizer.encode(text)
    size, overlap = tokenizer.tokens_per_chunk, tokenizer.chunk_overlap
    decoded: list[str] = []
    for window in windows(ids, size, overlap):
        if decoded and overlap >= size:
            raise ConfigError(f"chunk_overlap must be less than chunk_size={size}, got {overlap}")
        decoded.append(tokenizer.decode(window))
    return decoded
