"""Shapes of requests to our own routes: a document, a strategy with its options, and the rest."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from chunkwright._strategies import CLASSES
from chunkwright.chunking.option_table import Option, option_table
from chunkwright.frames import without_surrogates
from chunkwright.readers.kinds import FILES, KINDS


class Asked(BaseModel):
    """A request, in which every name has to be known."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


def _well_formed(value: object) -> object:
    return without_surrogates(value) if isinstance(value, str) else value


Text = Annotated[str, BeforeValidator(_well_formed)]
"""A text; JSON can say half of a surrogate pair, which becomes U+FFFD as in rows of chunks."""


# The kinds are known when this runs, and not before.
if TYPE_CHECKING:
    Kind: TypeAlias = str
else:
    Kind = Literal[(*KINDS, *FILES)]

WAYS = ("text", "elements", "docling", "data", "path", "url")
Scalar = Annotated[Text, Field()] | int | float | bool | None
MOST_NAME = 4096


class SourceFields(Asked):
    """A document, given in exactly one of six ways."""

    text: Text | None = Field(None, description="The text itself.")
    elements: list[dict[str, Any]] | None = Field(
        None, description="Unstructured's elements, as `elements_to_dicts` gives them."
    )
    docling: dict[str, Any] | None = Field(None, description="A DoclingDocument.")
    data: str | None = Field(None, description="The bytes of a file, in Base64.")
    path: str | None = Field(
        None, max_length=MOST_NAME, description="A file under a folder that the service may read."
    )
    url: str | None = Field(
        None, max_length=MOST_NAME, description="An address on a host that the service may ask."
    )
    kind: Kind | None = Field(
        None,
        description="What it is read as. Without, `text` is plain text, and the kind of all else"
        " is recognised by content and name.",
    )
    name: Text | None = Field(
        None, max_length=MOST_NAME, description="What it is called; ids are derived from it."
    )
    id: Text | None = Field(None, max_length=MOST_NAME, description="An id that stays the same.")
    metadata: dict[Text, Scalar] | None = Field(None, description="Columns to carry along.")
    pages: str | None = Field(
        None, max_length=1000, description="The pages to read, as in `3-7,9`."
    )
    password: str | None = Field(None, max_length=1000)
    attachments: bool = Field(
        default=False, description="Whether what is attached to mail is read as well."
    )
    hidden: bool = Field(
        default=False, description="Read slides, sheets, rows and columns as well that are hidden."
    )
    ocr: Literal["auto", "all", "off"] | None = Field(
        None,
        description="Pages whose text is recognised: those that need it, all or none. Without,"
        " those that need it, where the service has an engine.",
    )
    ocr_engine: Literal["rapidocr", "tesseract"] | None = Field(
        None, description="What recognises text."
    )
    ocr_languages: list[Text] | None = Field(
        None, max_length=20, description="Languages of recognised text, such as `de`."
    )

    @model_validator(mode="after")
    def _check_ways(self) -> SourceFields:
        given = [way for way in WAYS if getattr(self, way) is not None]
        if len(given) != 1:
            said = " and ".join(given) if given else "none"
            raise ValueError(f"exactly one of {', '.join(WAYS)} is needed, got {said}")
        return self


DEFAULT = "recursive"
WITHOUT = frozenset({"llm"})
"""Strategies that a service does not offer: those that ask a language model."""

_TYPES = {
    "size": "integer",
    "int": "integer",
    "number": "number",
    "flag": "boolean",
    "language": "string",
    "tokenizer": "string",
    "embedder": "string",
}
_ENDS = ("minimum", "maximum")
_SEPARATOR = {
    "type": "object",
    "properties": {"pattern": {"type": "string"}},
    "required": ["pattern"],
}


def offered() -> list[str]:
    """Return the names of the strategies that a service offers."""
    return [name for name in CLASSES if name not in WITHOUT]


@cache
def options_schema(strategy: str) -> dict[str, Any]:
    """Return the JSON schema of a strategy's options, with what each is for and its default."""
    return {
        "type": "object",
        "properties": {
            option.name: _type(option) | {"default": option.default, "description": option.about}
            for option in option_table(strategy).values()
        },
        "additionalProperties": False,
    }


def _type(option: Option) -> dict[str, Any]:
    if option.name == "embedder":
        # The strategy needs it, but a request may leave it out: the service has one of its own.
        return {"type": ["string", "null"]}
    own = _own_type(option)
    if not option.takes_none:
        return own[0] if len(own) == 1 else {"anyOf": own}
    return {"anyOf": [*own, {"type": "null"}]}


def _own_type(option: Option) -> list[dict[str, Any]]:
    if option.kind == "name":
        return [{"enum": option.names}]
    if option.kind in {"separators", "marks"}:
        item = {"anyOf": [{"type": "string"}, _SEPARATOR]}
        one = [_SEPARATOR] if option.kind == "marks" else []
        return [{"type": "string"}, *one, {"type": "array", "items": item}]
    ends = ("exclusiveMinimum", "exclusiveMaximum") if option.excludes_ends else _ENDS
    limits = zip(ends, (option.least, option.most), strict=True)
    return [{"type": _TYPES[option.kind]} | {end: at for end, at in limits if at is not None}]


def chunking_schema() -> dict[str, Any]:
    """Return the JSON schema of a strategy with its options: one of those that are offered."""
    kinds = [
        {
            "title": CLASSES[name],
            "type": "object",
            "properties": {"strategy": {"const": name}, "options": options_schema(name)},
            "required": ["strategy"],
            "additionalProperties": False,
        }
        for name in offered()
    ]
    return {"title": "Chunking", "oneOf": kinds}


class Chunking(Asked):
    """A strategy by its name, with its options; each is checked by the strategy itself."""

    strategy: str = DEFAULT
    options: dict[str, Any] = Field(default_factory=dict)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the schema that the registry makes."""
        schema = handler(core_schema)
        definition = handler.resolve_ref_schema(schema)
        definition.clear()
        definition.update(chunking_schema())
        return schema


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


class PageRequest(SourceFields):
    """A document, and the page of it that is drawn."""

    page: int = Field(ge=1, le=100_000, description="The number of the page, from 1.")


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
