"""Shapes of what is asked of a store and of what it answers, for REST and MCP alike."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from chunkwright.retrieval.expansion import Scope
from chunkwright.server.schemas.requests import DEFAULT_TOKENIZER, MOST_NAME, Asked, Text

LEAST_TOKENS = 300
USUAL_TOKENS = 5_000
MOST_TOKENS = 100_000
MOST_HITS = 50
MOST_LISTED = 500
MOST_ID = 200
MOST_OFFSET = 1_000_000_000
MOST_TEXT = 20_000

Scalar = str | int | float | bool | None
MetadataValue = bool | int | float | Annotated[Text, Field(max_length=10_000)]
"""A value of metadata that applications compare with."""
Origin = Literal["cut", "manual"]

ABOUT_MAX_TOKENS = f"Budget of the answer, in tokens of {DEFAULT_TOKENIZER}."
ABOUT_OFFSET = "next_offset of the answer before."

MaxTokens = Annotated[int, Field(ge=LEAST_TOKENS, le=MOST_TOKENS, description=ABOUT_MAX_TOKENS)]
Offset = Annotated[int, Field(ge=0, le=MOST_OFFSET, description=ABOUT_OFFSET)]
Document = Annotated[
    Text,
    Field(
        min_length=1, max_length=MOST_NAME, description="Address of a document, as a hit has it."
    ),
]
Version = Annotated[int, Field(ge=1, description="Version of the document.")]
BlockId = Annotated[
    Text, Field(min_length=1, max_length=MOST_ID, description="Id of a block, as a hit has it.")
]
NextOffset = Annotated[
    int | None, Field(description="The offset to go on with; null if there is no more.")
]
More = Annotated[
    str | None, Field(description="How to get what was left out; null if nothing was.")
]
FoundBlockId = Annotated[
    str,
    Field(
        description="Id of the block, to cite it or to get more around it; empty for a page header"
        " or footer, which is in none."
    ),
]
IsCut = Annotated[
    bool, Field(description="Whether the end was left out, since the budget is too small.")
]


class Answered(BaseModel):
    """A part of an answer, which can be made of a record that has fields of the same names."""

    model_config: ClassVar[ConfigDict] = ConfigDict(from_attributes=True)


class CompareShape(Asked):
    """A comparison with a value of metadata."""

    operator: Literal["<", "<=", ">", ">="]
    value: float | str


class Where(Asked):
    """Which documents and blocks are looked at: those for which all that is named is true."""

    documents: list[Text] | None = Field(
        None,
        max_length=1000,
        description="Their addresses; one that ends with * stands for all that begin so.",
    )
    metadata: dict[str, Scalar | CompareShape | list[Scalar | CompareShape]] | None = Field(
        None,
        description="Values that a document has, by name; a list means one of them,"
        ' {"operator": ">=", "value": 2024} compares.',
    )


class SearchRequest(Where):
    """What a search is to find, and how much of it."""

    query: Text = Field(
        min_length=1,
        max_length=MOST_TEXT,
        description="The question, or words of its answer, in the documents' language.",
    )
    max_tokens: MaxTokens = USUAL_TOKENS
    expand: Scope | None = Field(
        "neighbours",
        description="What each hit is widened to, within max_tokens; null: the block alone.",
    )
    k: int = Field(5, ge=1, le=MOST_HITS, description="Most hits.")
    offset: Offset = 0
    types: list[Text] | None = Field(
        None, max_length=50, description='Types of blocks, such as "table" or "list".'
    )
    pages: list[int] | None = Field(None, max_length=1000, description="Pages, from 1.")
    speaker: list[Text] | None = Field(
        None, max_length=50, description="Names, one of which speaks in a block."
    )
    min_confidence: float | None = Field(
        None,
        ge=0,
        le=1,
        description="Least confidence of a block's text, as of OCR, where one is stated.",
    )
    field_weights: dict[Text, float] | None = Field(
        None,
        max_length=50,
        description="Weights of path and document (all words) of a source file; a block's text has"
        " 1.",
    )
    fields: list[Literal["boxes", "metadata", "why"]] = Field(
        default_factory=list,
        description="What each hit has beside its text; it counts as tokens.",
    )


class PlaceShape(Answered):
    """A place in a version of a document."""

    document: Text = Field(description="Address of the document.")
    version: int = Field(description="Version of the document that the words stand in.")
    pages: list[int] = Field(description="Pages, from 1; empty where there are none.")
    line_start: int = Field(description="First line in the text of the version, from 1.")
    line_end: int
    headings: list[Text] = Field(description="Headings of the section, the outermost first.")


class BoxShape(Answered):
    """A rectangle on a page, in the units of its source."""

    page: int | None
    left: float
    top: float
    right: float
    bottom: float
    width: float | None = Field(description="Width of the page, if it is known.")
    height: float | None


class Hit(PlaceShape):
    """A block that was found, with what stands around it."""

    block: FoundBlockId
    score: float = Field(description="How well it fits; greater is better.")
    type: str = Field(description='What it is, such as "text", "table", "list" or "page header".')
    text: Text = Field(description="The text: the block, with what it was widened to.")
    beside: list[str] = Field(
        default_factory=list, description="Ids of other blocks whose text this one has, too."
    )
    duplicates: list[str] = Field(
        default_factory=list, description="Ids of blocks elsewhere that say nearly the same."
    )
    is_cut: IsCut = False
    boxes: list[BoxShape] | None = None
    metadata: dict[str, Any] | None = None
    why: dict[str, Any] | None = None


class SearchAnswer(BaseModel):
    """Hits, best first, within the budget."""

    hits: list[Hit]
    n_left_out: int = Field(description="How many of the k hits did not fit into max_tokens.")
    next_offset: NextOffset
    more: More


class ListDocumentsRequest(Where):
    """Which documents are listed."""

    offset: Offset = 0
    limit: int = Field(50, ge=1, le=MOST_LISTED, description="Most documents.")
    max_tokens: MaxTokens = USUAL_TOKENS


class DocumentRow(BaseModel):
    """A document of a store."""

    document: Text = Field(description="Address of the document.")
    version: int = Field(description="Its current version.")
    n_blocks: int
    metadata: dict[str, Any]


class ListDocumentsAnswer(BaseModel):
    """Documents, in the order in which they were imported."""

    documents: list[DocumentRow]
    n_total: int = Field(description="How many documents there are of those asked for.")
    next_offset: NextOffset
    more: More


class GetDocumentRequest(Asked):
    """Which part of a document is read."""

    document: Document
    version: Version | None = Field(None, description="null: the current one.")
    offset: Offset = 0
    max_tokens: MaxTokens = USUAL_TOKENS


class BlockRow(BaseModel):
    """A block of a document, in its order."""

    block: FoundBlockId
    type: str
    pages: list[int]
    headings: list[Text]
    text: Text
    is_cut: IsCut = False


class GetDocumentAnswer(BaseModel):
    """Blocks of a version of a document, in order."""

    document: Text
    version: int
    is_current: bool
    n_blocks: int = Field(description="How many blocks the version has.")
    offset: int = Field(description="The number of the first block here, from 0.")
    blocks: list[BlockRow]
    next_offset: NextOffset
    more: More


class GetBlockRequest(Asked):
    """Which block is read, and how much around it."""

    block: BlockId
    expand: Scope | None = Field("section", description="What is shown around it; null: nothing.")
    max_tokens: MaxTokens = USUAL_TOKENS


class GetBlockAnswer(Answered):
    """A block, where it stands, and what stands around it."""

    block: str
    document: Text
    first_version: int
    last_version: int = Field(description="The last version of the document that has the block.")
    is_current: bool = Field(description="Whether the current version has it.")
    superseded_by: str | None = Field(
        description="Id of the block that took its place, if it is gone and one did."
    )
    origin: str = Field(description='"cut", or "manual" if it was written by hand.')
    place: PlaceShape | None = Field(description="Where it stands; null if no version has it.")
    before: Text = Field(description="Text right before the block.")
    text: Text = Field(description="Text of the block itself: what can be cited.")
    behind: Text = Field(description="Text right behind the block.")
    previous: str | None = Field(description="Id of the block before it in the document.")
    next: str | None = Field(description="Id of the block behind it in the document.")
    is_cut: bool = Field(description="Whether the end of the text was left out, to fit.")
    more: More
