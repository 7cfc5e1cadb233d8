"""Shapes of what is asked of files and texts, and of the answers, for tools of agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, Field

from chunkwright.readers.kinds import KINDS
from chunkwright.server.schemas.requests import DEFAULT_TOKENIZER, MOST_NAME, Asked, Text, offered
from chunkwright.server.schemas.store import (
    USUAL_TOKENS,
    Answered,
    MaxTokens,
    More,
    NextOffset,
    Offset,
    Scalar,
)

USUAL_CHUNK = 512
"""Tokens of a chunk where a tool or an application says no limit."""
MOST_CHUNKS = 500

FilePath = Annotated[str, Field(max_length=MOST_NAME, description="As list_files has it.")]


class ListFilesRequest(Asked):
    """Which files are listed."""

    folder: str = Field("", max_length=MOST_NAME, description='As in "reports/2024"; "": all.')
    offset: Offset = 0
    limit: int = Field(100, ge=1, le=1000, description="Most files.")
    max_tokens: MaxTokens = USUAL_TOKENS


class FileRow(BaseModel):
    """A file that can be read."""

    path: Text
    n_bytes: int


class ListFilesAnswer(BaseModel):
    """Files, in the order of their paths."""

    files: list[FileRow]
    n_total: int
    next_offset: NextOffset
    more: More


class ReadFileRequest(Asked):
    """Which file is read, and from where on."""

    path: FilePath
    pages: str | None = Field(None, max_length=1000, description='As in "3-7"; null: all.')
    offset: Offset = 0
    max_tokens: MaxTokens = USUAL_TOKENS


class ReadFileAnswer(BaseModel):
    """A part of the text of a file."""

    path: Text
    text: Text
    offset: int = Field(description="Where the part begins in the text, in code points.")
    n_chars: int = Field(description="Code points of the whole text.")
    next_offset: NextOffset
    more: More


# The kinds are known when this runs, and not before.
if TYPE_CHECKING:
    TextKind: TypeAlias = str
else:
    TextKind = Literal[(*KINDS,)]


class ChunkTextRequest(Asked):
    """A text that is cut, and how."""

    text: Text = Field(description="The text.")
    kind: TextKind = Field("markdown", description="What the text is.")
    strategy: str = Field(
        "auto",
        max_length=100,
        json_schema_extra={"enum": [*offered()]},
        description='"auto" decides by the text, "structural" keeps to sections.',
    )
    max_tokens: int | None = Field(
        None,
        ge=1,
        le=1_000_000,
        description=f"Most tokens of a chunk; null: {USUAL_CHUNK}, unless options have max_chars.",
    )
    tokenizer: str | None = Field(
        None, max_length=200, description=f"Name; null: {DEFAULT_TOKENIZER}."
    )
    options: dict[str, Any] = Field(
        default_factory=dict,
        description='Other options of the strategy, as {"overlap": 50}.',
    )
    offset: Offset = 0
    limit: int = Field(50, ge=1, le=MOST_CHUNKS, description="Most chunks of this answer.")


class ChunkRow(Answered):
    """A chunk of a text."""

    index: int
    start: int = Field(description="Where it begins in the text that was cut, in code points.")
    end: int
    n_tokens: int
    headings: list[Text]
    text: Text


class ChunkTextAnswer(BaseModel):
    """Chunks of a text, in order."""

    chunks: list[ChunkRow]
    n_total: int = Field(description="How many chunks the text has.")
    next_offset: NextOffset
    more: More


class ImportFileRequest(Asked):
    """A file that is put into the store."""

    path: FilePath
    metadata: dict[Text, Scalar] = Field(
        default_factory=dict, description="Values by which searches are narrowed."
    )


class ImportFileAnswer(BaseModel):
    """What an import made of a file."""

    document: Text = Field(description="Address of the document in the store.")
    outcome: str = Field(description="new, changed (there is a new version) or unchanged.")
    version: int | None
    n_new: int = Field(description="Blocks that are new.")
    n_kept: int = Field(description="Blocks that are as they were, with their ids.")
    n_gone: int = Field(description="Blocks that the document does not have any more.")
    citations_moved: int
    citations_broken: int
    citations_altered: int = Field(description="Those of the broken ones whose words were altered.")
    citation_changes: dict[str, int] = Field(
        description="Around how many cited words something changed, by what it was."
    )
