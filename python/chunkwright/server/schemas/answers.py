"""Shapes of answers of our own routes, tasks among them."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field


class ProblemFields(BaseModel):
    """What is wrong with a request."""

    code: str
    message: str
    field: str | None = None


class ProblemAnswer(BaseModel):
    """An answer that says what is wrong."""

    error: ProblemFields


class ChunkFields(BaseModel):
    """A chunk, as rows of chunks are everywhere; columns that not all have may be missing."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="allow")

    chunk_id: str
    document: str | None
    document_id: str
    doc_index: int
    index: int
    text: str
    start: int = Field(description="In code points.")
    end: int = Field(description="In code points.")
    byte_start: int
    byte_end: int
    line_start: int
    line_end: int
    source_start: int | None
    source_end: int | None
    source_line_start: int | None
    source_line_end: int | None
    n_tokens: int
    oversize: bool


class DocumentFields(BaseModel):
    """What a request's document was read as."""

    id: str
    name: str | None
    n_chars: int = Field(description="Code points of its text.")
    n_elements: int | None = Field(description="None of a plain text.")


class ChunkAnswer(BaseModel):
    """The chunks of a document."""

    chunks: list[ChunkFields]
    document: DocumentFields
    chunking: dict[str, Any] = Field(description="The strategy, with what is not its default.")


class PieceFields(BaseModel):
    """A part of a chunk, and its role."""

    role: str
    start: int
    end: int


class PreviewedChunk(BaseModel):
    """A chunk, and what it is made of; its text is missing if it was not wanted."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="allow")

    chunk_id: str
    start: int
    end: int
    n_tokens: int
    text: str | None = None
    pieces: list[PieceFields]
    ending: Any = Field(description="Why it ends where it does, in words.")


class BoundaryFields(BaseModel):
    """A place at which a strategy could have cut, and what it thought of it."""

    position: int = Field(description="In code points.")
    score: float | None
    verdict: str = Field(description="`whole`: it was not cut. Else why it was.")


class SizeFields(BaseModel):
    """Sizes of chunks, in tokens."""

    chunks: int
    mean: float | None
    least: int | None
    median: int | None
    p90: int | None
    most: int | None


class BinFields(BaseModel):
    """Chunks of sizes from the first to the last."""

    first: int
    last: int
    counts: list[int]


class ScoreFields(BaseModel):
    """What a question gives to a chunk."""

    words: float = Field(description="From 0 to 1, the best chunk.")
    vectors: float | None = Field(description="A cosine.")
    total: float


class QuestionFields(BaseModel):
    """A question, and what it gives to each chunk."""

    question: str
    scores: list[ScoreFields]


class PreviewAnswer(BaseModel):
    """The chunks of a document, and why they end where they do."""

    text: str
    chunks: list[PreviewedChunk]
    boundaries: list[BoundaryFields]
    threshold: float | None
    limit: dict[str, Any] | None
    sizes: SizeFields
    histogram: list[BinFields]
    document: DocumentFields
    fixed_width: bool = Field(
        description="Whether its layout counts, as that of source code, data and logs does."
    )
    chunking: dict[str, Any]
    outline: list[dict[str, Any]] | None = None
    elements: list[dict[str, Any]] | None = None
    pages: list[dict[str, Any]] | None = None
    questions: list[QuestionFields] | None = None


class PageAnswer(BaseModel):
    """The picture of a page."""

    page: int
    image: str | None = Field(
        description="A PNG as an address of the scheme `data`; null where nothing is drawn: pages"
        " of PDF documents are."
    )


class DifferingBoundary(BaseModel):
    """A boundary that only one of two ways has."""

    position: int
    line: int
    score: float | None
    reason: str | None


class ComparedFields(BaseModel):
    """One of two ways to cut."""

    chunking: dict[str, Any]
    sizes: SizeFields
    only_here: list[DifferingBoundary]


class CompareAnswer(BaseModel):
    """Two ways to cut one document."""

    document: DocumentFields
    shared: int = Field(description="Boundaries that both have.")
    a: ComparedFields
    b: ComparedFields
    histogram: list[BinFields]


class CountFields(BaseModel):
    """Sizes of a text."""

    tokens: int
    chars: int = Field(description="Code points.")
    bytes: int = Field(description="Of its UTF-8.")
    lines: int


class CountAnswer(BaseModel):
    """Sizes of texts, in their order."""

    counts: list[CountFields]
    tokenizer: str


class PageFields(BaseModel):
    """A page that was read."""

    number: int
    width: float
    height: float
    confidence: float
    needs_ocr: bool
    ocr: bool


class ReadAnswer(BaseModel):
    """What was read of a document."""

    document: DocumentFields
    text: str
    elements: list[dict[str, Any]] | None = None
    markdown: str | None = None
    pages: list[PageFields]
    confidence: float | None
    encoding: str | None


class Limits(BaseModel):
    """How much one request may take."""

    max_body: int
    max_unpacked: int
    max_chunks: int
    timeout: float


class StrategyFields(BaseModel):
    """A strategy: what it cuts, and the schema of its options."""

    name: str
    about: str
    takes: list[str]
    options: dict[str, Any]


class MissingExtra(BaseModel):
    """An extra that is not installed, how the names of its files end, and what installs it."""

    extra: str
    suffixes: list[str]
    install: str


class CapabilitiesAnswer(BaseModel):
    """What this service can do."""

    version: str
    strategies: list[StrategyFields]
    tokenizers: list[str]
    embedders: list[str]
    kinds: list[str]
    dialects: list[str]
    missing: list[MissingExtra] = Field(
        description="Extras that are not installed: files of these kinds are answered 501."
    )
    store: bool
    paths: bool
    urls: bool
    limits: Limits


class HealthAnswer(BaseModel):
    """Whether the service lives, or is ready."""

    status: str


class VersionAnswer(BaseModel):
    """The version of the service."""

    version: str


State: TypeAlias = Literal["pending", "started", "success", "failure"]


class TaskProblem(ProblemFields):
    """Why a task failed, and the status that the answer to a request would have had."""

    status: int


class TaskAnswer(BaseModel):
    """How far a task is."""

    id: str
    kind: str
    state: State
    position: int | None = Field(description="Its place among those that wait; 1 is the next one.")
    created: datetime
    started: datetime | None
    ended: datetime | None
    attempts: int = Field(description="How many times a worker began it.")
    error: TaskProblem | None
