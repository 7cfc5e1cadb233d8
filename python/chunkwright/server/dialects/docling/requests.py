"""Requests of docling-serve's routes, as JSON has them, and the jobs that they ask for."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from chunkwright.server.bodies.uploads import plain_name
from chunkwright.server.problems import Problem

from .options import AnyChunker, ConvertOptions, HierarchicalOptions, HybridOptions, Strict

_NO_STORAGE = (
    "target presigned_url needs artifact storage to be configured, and this service has none:"
    " ask for inbody or zip"
)
_UNNAMED = "document"
_STORED = ("s3", "azure_blob", "google_cloud_storage", "google_drive", "put")


class FileSource(Strict):
    """A file in the request itself."""

    kind: Literal["file"]
    base64_string: str
    filename: Annotated[str, Field(min_length=1, max_length=4096)]


class HttpSource(Strict):
    """A file that the service fetches."""

    kind: Literal["http"]
    url: Annotated[str, Field(min_length=1, max_length=4096)]
    headers: dict[str, str] = Field(default_factory=dict)


Sources: TypeAlias = Annotated[
    list[Annotated[FileSource | HttpSource, Field(discriminator="kind")]],
    Field(min_length=1, max_length=1000),
]


class Target(BaseModel):
    """Where the answer goes; only of the first two kinds there are any here."""

    # The error names the kind alone: the other fields of a target say where it is.
    model_config: ClassVar[ConfigDict] = ConfigDict(extra="allow")

    kind: str


class _Request(Strict):
    sources: Sources
    target: Target = Target(kind="inbody")
    callbacks: list[Any] = Field(default_factory=list, max_length=0)


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


class Source(NamedTuple):
    """A document as a job has it.

    Attributes
    ----------
    name
        What it is called, a folder left out.
    data
        Its bytes; of one that is fetched, none yet.
    url
        Where it is fetched from; None if it is here.
    headers
        Headers with which it is fetched.
    """

    name: str
    data: bytes
    url: str | None = None
    headers: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ConversionJob:
    """What a request asks for, whichever route it came by.

    Parameters
    ----------
    sources
        The documents.
    convert
        How they are read, and what a conversion gives.
    chunker
        What cuts them; None: they are converted.
    include_converted_doc
        Whether the answer has the documents beside the chunks.
    target
        Whether the answer is JSON or an archive.
    at
        What stands before the names of the chunker's options in the request.
    """

    sources: tuple[Source, ...]
    convert: ConvertOptions
    chunker: AnyChunker | None = None
    include_converted_doc: bool = False
    target: Literal["inbody", "zip"] = "inbody"
    at: str = "chunking_options."

    @property
    def cuts(self) -> AnyChunker | None:
        """The chunker whose chunks the answer has, whichever route asked for them."""
        if self.chunker is not None:
            return self.chunker
        return self.convert.chunker if "chunks" in self.convert.to_formats else None

    def packed(self) -> bytes:
        """Return the job as bytes, for a task: a line of JSON, and then what the sources hold."""
        head = {
            "sources": [
                [item.name, len(item.data), item.url, dict(item.headers)] for item in self.sources
            ],
            "convert": self.convert.model_dump(mode="json"),
            "chunker": None if self.chunker is None else self.chunker.model_dump(mode="json"),
            "include_converted_doc": self.include_converted_doc,
            "target": self.target,
        }
        return b"".join([json.dumps(head).encode(), b"\n", *(item.data for item in self.sources)])


def unpacked_job(packed: bytes) -> ConversionJob:
    """Return the job that `Job.packed` made bytes of."""
    line, _, rest = packed.partition(b"\n")
    head = json.loads(line)
    sources, start = [], 0
    for name, size, url, headers in head["sources"]:
        sources.append(Source(name, rest[start : start + size], url, headers))
        start += size
    chunker = head["chunker"]
    kinds: dict[str, Any] = {"hybrid": HybridOptions, "hierarchical": HierarchicalOptions}
    return ConversionJob(
        tuple(sources),
        ConvertOptions.model_validate(head["convert"]),
        None if chunker is None else kinds[chunker["chunker"]].model_validate(chunker),
        head["include_converted_doc"],
        head["target"],
    )


def job_of(request: ConvertRequest | HybridRequest | HierarchicalRequest) -> ConversionJob:
    """Return the job that a body of JSON asks for.

    Raises
    ------
    Problem
        If its target is none that there is, or a file's base64 is none.
    """
    sources = tuple(_source(i, each) for i, each in enumerate(request.sources))
    target = checked_target(request.target.kind, "target.kind")
    for name in request.target.model_extra or ():
        message = "Extra inputs are not permitted"
        raise Problem(422, "extra_forbidden", message, field=f"target.{name}")
    if isinstance(request, ConvertRequest):
        return ConversionJob(
            sources, request.options, target=target, at="options.chunking_options."
        )
    check_unused(request.convert_options, "convert_options.")
    return ConversionJob(
        sources,
        request.convert_options,
        request.chunking_options,
        request.include_converted_doc,
        target,
    )


def check_unused(options: ConvertOptions, at: str) -> None:
    """Refuse options of a chunker in the options of a conversion, beside those of the route.

    Raises
    ------
    Problem
        If there are any; names the field.
    """
    for field in ("chunking_options", "chunking_preset"):
        if getattr(options, field) is not None:
            message = "this route has its own options of the chunker"
            raise Problem(422, "invalid_value", message, field=f"{at}{field}")


def checked_target(kind: str, field: str) -> Literal["inbody", "zip"]:
    """Return the target of a request.

    Raises
    ------
    Problem
        If it is none that there is.
    """
    if kind == "presigned_url":
        # docling-serve's client reads these words, and then asks for another target.
        raise Problem(422, "no_artifact_storage", _NO_STORAGE)
    if kind == "inbody":
        return "inbody"
    if kind == "zip":
        return "zip"
    known = "this service writes to no storage" if kind in _STORED else f"unknown target {kind!r}"
    raise Problem(422, "invalid_value", f"{known}: ask for inbody or zip", field=field)


def _source(i: int, source: FileSource | HttpSource) -> Source:
    if isinstance(source, HttpSource):
        name = source.url.partition("?")[0].partition("#")[0].rstrip("/").rpartition("/")[2]
        return Source(plain_name(name) or _UNNAMED, b"", source.url, source.headers)
    try:
        data = base64.b64decode("".join(source.base64_string.split()), validate=True)
    except (binascii.Error, ValueError):
        at = f"sources.{i}.base64_string"
        raise Problem(422, "invalid_value", "this is no base64", field=at) from None
    return Source(plain_name(source.filename) or _UNNAMED, data)
