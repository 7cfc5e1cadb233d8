"""Shapes of what is cut or read: a text, elements, a file's bytes, a path or an address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import Field, model_validator

from chunkwright.readers.kinds import FILES, KINDS
from chunkwright.server.schemas.asked import Asked, Text

# The kinds are known when this runs, and not before.
if TYPE_CHECKING:
    Kind: TypeAlias = str
else:
    Kind = Literal[(*KINDS, *FILES)]

WAYS = ("text", "elements", "docling", "data", "path", "url")
Scalar = Annotated[Text, Field()] | int | float | bool | None
_MOST_NAME = 4096


class SourceFields(Asked):
    """A document, given in exactly one of six ways."""

    text: Text | None = Field(None, description="The text itself.")
    elements: list[dict[str, Any]] | None = Field(
        None, description="Unstructured's elements, as `elements_to_dicts` gives them."
    )
    docling: dict[str, Any] | None = Field(None, description="A DoclingDocument.")
    data: str | None = Field(None, description="The bytes of a file, in Base64.")
    path: str | None = Field(
        None, max_length=_MOST_NAME, description="A file under a folder that the service may read."
    )
    url: str | None = Field(
        None, max_length=_MOST_NAME, description="An address on a host that the service may ask."
    )
    kind: Kind | None = Field(
        None,
        description="What it is read as. Without, `text` is plain text, and the kind of all else"
        " is recognised by content and name.",
    )
    name: Text | None = Field(
        None, max_length=_MOST_NAME, description="What it is called; ids are derived from it."
    )
    id: Text | None = Field(None, max_length=_MOST_NAME, description="An id that stays the same.")
    metadata: dict[str, Scalar] | None = Field(None, description="Columns to carry along.")
    pages: str | None = Field(
        None, max_length=1000, description="The pages to read, as in `3-7,9`."
    )
    password: str | None = Field(None, max_length=1000)

    @model_validator(mode="after")
    def _check_ways(self) -> SourceFields:
        given = [way for way in WAYS if getattr(self, way) is not None]
        if len(given) != 1:
            said = " and ".join(given) if given else "none"
            raise ValueError(f"exactly one of {', '.join(WAYS)} is needed, got {said}")
        return self
