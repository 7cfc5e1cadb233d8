"""Jobs: what requests ask for, whichever route they came by, and jobs as bytes for tasks."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias, get_args
from uuid import uuid4

from chunkwright.server.bodies.uploads import plain_name
from chunkwright.server.problems import Problem

from .ignored import Ignored, as_unknown, undone
from .options import AnyChunker, ConvertOptions, HierarchicalOptions, HybridOptions
from .requests import AnyRequest, CallbackSpec, ConvertRequest, FileSource, HttpSource, Target
from .writing.formats import CHUNKS

TargetKind: TypeAlias = Literal["inbody", "zip", "put"]

_NO_STORAGE = (
    "target presigned_url needs artifact storage to be configured, and this service has none:"
    " ask for inbody or zip"
)
_UNNAMED = "document"
_STORED = ("s3", "azure_blob", "google_cloud_storage", "google_drive")
_KINDS: dict[str, type[AnyChunker]] = {"hybrid": HybridOptions, "hierarchical": HierarchicalOptions}


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


class Callback(NamedTuple):
    """Who is told how far a job is: an address, and the headers to send."""

    url: str
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ConversionJob:
    """What a request asks for.

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
        Whether the answer is JSON, an archive, or one that is put elsewhere.
    put_url
        Where the archive is put.
    callbacks
        Who is told how far it is.
    ignored
        Fields of the request that nothing is done for.
    at
        What stands before the names of the chunker's options in the request.
    options_at
        What stands before those of the conversion.
    id
        That of its task; of a job without one, its own.
    """

    sources: tuple[Source, ...]
    convert: ConvertOptions
    chunker: AnyChunker | None = None
    include_converted_doc: bool = False
    target: TargetKind = "inbody"
    put_url: str | None = None
    callbacks: tuple[Callback, ...] = ()
    ignored: tuple[Ignored, ...] = ()
    at: str = "chunking_options."
    options_at: str = "convert_options."
    id: str = field(default_factory=lambda: str(uuid4()))

    @property
    def cuts(self) -> AnyChunker | None:
        """The chunker whose chunks the answer has, whichever route asked for them."""
        if self.chunker is not None:
            return self.chunker
        return self.convert.chunker if CHUNKS in self.convert.to_formats else None

    @property
    def is_archive(self) -> bool:
        """Whether files take the place of the fields of an answer."""
        return self.target != "inbody" or (self.chunker is None and len(self.sources) > 1)

    def packed(self) -> bytes:
        """Return the job as bytes, for a task: a line of JSON, and then what the sources hold."""
        head = {
            "sources": [
                [item.name, len(item.data), item.url, dict(item.headers)] for item in self.sources
            ],
            "convert": self.convert.model_dump(mode="json", exclude_unset=True),
            "chunker": None if self.chunker is None else self.chunker.model_dump(mode="json"),
            "callbacks": [[each.url, dict(each.headers)] for each in self.callbacks],
            "ignored": self.ignored,
            "others": [self.include_converted_doc, self.target, self.put_url, self.at, self.id],
            "options_at": self.options_at,
        }
        return b"".join([json.dumps(head).encode(), b"\n", *(item.data for item in self.sources)])


def unpacked_job(packed: bytes) -> ConversionJob:
    """Return the job that `ConversionJob.packed` made bytes of."""
    line, _, rest = packed.partition(b"\n")
    head = json.loads(line)
    sources, start = [], 0
    for name, size, url, headers in head["sources"]:
        sources.append(Source(name, rest[start : start + size], url, headers))
        start += size
    chunker = head["chunker"]
    include_converted_doc, target, put_url, at, name = head["others"]
    return ConversionJob(
        tuple(sources),
        ConvertOptions.model_validate(head["convert"]),
        None if chunker is None else _KINDS[chunker["chunker"]].model_validate(chunker),
        include_converted_doc,
        target,
        put_url,
        tuple(Callback(*each) for each in head["callbacks"]),
        tuple(Ignored(tuple(at), code, why) for at, code, why in head["ignored"]),
        at,
        head["options_at"],
        name,
    )


def job_of(request: AnyRequest, unknown: Iterable[Ignored] = ()) -> ConversionJob:
    """Return the job that a body of JSON asks for.

    Parameters
    ----------
    request
        The body.
    unknown
        What the body has that there is not.

    Raises
    ------
    Problem
        If its target is none that there is, or a file's base64 is none.
    """
    if isinstance(request, ConvertRequest):
        at, convert = "options", request.options
        cut: dict[str, Any] = {"at": "options.chunking_options."}
    else:
        at, convert = "convert_options", request.convert_options
        cut = {
            "chunker": request.chunking_options,
            "include_converted_doc": request.include_converted_doc,
        }
    target = checked_target(request.target, "target.kind")
    callbacks, certificates = callbacks_of(request.callbacks)
    ignored = [*unknown, *_ignored_of_target(request.target), *certificates]
    ignored += [*undone(convert, (at,)), *(unused(convert, (at,)) if "chunker" in cut else ())]
    ignored += referenced_in_body(convert, target, (at, "image_export_mode"))
    return ConversionJob(
        tuple(_source(i, each) for i, each in enumerate(request.sources)),
        convert,
        target=target,
        put_url=request.target.url if target == "put" else None,
        callbacks=callbacks,
        ignored=tuple(ignored),
        options_at=f"{at}.",
        **cut,
    )


def callbacks_of(given: Iterable[CallbackSpec]) -> tuple[tuple[Callback, ...], list[Ignored]]:
    """Return who is told how far a job is, and what of that is ignored."""
    specs = list(given)
    why = "the authorities of the system are trusted, and no others"
    ignored = [
        Ignored(("callbacks", i, "ca_cert"), "not_supported", why)
        for i, each in enumerate(specs)
        if each.ca_cert
    ]
    return tuple(Callback(each.url, each.headers) for each in specs), ignored


def unused(options: ConvertOptions, at: tuple[str, ...], prefix: str = "") -> list[Ignored]:
    """Return the chunker's options in those of the conversion, which the route ignores."""
    why = "this route has its own options of the chunker"
    return [
        Ignored((*at, f"{prefix}{name}"), "not_supported", why)
        for name in ("chunking_options", "chunking_preset")
        if getattr(options, name) is not None
    ]


def referenced_in_body(
    options: ConvertOptions, target: TargetKind, at: tuple[str, ...]
) -> list[Ignored]:
    """Return that pictures are not referenced where there is no archive to hold them."""
    if target != "inbody" or options.image_export_mode != "referenced":
        return []
    why = "pictures are referenced in an archive alone, and have placeholders here"
    return [Ignored(at, "not_supported", why)]


def checked_target(target: Target, at: str) -> TargetKind:
    """Return the kind of a target.

    Parameters
    ----------
    target
        The target.
    at
        Where the request says it.

    Raises
    ------
    Problem
        If it is none that there is.
    """
    if target.kind == "presigned_url":
        # docling-serve's client reads these words, and then asks for another target.
        raise Problem(422, "no_artifact_storage", _NO_STORAGE)
    if target.kind == "put" and target.url is None:
        raise Problem(422, "missing", "Field required", field="target.url")
    if target.kind in get_args(TargetKind):
        return target.kind  # type: ignore[return-value]
    is_known = target.kind in _STORED
    known = "this service writes to no storage" if is_known else f"unknown target {target.kind!r}"
    raise Problem(422, "invalid_value", f"{known}: ask for inbody, zip or put", field=at)


def _ignored_of_target(target: Target) -> list[Ignored]:
    is_other = target.kind != "put" and target.url is not None
    return [as_unknown("url", "target")] if is_other else []


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
