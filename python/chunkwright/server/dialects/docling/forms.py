"""Forms of docling-serve's file routes: fields as jobs, and what is wrong with them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError

from chunkwright.server.bodies.uploads import Form, Upload
from chunkwright.server.problems import Problem

from .options import AnyChunker, ConvertOptions
from .requests import ConversionJob, Source, check_unused, checked_target

ModelT = TypeVar("ModelT", bound=BaseModel)

_MOST = 50


class Invalid(Problem):
    """What is wrong with the fields of a request.

    Parameters
    ----------
    details
        Of each error ``loc``, ``msg`` and ``type``.
    """

    def __init__(self, details: list[dict[str, Any]]) -> None:
        first = details[0]
        at = ".".join(str(part) for part in first["loc"][1:])
        super().__init__(422, "invalid_value", first["msg"], field=at or None)
        self.details = details

    def __reduce__(self) -> tuple[Any, ...]:
        return Invalid, (self.details,)


def validated(kind: type[ModelT], values: Any, *, prefix: str = "") -> ModelT:
    """Return a model of values, or of the bytes of JSON.

    Parameters
    ----------
    kind
        The model.
    values
        Its values; or bytes of JSON.
    prefix
        What stands before the names of fields in a form.

    Raises
    ------
    Invalid
        If a value is wrong, or a field unknown; names each.
    """
    try:
        if isinstance(values, bytes):
            return kind.model_validate_json(values)
        return kind.model_validate(values)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        raise Invalid([_detail(each, prefix) for each in found[:_MOST]]) from None


def _detail(error: Any, prefix: str) -> dict[str, Any]:
    loc = list(error["loc"])
    if loc and prefix:
        loc[0] = f"{prefix}{loc[0]}"
    return {"loc": ["body", *loc], "msg": error["msg"], "type": error["type"]}


def detail_of(problem: Problem) -> str | list[dict[str, Any]]:
    """Return what an answer says of a problem: a list if a field is to blame, else a sentence."""
    if isinstance(problem, Invalid):
        return problem.details
    if problem.field is None:
        return problem.message
    loc = ["body", *(int(part) if part.isdigit() else part for part in problem.field.split("."))]
    return [{"loc": loc, "msg": problem.message, "type": problem.code}]


OptionsT = TypeVar("OptionsT", bound=BaseModel)

_TRUE = frozenset({"true", "1", "yes", "on", "t", "y"})
_FALSE = frozenset({"false", "0", "no", "off", "f", "n"})


def job_of_form(form: Form, chunker: type[AnyChunker] | None) -> ConversionJob:
    """Return the job that a form asks for.

    Parameters
    ----------
    form
        Its files and fields.
    chunker
        The options of the route's chunker, whose fields begin with ``chunking_``, as those of the
        conversion do with ``convert_``; None: the route converts, and no field has a prefix.

    Raises
    ------
    Problem
        If there is no file, or a field is unknown or has a value that it cannot have.
    """
    fields = {name: values for name, values in form.fields.items() if values != [""]}
    target = checked_target(_one(fields, "target_type", "inbody"), "target_type")
    if fields.pop("callbacks", None):
        message = "this service calls nobody back"
        raise Problem(422, "not_supported", message, field="callbacks")
    sources = tuple(_sources(form.files))
    if chunker is None:
        return ConversionJob(sources, _options(fields, ConvertOptions, ""), target=target)
    include = _flag(fields, "include_converted_doc")
    parts = {prefix: _part(fields, prefix) for prefix in ("convert_", "chunking_")}
    if fields:
        raise _unknown(next(iter(fields)))
    convert = _options(parts["convert_"], ConvertOptions, "convert_")
    check_unused(convert, "convert_")
    options = _options(parts["chunking_"], chunker, "chunking_")
    return ConversionJob(sources, convert, options, include, target, at="chunking_")


def _sources(files: list[Upload]) -> list[Source]:
    for file in files:
        if file.field != "files":
            raise _unknown(file.field)
    if not files:
        raise Problem(422, "missing", "Field required", field="files")
    return [Source(file.name or f"file_{i}", file.data) for i, file in enumerate(files)]


def _one(fields: dict[str, list[str]], name: str, usual: str) -> str:
    values = fields.pop(name, [usual])
    if len(values) > 1:
        raise Problem(422, "invalid_value", "the field is there more than once", field=name)
    return values[0]


def _flag(fields: dict[str, list[str]], name: str) -> bool:
    value = _one(fields, name, "false").lower()
    if value not in _TRUE | _FALSE:
        message = "Input should be a valid boolean, unable to interpret input"
        raise Problem(422, "invalid_value", message, field=name)
    return value in _TRUE


def _part(fields: dict[str, list[str]], prefix: str) -> dict[str, list[str]]:
    """Take the fields with a prefix, and return them without it."""
    names = [name for name in fields if name.startswith(prefix)]
    return {name.removeprefix(prefix): fields.pop(name) for name in names}


def _options(fields: Mapping[str, list[str]], kind: type[OptionsT], prefix: str) -> OptionsT:
    values = {
        name: _value(kind, name, values, f"{prefix}{name}") for name, values in fields.items()
    }
    return validated(kind, values, prefix=prefix)


def _value(kind: type[BaseModel], name: str, values: list[str], field: str) -> Any:
    """Return what a field says: a list, a text, or the JSON of an object."""
    known = kind.model_fields.get(name)
    if known is not None and _is_list(known.annotation):
        return values
    if len(values) > 1:
        raise Problem(422, "invalid_value", "the field is there more than once", field=field)
    if known is not None and values[0].lstrip().startswith("{"):
        try:
            return json.loads(values[0])
        except (ValueError, RecursionError):
            raise Problem(422, "invalid_value", "Invalid JSON", field=field) from None
    return values[0]


def _is_list(annotation: Any) -> bool:
    origin = get_origin(annotation)
    return origin in {list, tuple} or any(map(_is_list, get_args(annotation)))


def _unknown(field: str) -> Problem:
    return Problem(422, "extra_forbidden", "Extra inputs are not permitted", field=field)
