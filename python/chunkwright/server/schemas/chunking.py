"""Shape of a strategy with its options, made from the registry of the strategies."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from types import NoneType, UnionType
from typing import (
    Any,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import Field, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from chunkwright._strategies import CLASSES
from chunkwright.chunking import option_types
from chunkwright.chunking.option_docs import option_docs
from chunkwright.chunking.registry import ALL_STRATEGIES, options_of
from chunkwright.server.schemas.asked import Asked

DEFAULT = "recursive"
WITHOUT = frozenset({"llm"})
"""Strategies that a service does not offer: those that ask a language model."""

NAMED_MODELS = {"tokenizer": "tokenizers", "embedder": "embedders"}
"""Options that name a model, and the setting that says which names there are."""

_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}
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
    kind = ALL_STRATEGIES[strategy]
    hints = _hints(getattr(option_types, f"{kind.__name__}Options"))
    docs = option_docs(kind)
    return {
        "type": "object",
        "properties": {
            option: _option_schema(option, hints.get(option))
            | _default(kind, option)
            # Plain words: the docs' names of code are those of Python.
            | {"description": docs.get(option, "").replace("``", "`")}
            for option in options_of(strategy)
        },
        "additionalProperties": False,
    }


def _hints(options: type) -> dict[str, Any]:
    """Return the types of options, but of those that name a model: an object may stand there."""
    plain = {name: of for name, of in options.__annotations__.items() if name not in NAMED_MODELS}
    holder = type(options.__name__, (), {"__annotations__": plain})
    return get_type_hints(holder, vars(option_types))


def _default(kind: type, option: str) -> dict[str, Any]:
    value = kind.__dataclass_fields__[option].default  # type: ignore[attr-defined]
    is_plain = isinstance(value, str | int | float | bool | NoneType)
    return {"default": value} if is_plain else {}


def _option_schema(option: str, hint: Any) -> dict[str, Any]:
    if option in NAMED_MODELS:
        return {"type": ["string", "null"]} if option == "embedder" else {"type": "string"}
    return _schema(hint)


def _schema(hint: Any) -> dict[str, Any]:
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    origin = get_origin(hint)
    if origin is Literal:
        return {"enum": list(get_args(hint))}
    if origin in {Union, UnionType}:
        return {"anyOf": [_schema(each) for each in get_args(hint)]}
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return {"type": "array", "items": _schema(get_args(hint)[0])}
    if isinstance(hint, TypeVar):
        return {}
    return _SEPARATOR


def chunking_schema() -> dict[str, Any]:
    """Return the JSON schema of a strategy with its options: one of those that are offered."""
    of = {
        name: {
            "title": ALL_STRATEGIES[name].__name__,
            "type": "object",
            "properties": {"strategy": {"const": name}, "options": options_schema(name)},
            "required": ["strategy"],
            "additionalProperties": False,
        }
        for name in offered()
    }
    return {"title": "Chunking", "oneOf": list(of.values())}


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
