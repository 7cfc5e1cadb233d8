"""Descriptions of services in OpenAPI 3.0, made of those in 3.1."""

from __future__ import annotations

from typing import Any

VERSION = "3.0.3"
_NULL = {"type": "null"}
# Words of JSON Schema that 3.0 does not know.
_NEWER = frozenset(
    {"$defs", "$schema", "const", "contentEncoding", "contentMediaType", "examples"}
    | {"exclusiveMaximum", "exclusiveMinimum", "patternProperties", "prefixItems", "propertyNames"}
)
# Fields whose keys are names, and no words of the schema.
_NAMING = frozenset({"properties", "paths", "responses", "schemas", "mapping", "headers"})


def in_version_3_0(described: dict[str, Any]) -> dict[str, Any]:
    """Return a description of version 3.1 as one of 3.0.

    Examples
    --------
    >>> either = {"anyOf": [{"type": "integer", "exclusiveMinimum": 0}, {"type": "null"}]}
    >>> in_version_3_0({"openapi": "3.1.0", "x": either})["x"]
    {'type': 'integer', 'minimum': 0, 'exclusiveMinimum': True, 'nullable': True}
    """
    made: dict[str, Any] = _older(described)
    info = {key: value for key, value in made.get("info", {}).items() if key != "summary"}
    return {**made, "openapi": VERSION, "info": info}


def _older(value: Any) -> Any:
    if isinstance(value, list):
        return [_older(each) for each in value]
    if not isinstance(value, dict):
        return value
    made = {
        key: _named(inner) if key in _NAMING else _older(inner)
        for key, inner in value.items()
        if key not in _NEWER
    }
    _add_older_words(value, made)
    return _without_null(made)


def _named(value: Any) -> Any:
    """Return schemas by names, which may be words of the schema, too."""
    if not isinstance(value, dict):
        return _older(value)
    return {name: _older(inner) for name, inner in value.items()}


def _add_older_words(value: dict[str, Any], made: dict[str, Any]) -> None:
    if "const" in value:
        made.setdefault("enum", [value["const"]])
    for newer, older in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        bound = value.get(newer)
        if isinstance(bound, int | float) and not isinstance(bound, bool):
            made |= {older: bound, newer: True}
    if value.get("type") == "array":
        made.setdefault("items", {})
    if value.get("contentMediaType") == "application/octet-stream":
        made.setdefault("format", "binary")


def _without_null(made: dict[str, Any]) -> dict[str, Any]:
    """Return a schema that says of null that it may be, in the place of a type of its own."""
    kind = made.get("type")
    if isinstance(kind, list):
        kinds = [each for each in kind if each != "null"]
        made = {key: inner for key, inner in made.items() if key != "type"}
        if len(kinds) == 1:
            made["type"] = kinds[0]
        else:
            made["anyOf"] = [{"type": each} for each in kinds]
        return made | ({"nullable": True} if "null" in kind else {})
    for word in ("anyOf", "oneOf"):
        choices = made.get(word)
        if isinstance(choices, list) and _NULL in choices:
            left = [each for each in choices if each != _NULL]
            rest = {key: inner for key, inner in made.items() if key != word}
            one = left[0] if len(left) == 1 and "$ref" not in left[0] else {word: left}
            return {**one, **rest, "nullable": True}
    return made
