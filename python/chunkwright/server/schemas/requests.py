"""Shapes of requests to our own routes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from chunkwright.server.schemas.asked import Asked, Text
from chunkwright.server.schemas.chunking import Chunking
from chunkwright.server.schemas.sources import SourceFields

DEFAULT_TOKENIZER = "cl100k_base"


class ShadowFields(Asked):
    """How much of their neighbours chunks have as shadows; see `cw.shadows`."""

    tokens: int | None = Field(None, ge=1)
    chars: int | None = Field(None, ge=1)

    @model_validator(mode="after")
    def _check_one(self) -> ShadowFields:
        if (self.tokens is None) == (self.chars is None):
            raise ValueError("exactly one of tokens and chars is needed")
        return self


class ChunkRequest(SourceFields):
    """A document, and how it is cut."""

    chunking: Chunking = Field(default_factory=Chunking)
    shadows: ShadowFields | None = Field(None, description="Text of the neighbours, in columns.")


class PreviewRequest(ChunkRequest):
    """A document, how it is cut, and what is asked of the chunks."""

    texts: bool = Field(
        default=True, description="Whether each chunk has its text, beside the places in the text."
    )
    questions: list[Annotated[Text, Field(max_length=10_000)]] = Field([], max_length=20)
    embedder: str | None = Field(
        None, max_length=500, description="What gives vectors of questions and chunks."
    )


class CompareRequest(SourceFields):
    """A document, and two ways to cut it."""

    a: Chunking
    b: Chunking


class CountRequest(Asked):
    """Texts to be counted."""

    text: Text | None = None
    texts: list[Text] | None = Field(None, max_length=100_000)
    tokenizer: str = Field(DEFAULT_TOKENIZER, max_length=500)

    @model_validator(mode="after")
    def _check_one(self) -> CountRequest:
        if (self.text is None) == (self.texts is None):
            raise ValueError("exactly one of text and texts is needed")
        return self


class ReadRequest(SourceFields):
    """A document to be read."""

    format: Literal["elements", "markdown", "text"] = Field(
        "elements", description="What the answer has of it."
    )
