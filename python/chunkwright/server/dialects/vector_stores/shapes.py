"""Shapes of OpenAI's search of a vector store."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from chunkwright.server.schemas.requests import Text
from chunkwright.server.schemas.store import MOST_HITS, MOST_TEXT, MetadataValue

_MOST_QUESTIONS = 10

Question = Annotated[Text, Field(min_length=1, max_length=MOST_TEXT)]


class ComparisonFilter(BaseModel):
    """A comparison with an attribute."""

    type: Literal["eq", "ne", "gt", "gte", "lt", "lte", "in", "nin"]
    key: Annotated[Text, Field(min_length=1, max_length=200)]
    value: MetadataValue | Annotated[list[MetadataValue], Field(max_length=1000)]


class CompoundFilter(BaseModel):
    """Filters of which all or one have to be true."""

    type: Literal["and", "or"]
    filters: Annotated[list[ComparisonFilter | CompoundFilter], Field(max_length=100)]


class RankingOptions(BaseModel):
    """How good hits have to be; the ranker is the store's own, whatever is named."""

    ranker: str | None = None
    score_threshold: float | None = Field(None, ge=0, le=1)


class VectorStoreSearch(BaseModel):
    """What is searched for; what else clients send is ignored."""

    query: Question | Annotated[list[Question], Field(min_length=1, max_length=_MOST_QUESTIONS)]
    filters: ComparisonFilter | CompoundFilter | None = None
    max_num_results: int = Field(10, ge=1, le=MOST_HITS)
    ranking_options: RankingOptions | None = None
    rewrite_query: bool = Field(default=False, description="Accepted; questions stay as they are.")


class TextContent(BaseModel):
    """The text of a block."""

    type: Literal["text"]
    text: str


class SearchResult(BaseModel):
    """A block that was found."""

    file_id: str
    filename: str
    score: float
    attributes: dict[str, str | float | bool]
    content: list[TextContent]


class SearchResultsPage(BaseModel):
    """Blocks, best first; there is no next page."""

    object: Literal["vector_store.search_results.page"]
    search_query: list[str]
    data: list[SearchResult]
    has_more: bool
    next_page: str | None


class OpenAIError(BaseModel):
    """What is wrong."""

    message: str
    type: str
    param: str | None
    code: str | None


class OpenAIRefusal(BaseModel):
    """An answer that says what is wrong."""

    error: OpenAIError
