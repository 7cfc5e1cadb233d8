"""Fields that a request has and this service ignores: unknown ones, and work that is not done."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

from pydantic import BaseModel

from .options import ENGINES, ConvertOptions
from .writing.formats import CHUNKS, FORMATS

Location: TypeAlias = tuple[str | int, ...]

# Of the name of a field, so much is repeated.
_SHOWN = 100


class Ignored(NamedTuple):
    """A field that is ignored.

    Attributes
    ----------
    location
        Where it stands in the request.
    code
        ``"extra_forbidden"`` if there is no such field, else ``"not_supported"``.
    why
        What becomes of it.
    """

    location: Location
    code: str
    why: str

    @property
    def text(self) -> str:
        """What a client is told."""
        return f"{'.'.join(map(str, self.location))[:_SHOWN]} is ignored: {self.why}"

    @property
    def detail(self) -> dict[str, Any]:
        """What a client is told whose request is refused for it."""
        return {"loc": ["body", *self.location], "msg": self.why, "type": self.code}


_UNKNOWN = "there is no such field"
_NO_MODEL = "this service has no such model"
_NO_CHOICE = "this service has no other way to choose from"

# Values that are honoured, of fields of which others are not, and why not.
_HONOURED: dict[str, tuple[tuple[object, ...], str]] = {
    "pipeline": (("standard", "legacy", "native"), "documents are read by the standard pipeline"),
    "do_table_structure": ((True,), "tables are always read as tables"),
    "include_page_images": ((False,), "pages are given without pictures of them"),
    "ocr_custom_config": ((None,), _NO_CHOICE),
    "do_code_enrichment": ((False,), _NO_MODEL),
    "do_formula_enrichment": ((False,), _NO_MODEL),
    "do_picture_classification": ((False,), _NO_MODEL),
    "do_picture_description": ((False,), _NO_MODEL),
    "do_chart_extraction": ((False,), _NO_MODEL),
    "picture_description_local": ((None,), _NO_MODEL),
    "picture_description_api": ((None,), "this service asks no model elsewhere"),
    "vlm_pipeline_model": ((None,), _NO_MODEL),
    "vlm_pipeline_model_local": ((None,), _NO_MODEL),
    "vlm_pipeline_model_api": ((None,), "this service asks no model elsewhere"),
}
for _name in ConvertOptions.model_fields:
    if _name.endswith(("_preset", "_custom_config")) and _name not in _HONOURED:
        _no = _NO_MODEL if _name.startswith(("vlm", "picture")) else _NO_CHOICE
        _HONOURED[_name] = (None, "default"), _no


def unknown_fields(model: BaseModel, at: Location = ()) -> Iterator[Ignored]:
    """Yield the unknown fields of a request, at every level.

    Parameters
    ----------
    model
        The request, validated with ``extra="allow"``.
    at
        Where it stands.
    """
    for name in model.model_extra or ():
        yield Ignored((*at, name), "extra_forbidden", _UNKNOWN)
    for name in type(model).model_fields:
        value = getattr(model, name)
        for location, inner in _models(value, (*at, name)):
            yield from unknown_fields(inner, location)


def _models(value: object, at: Location) -> Iterator[tuple[Location, BaseModel]]:
    if isinstance(value, BaseModel):
        yield at, value
    elif isinstance(value, list):
        for i, each in enumerate(value):
            yield from _models(each, (*at, i))


def undone(options: ConvertOptions, at: Location, *, prefix: str = "") -> Iterator[Ignored]:
    """Yield the options of a conversion that ask for what is not done.

    Parameters
    ----------
    options
        The options.
    at
        Where they stand.
    prefix
        What stands before the names of fields in a form.
    """
    for name in sorted(options.model_fields_set):
        why = _why_not(options, name)
        if why is not None:
            yield Ignored((*at, f"{prefix}{name}"), "not_supported", why)


def _why_not(options: ConvertOptions, name: str) -> str | None:
    value = getattr(options, name)
    if name == "to_formats":
        missing = [each for each in value if each not in FORMATS and each != CHUNKS]
        return f"{', '.join(missing)} cannot be written here" if missing else None
    if name in _HONOURED and name not in {"ocr_preset", "chunking_preset"}:
        honoured, why = _HONOURED[name]
        return None if value in honoured else why
    return None


def other_engine(options: ConvertOptions) -> str | None:
    """Return the warning that the engine of OCR is another one than was named; else None."""
    if not options.do_ocr or options.engine in ENGINES:
        return None
    return f"the engine {options.engine!r} is not there: the default one recognises in its place"


def as_unknown(name: str | int, *at: str | int) -> Ignored:
    """Return a field as ignored that docling-serve does not know."""
    return Ignored((*at, name), "extra_forbidden", _UNKNOWN)
