"""Forms of docling-serve's file routes, and the jobs that they ask for."""

from __future__ import annotations

import json
from typing import Any, TypeVar, get_args, get_origin

from pydantic import BaseModel

from chunkwright.server.bodies.uploads import Form, Upload
from chunkwright.server.problems import Problem
from chunkwright.server.schemas.openapi import FILE

from .ignored import Ignored, as_unknown, undone
from .jobs import (
    Callback,
    ConversionJob,
    Source,
    callbacks_of,
    checked_target,
    referenced_in_body,
    unused,
)
from .options import AnyChunker, ConvertOptions
from .requests import CallbackSpec, Target, inlined, validated

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
        conversion do with ``convert_``, or have no prefix; None: the route converts, and no field
        has a prefix.

    Raises
    ------
    Problem
        If there is no file, or a field has a value that it cannot have.
    """
    fields = _Fields(form)
    target = checked_target(Target(kind=fields.one("target_type", "inbody")), "target_type")
    callbacks = fields.callbacks()
    sources = _sources(form.files, fields.ignored)
    if chunker is None:
        convert = fields.options(ConvertOptions, "")
        prefix = ""
        cut: dict[str, Any] = {"at": "chunking_options."}
    else:
        prefix = "convert_"
        cut = {
            "include_converted_doc": fields.flag("include_converted_doc"),
            # Before the conversion's: both have fields that begin alike.
            "chunker": fields.options(chunker, "chunking_"),
            "at": "chunking_",
        }
        convert = fields.options(ConvertOptions, prefix)
        fields.ignored += unused(convert, (), prefix)
    fields.leave_unknown()
    fields.ignored += undone(convert, (), prefix=prefix)
    fields.ignored += referenced_in_body(convert, target, (f"{prefix}image_export_mode",))
    ignored = tuple(fields.ignored)
    shared: dict[str, Any] = {
        "target": target,
        "callbacks": callbacks,
        "ignored": ignored,
        "options_at": prefix,
    }
    return ConversionJob(tuple(sources), convert, **shared, **cut)


def form_schema(chunker: type[AnyChunker] | None) -> dict[str, Any]:
    """Return the schema of a form: files, and the options of the route's chunker if any."""
    fields: dict[str, Any] = {
        "files": {"type": "array", "items": FILE, "minItems": 1},
        "target_type": {"type": "string", "enum": ["inbody", "zip"], "default": "inbody"},
        "callbacks": {"type": "array", "items": {"type": "string"}},
    }
    if chunker is None:
        fields |= _schemas(ConvertOptions, "")
    else:
        fields |= _schemas(ConvertOptions, "convert_") | _schemas(chunker, "chunking_")
        fields["include_converted_doc"] = {"type": "boolean", "default": False}
    return {"type": "object", "properties": fields, "required": ["files"]}


def _schemas(kind: type[BaseModel], prefix: str) -> dict[str, Any]:
    return {f"{prefix}{name}": schema for name, schema in inlined(kind)["properties"].items()}


def _sources(files: list[Upload], ignored: list[Ignored]) -> list[Source]:
    ignored += [as_unknown(file.field) for file in files if file.field != "files"]
    taken = [file for file in files if file.field == "files"]
    if not taken:
        raise Problem(422, "missing", "Field required", field="files")
    return [Source(file.name or f"file_{i}", file.data) for i, file in enumerate(taken)]


class _Fields:
    """Fields of a form, taken one after the other, and those that are ignored."""

    def __init__(self, form: Form) -> None:
        self._left = {name: each for name, each in form.fields.items() if each != [""]}
        self.ignored: list[Ignored] = []

    def one(self, name: str, usual: str) -> str:
        """Take a field that is there once."""
        return self._last(name, self._left.pop(name, [usual]))

    def flag(self, name: str) -> bool:
        """Take a field that says yes or no."""
        value = self.one(name, "false").lower()
        if value not in _TRUE | _FALSE:
            message = "Input should be a valid boolean, unable to interpret input"
            raise Problem(422, "invalid_value", message, field=name)
        return value in _TRUE

    def callbacks(self) -> tuple[Callback, ...]:
        """Take the callbacks: each an address, or an object as JSON has it."""
        specs = []
        for value in self._left.pop("callbacks", []):
            is_object = value.lstrip().startswith("{")
            given: Any = value.encode() if is_object else {"url": value}
            spec, unknown = validated(CallbackSpec, given, {"url": "callbacks"})
            self.ignored += [each._replace(location=("callbacks",)) for each in unknown]
            specs.append(spec)
        found, ignored = callbacks_of(specs)
        self.ignored += ignored
        return found

    def options(self, kind: type[OptionsT], prefix: str) -> OptionsT:
        """Take the options of a kind, with the prefix or without."""
        values, names = {}, {}
        for name, known in kind.model_fields.items():
            said = next((each for each in (f"{prefix}{name}", name) if each in self._left), None)
            if said is None or (name == "chunker" and prefix):
                continue
            names[name] = said
            values[name] = self._value(said, self._left.pop(said), known.annotation)
        made, unknown = validated(kind, values, names)
        self.ignored += [
            each._replace(location=(names[str(each.location[0])], *each.location[1:]))
            for each in unknown
        ]
        return made

    def leave_unknown(self) -> None:
        """Note the fields that nobody has taken."""
        self.ignored += [as_unknown(name) for name in self._left]
        self._left.clear()

    def _last(self, name: str, values: list[str]) -> str:
        if len(values) > 1:
            why = "it is there more than once, and the last one counts"
            self.ignored.append(Ignored((name,), "invalid_value", why))
        return values[-1]

    def _value(self, said: str, values: list[str], annotation: Any) -> Any:
        """Return what a field says: a list, a text, or the JSON of an object."""
        if _is_list(annotation):
            return _items(values) if get_origin(annotation) is not tuple else values
        value = self._last(said, values)
        if value.lstrip().startswith("{") and annotation is not str:
            try:
                return json.loads(value)
            except (ValueError, RecursionError):
                raise Problem(422, "invalid_value", "Invalid JSON", field=said) from None
        return value


def _items(values: list[str]) -> list[str]:
    """Return the items of a list that is said by repeated fields, as JSON, or with commas."""
    if len(values) > 1:
        return values
    text = values[0].strip()
    if text.startswith("["):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            return values
        return found if isinstance(found, list) else values
    return [each.strip() for each in text.split(",")]


def _is_list(annotation: Any) -> bool:
    origin = get_origin(annotation)
    return origin in {list, tuple} or any(map(_is_list, get_args(annotation)))
