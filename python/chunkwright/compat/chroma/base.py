"""Base classes of Chroma's token chunkers: sizes and languages."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import Enum
from typing import Any, Self

from chunkwright.chunking.languages import LANGUAGES
from chunkwright.compat.langchain.engine import Engine, as_printed
from chunkwright.compat.langchain.lengths import Allowed, Disallowed, Tokens

# The peer's own logger: filters that were set for it hold.
_logger = logging.getLogger("chunking_evaluation.chunking.fixed_token_chunker")


class Language(str, Enum):  # noqa: UP042 - a StrEnum would print otherwise than the peer's
    """Programming languages; the last three have no separators."""

    CPP = "cpp"
    GO = "go"
    JAVA = "java"
    KOTLIN = "kotlin"
    JS = "js"
    TS = "ts"
    PHP = "php"
    PROTO = "proto"
    PYTHON = "python"
    RST = "rst"
    RUBY = "ruby"
    RUST = "rust"
    SCALA = "scala"
    SWIFT = "swift"
    MARKDOWN = "markdown"
    LATEX = "latex"
    HTML = "html"
    SOL = "sol"
    CSHARP = "csharp"
    COBOL = "cobol"
    C = "c"
    LUA = "lua"
    PERL = "perl"


WITHOUT_SEPARATORS = (Language.C, Language.LUA, Language.PERL)


def _then(language: str, after: str, *more: str) -> list[str]:
    """Put more separators into a language's list, behind one of its own."""
    separators = list(LANGUAGES[language])
    place = separators.index(after) + 1
    return [*separators[:place], *more, *separators[place:]]


# The lists of 2024, where they are not today's. LaTeX's backspace is the peer's slip.
SEPARATORS = {
    "kotlin": _then("kotlin", "\nwhen ", "\ncase "),
    "rust": _then("rust", "\nmatch ", "\nconst "),
    "csharp": _then("csharp", "\nenum ", "\nimplements "),
    "latex": [
        "\n\\\begin{align}" if separator == "\n\\\\begin{align}" else separator
        for separator in LANGUAGES["latex"]
    ],
}

_OPENAI_TOKENS = Tokens("cl100k_base", disallowed_special=())


def openai_token_count(string: str) -> int:
    """Count tokens of cl100k_base; special tokens count as the text that they are."""
    return _OPENAI_TOKENS(string)


class BaseChunker(ABC):
    """What splits a text."""

    @abstractmethod
    def split_text(self, text: str) -> list[str]:
        """Split ``text`` into chunks."""


class TextSplitter(Engine, BaseChunker):
    """Base of the chunkers; a subclass says how a text is split.

    Parameters
    ----------
    chunk_size
        What a chunk may hold, in units of ``length_function``.
    chunk_overlap
        How much of the chunk before may be repeated.
    length_function
        Measures a text; code points by default. It is called once for each piece.
    keep_separator
        Whether a separator stays in the text, with the piece that follows.
    add_start_index
        Kept for the signature's sake: the peer does nothing with it.
    strip_whitespace
        Whether whitespace is taken off both ends of a chunk.

    Raises
    ------
    ValueError
        For an overlap that is larger than the size.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - the peer's signature
        self,
        chunk_size: int = 4000,
        chunk_overlap: int = 200,
        length_function: Callable[[str], int] = len,
        keep_separator: bool = False,
        add_start_index: bool = False,
        strip_whitespace: bool = True,
    ) -> None:
        if chunk_overlap > chunk_size:
            raise ValueError(
                f"Got a larger chunk overlap ({chunk_overlap}) than chunk size "
                f"({chunk_size}), should be smaller."
            )
        self._chunk_size = chunk_size
        self._chunk_overlap = chunk_overlap
        self._length_function = length_function
        # Any truth means the piece that follows: "end" came to LangChain later.
        self._keep_separator = bool(keep_separator)
        self._add_start_index = add_start_index
        self._strip_whitespace = strip_whitespace

    @classmethod
    def from_tiktoken_encoder(
        cls,
        encoding_name: str = "gpt2",
        model_name: str | None = None,
        allowed_special: Allowed = frozenset(),
        disallowed_special: Disallowed = "all",
        **kwargs: Any,
    ) -> Self:
        """Make a chunker that counts tokens of one of tiktoken's encodings.

        Those of ``cl100k_base``, ``o200k_base``, ``gpt2`` and ``r50k_base`` are counted by
        chunkwright: tiktoken need not be installed.

        Raises
        ------
        ImportError
            If tiktoken is needed and not installed.
        """
        return cls(
            length_function=Tokens(encoding_name, model_name, allowed_special, disallowed_special),
            **kwargs,
        )

    def _tokens_counted(self) -> Tokens | None:
        if self._length_function is openai_token_count:
            return _OPENAI_TOKENS
        return super()._tokens_counted()

    def _warn(self, total: float) -> None:
        _logger.warning(
            "Created a chunk of size %s, which is longer than the specified %s",
            as_printed(total),
            self._chunk_size,
        )
