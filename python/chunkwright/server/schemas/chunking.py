"""Shape of a strategy with its options, made from the registry of the strategies."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import Field, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from chunkwright._strategies import CLASSES
from chunkwright.chunking.option_table import Option, option_table
from chunkwright.server.schemas.asked import Asked

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
        # Without a usual one it is needed all the same; a service has one that it takes for none.
        return {"type": ["string", "null"]}
    own = _own_type(option)
    if not option.takes_none:
        return own[0] if len(own) == 1 else {"anyOf": own}
    return {"anyOf": [*own, {"type": "null"}]}


def _own_type(option: Option) -> list[dict[str, Any]]:
    if option.kind == "name":
        return [{"enum": option.names}]
    if option.kind == "separators":
        item = {"anyOf": [{"type": "string"}, _SEPARATOR]}
        return [{"type": "string"}, {"type": "array", "items": item}]
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
        found = handler(core_schema)
        definition = handler.resolve_ref_schema(found)
        definition.clear()
        definition.update(chunking_schema())
        return found
