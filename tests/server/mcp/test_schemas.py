"""Schemas of tools: few tokens, with the name of each field, and true of arguments and answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from pydantic import BaseModel

import chunkwright as cw
from chunkwright.server.mcp.schemas import answer_schema, arguments_schema
from chunkwright.server.mcp.tools import TOOLS, Tool

jsonschema = pytest.importorskip("jsonschema", reason="checks schemas")

# What hosts put into each request, for all tools together.
MOST_TOKENS = 2_200


def definition(tool: Tool) -> list[str]:
    """Return the parts of a tool's definition as they go over the wire."""
    schemas = (arguments_schema(tool.request), answer_schema(tool.answer))
    texts = (json.dumps(each, separators=(",", ":"), ensure_ascii=False) for each in schemas)
    return [tool.name, tool.about, *texts]


def test_the_definitions_of_all_tools_take_few_tokens() -> None:
    count = cw.Tokenizer("cl100k_base").count
    assert sum(count(part) for tool in TOOLS for part in definition(tool)) <= MOST_TOKENS


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_each_argument_is_there_and_told(tool: Tool) -> None:
    schema = arguments_schema(tool.request)
    jsonschema.Draft202012Validator.check_schema(schema)
    fields = tool.request.model_fields
    assert set(schema["properties"]) == set(fields)
    needed = [name for name, field in fields.items() if field.is_required()]
    assert schema.get("required", []) == needed
    for name, said in schema["properties"].items():
        assert set(said) & {"type", "enum"}, name
        assert said.get("type") != "array" or said["items"], name
        # What the instructions say of all tools need not be said again.
        assert said.get("description") or name in {"offset", "max_tokens"}, name


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_defaults_are_what_the_schema_allows(tool: Tool) -> None:
    schema = arguments_schema(tool.request)
    for name, said in schema["properties"].items():
        default = tool.request.model_fields[name].get_default(call_default_factory=True)
        if "default" in said:
            assert said["default"] == default
        if default is not None and name not in schema.get("required", []):
            jsonschema.validate(default, said)


def shapes(of: Any) -> Iterator[type[BaseModel]]:
    if isinstance(of, type) and issubclass(of, BaseModel):
        yield of
        return
    for part in get_args(of):
        yield from shapes(part)


def names(schema: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    """Return the names of the fields of a schema of an answer, with those within."""
    while "$ref" in schema or "items" in schema:
        at = schema.get("$ref", "").removeprefix("#/").split("/")
        schema = schema.get("items", whole) if "items" in schema else whole
        for part in at if at != [""] else ():
            schema = schema[part]
    plain: dict[str, Any] = {name: {} for name in schema.get("required", ())}
    return plain | {name: names(at, whole) for name, at in schema.get("properties", {}).items()}


def fields(shape: type[BaseModel]) -> dict[str, Any]:
    return {
        name: next((fields(each) for each in shapes(field.annotation)), {})
        for name, field in shape.model_fields.items()
    }


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_each_field_of_an_answer_is_named(tool: Tool) -> None:
    schema = answer_schema(tool.answer)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert names(schema, schema) == fields(tool.answer)


def test_an_answer_with_another_word_or_without_a_field_does_not_fit() -> None:
    (verify,) = (tool for tool in TOOLS if tool.name == "verify_quote")
    schema = answer_schema(verify.answer)
    right = {"verdict": "missing", "is_verbatim": False, "is_current": False, "places": []}
    right |= {"nearest": None, "quoted": None, "stands": None}
    jsonschema.validate(right, schema)
    for wrong in (
        right | {"verdict": "perhaps"},
        {name: value for name, value in right.items() if name != "is_current"},
        right | {"nearest": {"document": "a.md"}},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)
