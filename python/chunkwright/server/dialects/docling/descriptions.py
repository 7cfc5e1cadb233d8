"""Descriptions of docling-serve's routes for OpenAPI: their bodies and their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .options import AnyChunker, ConvertOptions

if TYPE_CHECKING:
    from pydantic import BaseModel

_REFERENCE = "#/$defs/"

ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {"description": "The answer", "content": {"application/json": {}, "application/zip": {}}},
    **{
        status: {"description": about, "content": {"application/json": {}}}
        for status, about in {
            400: "The body is damaged",
            401: "No key, or a wrong one",
            404: "There is no such task, or no longer",
            408: "The body came too slowly",
            413: "Too large",
            415: "A body of another kind",
            421: "Not a name of this service",
            422: "A field, a value or a document that cannot be used",
            429: "Too many requests wait",
            501: "The service was started without what this needs",
            503: "The service ends, or holds too much",
            504: "The work took too long",
        }.items()
    },
}
"""Answers by their status."""


def json_body(kind: type[BaseModel]) -> dict[str, Any]:
    """Return the description of a body of JSON."""
    return _body("application/json", _whole(kind.model_json_schema()))


def form_body(chunker: type[AnyChunker] | None) -> dict[str, Any]:
    """Return the description of a form: files, and the options of the route's chunker if any."""
    file = {"type": "string", "format": "binary"}
    fields: dict[str, Any] = {
        "files": {"type": "array", "items": file, "minItems": 1},
        "target_type": {"type": "string", "enum": ["inbody", "zip"], "default": "inbody"},
    }
    if chunker is None:
        fields |= _fields(ConvertOptions, "")
    else:
        fields |= _fields(ConvertOptions, "convert_") | _fields(chunker, "chunking_")
        fields["include_converted_doc"] = {"type": "boolean", "default": False}
    return _body(
        "multipart/form-data",
        {
            "type": "object",
            "properties": fields,
            "required": ["files"],
            "additionalProperties": False,
        },
    )


def _fields(kind: type[BaseModel], prefix: str) -> dict[str, Any]:
    properties = _whole(kind.model_json_schema())["properties"]
    return {f"{prefix}{name}": schema for name, schema in properties.items()}


def _body(media_type: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"requestBody": {"required": True, "content": {media_type: {"schema": schema}}}}


def _whole(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema with what it refers to in the places where it does."""
    definitions = schema.pop("$defs", {})

    def filled(value: Any) -> Any:
        if isinstance(value, list):
            return [filled(each) for each in value]
        if not isinstance(value, dict):
            return value
        if (reference := value.get("$ref")) is not None:
            return filled(definitions[reference.removeprefix(_REFERENCE)])
        # A discriminator maps its values to the definitions that are gone.
        return {key: filled(each) for key, each in value.items() if key != "discriminator"}

    found: dict[str, Any] = filled(schema)
    return found
