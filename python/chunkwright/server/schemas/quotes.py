"""Shapes of quotes and citations of a store, for REST and MCP alike."""

from __future__ import annotations

from pydantic import AliasChoices, Field

from chunkwright.server.schemas.requests import Asked, Text
from chunkwright.server.schemas.store import (
    MOST_ID,
    MOST_TEXT,
    Answered,
    BlockId,
    Document,
    Origin,
    PlaceShape,
)
from chunkwright.store.citing.changes import Change
from chunkwright.store.citing.resolution import Status
from chunkwright.store.citing.tokens import DifferenceKind
from chunkwright.store.quotes import Verdict


class VerifyRequest(Asked):
    """Words of which it is to be known whether they stand in the documents."""

    quote: Text = Field(
        min_length=1,
        max_length=MOST_TEXT,
        description="Two words or 12 bytes at least, without quotation marks; an ellipsis (...)"
        " stands for words left out.",
    )
    document: Document | None = Field(
        None, description="Where they are said to stand; null: anywhere."
    )
    limit: int = Field(10, ge=1, le=100, description="Most places.")


class QuotePlace(PlaceShape):
    """A place of quoted words."""

    text: Text = Field(description="The words as they stand there.")
    block: str | None = Field(description="Id of the block that they begin in.")
    origin: Origin = Field(
        description="cut: they are words of the source; manual: they were written by hand there."
    )
    edited_as: str | None = Field(
        description="Of words of the source, id of the block that was written by hand in the place"
        " of theirs, which searches show instead."
    )


class VerifyAnswer(Answered):
    """What became of a quote."""

    verdict: Verdict = Field(
        description="found: the words stand there as one run; elsewhere: in another document only;"
        " abridged: parts of them, in their order, as the ellipsis says; stitched: put together of"
        " runs from different places; missing: nowhere."
    )
    is_verbatim: bool = Field(description="Whether the words stand somewhere as one run.")
    is_current: bool = Field(description="Whether they stand in current versions, not old ones.")
    places: list[QuotePlace]
    nearest: QuotePlace | None = Field(
        description="Of missing words, the longest run of them that stands somewhere."
    )
    quoted: Text | None = Field(description="The first word of the quote that differs there.")
    stands: Text | None = Field(description="The word that stands in its place.")


class CiteRequest(Asked):
    """A block, or words of it, that are cited."""

    block: BlockId
    quote: Text | None = Field(
        None,
        min_length=1,
        max_length=MOST_TEXT,
        description="Words of the block; null: all of it.",
    )
    by: Text | None = Field(None, min_length=1, max_length=1000, description="What cites it.")


class CiteAnswer(Answered):
    """A citation."""

    citation: Text = Field(
        validation_alias=AliasChoices("citation", "id"),
        description="Id of the citation, which resolve_citation takes.",
    )
    document: Text
    version: int = Field(description="The version that was quoted.")
    block: str
    quote: Text = Field(description="The words as they stand in the block.")
    start: int = Field(description="Where they begin in the text of the block, in code points.")
    end: int
    by: Text | None = Field(validation_alias=AliasChoices("by", "cited_by"))
    created_at: str = Field(description="When it was made, in UTC.")


class ResolveRequest(Asked):
    """A citation that is looked for in current versions."""

    citation: Text = Field(min_length=1, max_length=MOST_ID, description="Its id, as cite has it.")


class DifferenceShape(Answered):
    """How words differ that were altered."""

    kind: DifferenceKind = Field(description="The gravest kind of all differences, in this order.")
    quoted: Text = Field(description="What was quoted where they first differ so.")
    stands: Text = Field(description="What stands there.")


class ResolveAnswer(Answered):
    """What became of a citation."""

    status: Status = Field(
        description="same: the words stand where they stood, letter for letter; moved: they stand"
        " elsewhere in the document; altered: an altered form of them does; superseded: another"
        " text took their place; gone: they or the document are;"
        " erased: all of it was, and nothing but the id is known."
    )
    citation: CiteAnswer
    place: QuotePlace | None = Field(description="Where they stand now, or what took their place.")
    cited: QuotePlace = Field(description="Where they stood in the version that was cited.")
    superseded_by: str | None
    difference: DifferenceShape | None = Field(description="How altered words differ.")
    changes: list[Change] = Field(
        description="What changed around the words: headings of their section; the line that leads"
        " in their list or table; their sentence; a negation in it; a number in it; or the block"
        " was edited by hand. Such words may say something else than they did."
    )
