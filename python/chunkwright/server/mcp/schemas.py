"""Schemas of tools in few tokens: what a model needs to call them, and to read their answers.

Hosts put the definitions of all tools into each request, so each word is paid for again and again.
What is left out is still checked when a tool is called, and refused with a message that helps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chunkwright.server.schemas.store import ABOUT_MAX_TOKENS, ABOUT_OFFSET

if TYPE_CHECKING:
    from pydantic import BaseModel

_KEPT = ("type", "enum", "items", "default", "description")
_NOTHING: tuple[Any, ...] = (None, 0, "", [], {})
# What the instructions of the server say of all tools.
_SAID = {"max_tokens": ABOUT_MAX_TOKENS, "offset": ABOUT_OFFSET}


def arguments_schema(shape: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of a tool's arguments: their types, values and descriptions."""
    full = shape.model_json_schema(mode="validation")
    known = full.get("$defs", {})
    properties = {name: _argument(each, known) for name, each in full["properties"].items()}
    for name in properties.keys() & _SAID.keys():
        if properties[name].get("description") == _SAID[name]:
            properties[name].pop("description")
    needed = {"required": full["required"]} if full.get("required") else {}
    return {"type": "object", "properties": properties, **needed}


def _argument(schema: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an argument; that it may be null goes without saying if it is so."""
    found = {**_resolved(schema, known)}
    choices = [_resolved(each, known) for each in found.pop("anyOf", [])]
    is_nullable = any(each.get("type") == "null" for each in choices)
    others = [each for each in choices if each.get("type") != "null"]
    if len(others) == 1:
        found = {**others[0], **found}
    if is_nullable and found.get("default") is not None and "enum" in found:
        found["enum"] = [*found["enum"], None]
    kept = {name: found[name] for name in _KEPT if name in found}
    if "enum" in kept:
        kept.pop("type", None)
    if "items" in kept:
        kept["items"] = _argument(kept["items"], known)
    if kept.get("default") in _NOTHING:
        kept.pop("default", None)
    return kept


def answer_schema(shape: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of a tool's answer: the names of its fields, and what is within them.

    A field whose name says it all is required and no more. Lists and objects say what they hold,
    a shape that comes twice by a reference to the first place, and words of which an answer has one
    are listed.
    """
    full = shape.model_json_schema(mode="serialization")
    return {"type": "object", **_Answer(full.get("$defs", {})).fields(full, "#", is_outer=True)}


class _Answer:
    """Shapes of one answer, and where each stands first."""

    def __init__(self, known: dict[str, Any]) -> None:
        self._known = known
        self._places: dict[str, str] = {}

    def fields(
        self, schema: dict[str, Any], place: str, *, is_outer: bool = False
    ) -> dict[str, Any]:
        """Return the names of the fields of an object, and what is to be said of each."""
        told, plain = {}, []
        for name, each in schema["properties"].items():
            said = self._within(each, f"{place}/properties/{name}", is_outer=is_outer)
            if said:
                told[name] = said
            else:
                plain.append(name)
        return {**({"properties": told} if told else {}), **({"required": plain} if plain else {})}

    def _within(self, schema: dict[str, Any], place: str, *, is_outer: bool) -> dict[str, Any]:
        """Return what is to be said of a field beside its name; empty for nothing."""
        # What is said of the fields of an object, or of items, is true of those alone: of null,
        # nothing is said.
        choices = [each for each in schema.get("anyOf", []) if each.get("type") != "null"]
        if "anyOf" in schema:
            return self._within(choices[0], place, is_outer=False) if len(choices) == 1 else {}
        if "enum" in schema:
            return {"enum": schema["enum"]} if is_outer else {}
        if "items" in schema:
            said = self._within(schema["items"], f"{place}/items", is_outer=is_outer)
            return {"items": said} if said else {}
        reference = schema.get("$ref", "")
        if reference in self._places:
            return {"$ref": self._places[reference]}
        found = _resolved(schema, self._known)
        if "properties" not in found:
            return {}
        if reference:
            self._places[reference] = place
        return self.fields(found, place)


def _resolved(schema: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    reference = schema.get("$ref")
    if reference is None:
        return schema
    of = known[reference.removeprefix("#/$defs/")]
    return {**of, **{name: value for name, value in schema.items() if name != "$ref"}}
