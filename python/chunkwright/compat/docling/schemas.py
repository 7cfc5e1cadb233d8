"""Validators and serializers of docling-core's models that give the same in less steps.

They are made of the schemas that pydantic made of the models' classes. What a schema says is kept,
with three changes that no result shows:

- An empty list that is a default value is made anew, where pydantic copies it with `copy.deepcopy`.
- Of the classes that an item may have, only those are tried that its label allows. Where that
  fails, pydantic's own validator is asked, whose error names all classes.
- A serializer for the core leaves out functions in Python that round no number, and that drop lists
  which are empty.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import SchemaSerializer, SchemaValidator

from .peer import DocItem, DoclingDocument

# What a validator of a model may be inside of, so that it sees the label as it is in the input.
_TRANSPARENT = {"model", "function-after", "default", "nullable"}


def document_of(json: str | bytes) -> DoclingDocument:
    """Return the document that JSON holds, as ``DoclingDocument.model_validate_json`` does.

    Raises
    ------
    ValidationError
        If it holds none; pydantic's own.
    """
    try:
        document: DoclingDocument = _document_validator().validate_json(json)
    except ValidationError:
        document = DoclingDocument.model_validate_json(json)
    return document


def bare_items(json: str) -> list[DocItem]:
    """Return items of what all items have in common, of the JSON of a list of them."""
    items: list[DocItem] = _bare_validator().validate_json(json)
    return items


@cache
def item_serializer(cls: Any) -> SchemaSerializer:
    """Make what writes an item of a pydantic model's class for the core.

    Lists of sources and comments are written if they are empty, too.
    """
    made: SchemaSerializer = _made(
        SchemaSerializer, _without_functions(cls.__pydantic_core_schema__)
    )
    return made


@cache
def _document_validator() -> SchemaValidator:
    made: SchemaValidator = _made(SchemaValidator, _quick(DoclingDocument.__pydantic_core_schema__))
    return made


@cache
def _bare_validator() -> SchemaValidator:
    made: SchemaValidator = _made(SchemaValidator, _quick(TypeAdapter(list[DocItem]).core_schema))
    return made


def _made(make: Any, schema: Any) -> Any:
    try:
        # Else pydantic takes what it has made of the classes inside, with all of its steps.
        return make(schema, _use_prebuilt=False)
    except TypeError:  # a version without that argument: the result is the same
        return make(schema)


def _quick(schema: Any) -> Any:
    """Return a schema whose validator gives the same in less steps."""
    if isinstance(schema, list | tuple):
        return type(schema)(map(_quick, schema))
    if not isinstance(schema, dict):
        return schema
    quick = {key: value if key == "metadata" else _quick(value) for key, value in schema.items()}
    if quick.get("type") == "default" and quick.get("default") == [] and _is_list(quick):
        del quick["default"]
        quick |= {"default_factory": list, "default_factory_takes_data": False}
    if quick.get("type") == "union" and (choices := _by_label(quick)):
        keys = ("ref", "metadata", "serialization")
        kept = {key: quick[key] for key in keys if key in quick}
        return {"type": "tagged-union", "discriminator": "label", "choices": choices, **kept}
    return quick


def _is_list(schema: dict[str, Any]) -> bool:
    return type(schema["default"]) is list


def _by_label(union: dict[str, Any]) -> dict[str, Any] | None:
    """Return the choices of a union by the labels that they allow; None if these are not told."""
    allowed: dict[str, list[Any]] = {}
    for choice in union["choices"]:
        labels = _labels(choice)
        if labels is None:
            return None
        for label in labels:
            allowed.setdefault(label, []).append(choice)
    return {
        label: choices[0] if len(choices) == 1 else union | {"choices": choices}
        for label, choices in allowed.items()
    }


def _labels(schema: Any) -> list[str] | None:
    """Return the labels that a model's field takes; None if it has none, or changes them before."""
    while isinstance(schema, dict) and schema.get("type") in _TRANSPARENT:
        schema = schema["schema"]
    if not isinstance(schema, dict) or schema.get("type") != "model-fields":
        return None
    field = schema["fields"].get("label", {}).get("schema")
    while isinstance(field, dict) and field.get("type") in _TRANSPARENT:
        field = field["schema"]
    if not isinstance(field, dict) or field.get("type") != "literal":
        return None
    return [str(getattr(value, "value", value)) for value in field["expected"]]


def _without_functions(schema: Any) -> Any:
    """Return a schema whose serializer calls no function of docling-core's that changes nothing."""
    if isinstance(schema, list | tuple):
        return type(schema)(map(_without_functions, schema))
    if not isinstance(schema, dict):
        return schema
    return {
        key: value if key == "metadata" else _without_functions(value)
        for key, value in schema.items()
        if key != "serialization" or not _changes_nothing(value)
    }


def _changes_nothing(serialization: dict[str, Any]) -> bool:
    return serialization.get("function") in set(_idle_functions())


def _idle_functions() -> Iterator[Any]:
    """Yield what rounds numbers only if it is told to, and what drops lists that are empty."""
    from docling_core.types.doc.base import BoundingBox, Size

    own = DocItem._custom_pydantic_serialize, BoundingBox._serialize, Size._serialize  # noqa: SLF001 - the peer's
    yield from own
