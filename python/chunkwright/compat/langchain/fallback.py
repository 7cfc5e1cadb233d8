"""Documents, languages and base classes of LangChain, for where it is not installed."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Any


@dataclass(repr=False)
class Document:
    """A text and its metadata.

    Parameters
    ----------
    page_content
        The text.
    metadata
        Anything about it.
    id
        A name that is unique among documents.
    """

    page_content: str
    metadata: dict[Any, Any] = field(default_factory=dict, kw_only=True)
    id: str | None = field(default=None, kw_only=True)

    def __repr__(self) -> str:
        name = "" if self.id is None else f"id={self.id!r}, "
        return f"Document({name}metadata={self.metadata!r}, page_content={self.page_content!r})"

    def __str__(self) -> str:
        text = f"page_content='{self.page_content}'"
        return f"{text} metadata={self.metadata}" if self.metadata else text


@dataclass(frozen=True)
class Tokenizer:
    """Options of `split_text_on_tokens`: how it encodes, cuts and decodes.

    Parameters
    ----------
    chunk_overlap
        Tokens repeated from the chunk before.
    tokens_per_chunk
        Tokens in a chunk, at most.
    decode
        From token ids to text.
    encode
        From text to token ids.
    """

    chunk_overlap: int
    tokens_per_chunk: int
    decode: Callable[[list[int]], str]
    encode: Callable[[str], list[int]]


class Language(str, Enum):  # noqa: UP042 - a StrEnum would print otherwise than LangChain's
    """Languages with separators of their own."""

    CPP = "cpp"
    GO = "go"
    JAVA = "java"
    KOTLIN = "kotlin"
    JS = "js"
    TS = "ts"
    PHP = "php"
    PROTO = "proto"
    PYTHON = "python"
    R = "r"
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
    HASKELL = "haskell"
    ELIXIR = "elixir"
    POWERSHELL = "powershell"
    VISUALBASIC6 = "visualbasic6"


class BaseDocumentTransformer(ABC):
    """The interface of what makes documents of documents."""

    @abstractmethod
    def transform_documents(self, documents: Sequence[Any], **kwargs: Any) -> Sequence[Any]:
        """Split documents."""

    async def atransform_documents(self, documents: Sequence[Any], **kwargs: Any) -> Sequence[Any]:
        """Split documents in a thread."""
        return await asyncio.to_thread(partial(self.transform_documents, documents, **kwargs))


class TextSplitter(BaseDocumentTransformer):
    """The interface of LangChain's splitters."""

    @abstractmethod
    def split_text(self, text: str) -> list[str]:
        """Split a text into chunks."""
