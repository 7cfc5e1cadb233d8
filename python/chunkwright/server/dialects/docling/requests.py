"""Requests of docling-serve's routes, as JSON has them, of its first API, too."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, ClassVar, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from .ignored import Ignored, unknown_fields
from .options import ConvertOptions, Fields, HierarchicalOptions, HybridOptions
from .refusals import Invalid, details

_MOST_SOURCES = 1000

ModelT = TypeVar("ModelT", bound=BaseModel)


class FileSource(Fields):
    """A file in the request itself."""

    kind: Literal["file"]
    base64_string: str
    filename: Annotated[str, Field(min_length=1, max_length=4096)]


class HttpSource(Fields):
    """A file that the service fetches."""

    kind: Literal["http"]
    url: Annotated[str, Field(min_length=1, max_length=4096)]
    headers: dict[str, str] = Field(default_factory=dict)


AnySource: TypeAlias = Annotated[FileSource | HttpSource, Field(discriminator="kind")]
Sources: TypeAlias = Annotated[list[AnySource], Field(min_length=1, max_length=_MOST_SOURCES)]


class Target(BaseModel):
    """Where the answer goes."""

    # Fields of a storage that is not there say where it is: the error names the kind alone.
    model_config: ClassVar[ConfigDict] = ConfigDict(extra="allow")

    kind: str
    url: str | None = None


class CallbackSpec(Fields):
    """Who is told how far a job is."""

    url: Annotated[str, Field(min_length=1, max_length=4096)]
    headers: dict[str, str] = Field(default_factory=dict)
    ca_cert: str = ""


Callbacks: TypeAlias = Annotated[list[CallbackSpec], Field(max_length=10)]


class _Request(Fields):
    sources: Sources
    target: Target = Target(kind="inbody")
    callbacks: Callbacks = Field(default_factory=list)


class ConvertRequest(_Request):
    """Body of ``/v1/convert/source``."""

    options: ConvertOptions = ConvertOptions()


class _ChunkRequest(_Request):
    convert_options: ConvertOptions = ConvertOptions()
    include_converted_doc: bool = False


class HybridRequest(_ChunkRequest):
    """Body of ``/v1/chunk/hybrid/source``."""

    chunking_options: HybridOptions = HybridOptions()


class HierarchicalRequest(_ChunkRequest):
    """Body of ``/v1/chunk/hierarchical/source``."""

    chunking_options: HierarchicalOptions = HierarchicalOptions()


class BatchRequest(Fields):
    """Body of ``/v1/convert/source/batch``, as far as it says where results go."""

    target: Target | None = None
    targets: list[Target] | None = None


AnyRequest: TypeAlias = ConvertRequest | HybridRequest | HierarchicalRequest


def _of_kind(kind: str) -> BeforeValidator:
    """Give sources the kind that the old field's name says."""
    return BeforeValidator(lambda value: {"kind": kind, **value} if type(value) is dict else value)


class _OldOptions(ConvertOptions):
    return_as_file: bool = False


class OldRequest(Fields):
    """Body of ``/v1alpha/convert/source``, as version 0 of docling-serve had it."""

    options: _OldOptions = _OldOptions()
    file_sources: list[Annotated[FileSource, _of_kind("file")]] = Field(default_factory=list)
    http_sources: list[Annotated[HttpSource, _of_kind("http")]] = Field(default_factory=list)

    def renewed(self) -> ConvertRequest:
        """Return the same as version 1 has it.

        Raises
        ------
        Invalid
            If it names no source.
        """
        sources: list[FileSource | HttpSource] = [*self.file_sources, *self.http_sources]
        if not 0 < len(sources) <= _MOST_SOURCES:
            message = f"Give from 1 to {_MOST_SOURCES} file_sources or http_sources"
            raise Invalid([{"loc": ["body", "file_sources"], "msg": message, "type": "missing"}])
        target = Target(kind="zip" if self.options.return_as_file else "inbody")
        return ConvertRequest(sources=sources, options=self.options, target=target)


_REFERENCE = "#/$defs/"


@cache
def _schema_of(shape: type[BaseModel]) -> dict[str, Any]:
    # Without the cache, these are a third of the time that making a service takes.
    return shape.model_json_schema()


def inlined(shape: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of a shape, with what it refers to in the places where it does."""
    schema = dict(_schema_of(shape))
    definitions = schema.pop("$defs", {})

    def filled(value: Any) -> Any:
        if isinstance(value, list):
            return [filled(inner) for inner in value]
        if not isinstance(value, dict):
            return value
        if (reference := value.get("$ref")) is not None:
            return filled(definitions[reference.removeprefix(_REFERENCE)])
        # A discriminator would refer to definitions that have been resolved.
        return {key: filled(inner) for key, inner in value.items() if key != "discriminator"}

    found: dict[str, Any] = filled(schema)
    return found


def validated(
    kind: type[ModelT], values: Any, names: dict[str, str] | None = None
) -> tuple[ModelT, list[Ignored]]:
    """Return a model of values, or of the bytes of JSON, and what it does not know.

    Parameters
    ----------
    kind
        The model.
    values
        Its values; or bytes of JSON.
    names
        What fields are called in the request, where that is something else.

    Raises
    ------
    Invalid
        If a value is wrong; names each.
    """
    try:
        found = _made(kind, values, "allow")
        unknown = list(unknown_fields(found))
        # Only what is known goes on: a job is written down, and an archive repeats its options.
        return (_made(kind, values, None) if unknown else found), unknown
    except ValidationError as error:
        raise Invalid(details(error, names or {})) from None


def _made(kind: type[ModelT], values: Any, extra: Literal["allow"] | None) -> ModelT:
    if isinstance(values, bytes):
        return kind.model_validate_json(values, extra=extra)
    return kind.model_validate(values, extra=extra)
