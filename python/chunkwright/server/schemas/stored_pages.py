"""Shapes of what pages over a store show: documents, versions, blocks, doubts and edits."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import AliasChoices, BaseModel, Field

from chunkwright.server.schemas.answers import PageAnswer
from chunkwright.server.schemas.requests import Asked, Text
from chunkwright.server.schemas.store import MOST_TEXT, Answered, BlockId, NextOffset, Origin
from chunkwright.store.citing.resolution import Status

OriginalStatus = Literal["same", "changed", "missing", "unknown"]


class VersionRow(Answered):
    """A version of a document."""

    version: int
    created_at: str = Field(description="When it was imported, in UTC.")
    n_blocks: int
    confidence: float | None = Field(
        description="How sure its reader was of its text, from 0 to 1; null if it does not say."
    )
    is_current: bool


class StoredRow(BaseModel):
    """A document of a store, with its current version."""

    document: Text = Field(description="Its address.")
    version: int
    n_versions: int
    n_blocks: int
    created_at: str
    confidence: float | None


class StoredAnswer(BaseModel):
    """Documents of a store, in the order in which they were imported."""

    documents: list[StoredRow]
    n_total: int = Field(description="How many documents there are of those asked for.")
    next_offset: NextOffset
    may_edit: bool = Field(description="Whether blocks may be edited by hand over the service.")


class ShownBlock(Answered):
    """A block of a version, in the order of its chunks."""

    block: str = Field(validation_alias=AliasChoices("block", "id"))
    origin: Origin
    written: Text | None = Field(description="What was written by hand in the place of its text.")


class CitationRow(Answered):
    """A citation of a document, and what became of it."""

    citation: str
    quote: Text
    by: Text | None
    version: int = Field(description="The version that was quoted.")
    status: Status
    changes: list[str] = Field(description="What changed around its words.")


class StoredDocumentAnswer(BaseModel):
    """A version of a document, as its page shows it."""

    document: Text
    version: int
    versions: list[VersionRow]
    view: dict[str, Any] = Field(description="Its chunks, as the answer of /v1/preview has them.")
    blocks: list[ShownBlock]
    citations: list[CitationRow]
    doubts: list[PageDoubt]
    may_edit: bool
    has_originals: bool = Field(
        description="Whether the service looks for originals, to draw pages of them."
    )


class StoredPageAnswer(PageAnswer):
    """A page of a stored document, drawn from its original if that is the file that was read."""

    original: OriginalStatus = Field(
        description="Whether the file is the one that was read, or has changed since, or is not in"
        " the folder; unknown if the service has no folder, or the store does not know the file."
    )


class PageDoubt(BaseModel):
    """A page whose text is to be looked at."""

    document: Text
    version: int
    page: int
    confidence: float | None = Field(description="How sure its reader was, from 0 to 1.")
    needs_ocr: bool = Field(description="Whether its text is in a picture, and was not read.")


class ReviewAnswer(BaseModel):
    """Pages whose text is to be looked at, in the order of their documents."""

    pages: list[PageDoubt]
    next_offset: NextOffset


class EditRequest(Asked):
    """A text that is written in the place of a block."""

    block: BlockId
    text: Text = Field(min_length=1, max_length=MOST_TEXT)


class EditAnswer(Answered):
    """A block that was written by hand."""

    block: str
    base: str = Field(description="Id of the block that was cut.")
    document: Text
    text: Text
    source: Text = Field(description="The text that was cut.")
    is_stale: bool = Field(description="Whether the source has changed since.")


StoredDocumentAnswer.model_rebuild()
