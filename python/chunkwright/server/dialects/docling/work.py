"""Work of jobs: answered by the request that asks for it, or by a task."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from starlette.responses import Response

from chunkwright import Tokenizer
from chunkwright.server.answers import JSON, ZIP, warning_header
from chunkwright.server.bodies.addresses import checked_headers, checked_place
from chunkwright.server.guard.requests import owner_of
from chunkwright.server.named_models import NamedModels
from chunkwright.server.problems import Problem
from chunkwright.server.reading_costs import greatest_cost
from chunkwright.server.service import Service, service_of
from chunkwright.server.settings import Settings
from chunkwright.server.tasks import Result, Task
from chunkwright.tokens.shipped import SHIPPED

from .answers import Answer, Outside, answer
from .cutting import Cutter
from .ignored import Ignored, other_engine
from .jobs import ConversionJob, unpacked_job
from .options import HybridOptions
from .progress import Progress
from .refusals import Invalid
from .writing.formats import FORMATS
from .writing.rendered import check_renderer

if TYPE_CHECKING:
    from starlette.requests import Request


_LENGTHS = "sentence_bert_config.json"
# The limit of the default model, whose tokenizer ships without the file that says so.
_DEFAULT_LENGTH = 256


def cutter_of(job: ConversionJob, models: NamedModels) -> Cutter | None:
    """Return what cuts the documents of a job; None if they are not cut.

    Parameters
    ----------
    job
        The job.
    models
        The tokenizers that requests may name.

    Raises
    ------
    Problem
        If the service has no such tokenizer, or nothing says how long a chunk may be.
    """
    options = job.cuts
    if options is None:
        return None
    if not isinstance(options, HybridOptions):
        return Cutter(options, None, 0)
    tokenizer = models.tokenizer(options.tokenizer, field=f"{job.at}tokenizer")
    most = options.max_tokens or _length(tokenizer, options.tokenizer)
    if most is None:
        message = f"the tokenizer {options.tokenizer!r} states no limit of its model: give one"
        raise Problem(422, "invalid_value", message, field=f"{job.at}max_tokens")
    return Cutter(options, tokenizer, most)


def _length(tokenizer: Tokenizer, name: str) -> int | None:
    """Return how many tokens the tokenizer's model takes, as a file beside it says."""
    if isinstance(tokenizer.source, str | PathLike):
        path = Path(tokenizer.source)
        file = (path if path.is_dir() else path.parent) / _LENGTHS
        try:
            length = json.loads(file.read_bytes())["max_seq_length"]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            length = None
        if isinstance(length, int) and length > 0:
            return length
    return _DEFAULT_LENGTH if name in SHIPPED else None


_ARCHIVE = "converted_docs.zip"
_CALLBACK_SECONDS = 30.0

KINDS = {"chunk": "docling.chunk", "convert": "docling.convert"}
"""Kinds of tasks by docling-serve's names of them."""


def add_handlers(service: Service) -> None:
    """Have a service do the tasks that these routes submit, whichever process was asked."""
    for kind in KINDS.values():
        service.handlers[kind] = partial(_done, service)


def checked(job: ConversionJob, service: Service) -> ConversionJob:
    """Return a job, once it is checked that the service has its models, formats and addresses.

    Raises
    ------
    Problem
        If it has not, or is strict and the job asks for what is not done; names the field.
    MissingExtraError
        If a format needs docling-core, and that is not installed.
    """
    settings = service.settings
    if settings.strict and (refused := [*job.ignored, *_of_engine(job)]):
        raise Invalid([each.detail for each in refused])
    cutter_of(job, service.models)
    formats = [FORMATS[each] for each in job.convert.to_formats if each in FORMATS]
    if job.chunker is None and any(each.is_rendered for each in formats):
        check_renderer()
    for i, source in enumerate(job.sources):
        if source.url is not None:
            checked_place(source.url, settings, field=f"sources.{i}.url")
    for i, callback in enumerate(job.callbacks):
        checked_place(callback.url, settings, field=f"callbacks.{i}.url")
        checked_headers(callback.headers, f"callbacks.{i}.url")
    if job.put_url is not None:
        checked_place(job.put_url, settings, field="target.url")
    return job


def _of_engine(job: ConversionJob) -> list[Ignored]:
    """Return that another engine of OCR is asked for than there is."""
    said = other_engine(job.convert)
    if said is None:
        return []
    name = "ocr_engine" if job.convert.ocr_preset == "auto" else "ocr_preset"
    location = tuple(f"{job.options_at}{name}".split("."))
    return [Ignored(location, "not_supported", said)]


async def answered(request: Request, read: Callable[[], ConversionJob]) -> Response:
    """Answer a request with what its job comes to.

    Parameters
    ----------
    request
        The request.
    read
        Reads its body as a job, on the thread that does the job, too.
    """
    service = service_of(request)
    found = await service.pool.run(lambda: _answer(read(), service), receive=request.receive)
    service.metrics.chunks(found.n_chunks)
    made = response(found.media_type, found.body)
    made.headers.update(warning_header(found.warnings))
    return made


async def submitted(request: Request, read: Callable[[], ConversionJob]) -> tuple[Task, list[str]]:
    """Keep the job of a request as a task; return it, and what of the request is ignored."""
    service = service_of(request)
    # An application that is mounted in another one has no lifespan that would have begun it.
    service.begin()
    job, packed = await service.pool.run(lambda: _packed(read(), service))
    kind = KINDS["convert" if job.chunker is None else "chunk"]
    task = await service.tasks.submit(kind, packed, owner_of(request.scope), name=job.id)
    return task, [each.text for each in job.ignored]


def response(media_type: str, body: bytes) -> Response:
    """Return an answer of JSON, or an archive to be saved."""
    disposition = f'attachment; filename="{_ARCHIVE}"'
    headers = {"Content-Disposition": disposition} if media_type == ZIP else None
    return Response(body, media_type=media_type, headers=headers)


def _packed(job: ConversionJob, service: Service) -> tuple[ConversionJob, bytes]:
    return job, checked(job, service).packed()


def _answer(job: ConversionJob, service: Service) -> Answer:
    job = checked(job, service)
    settings = service.settings
    cutter = cutter_of(job, service.models)

    def fetch(url: str, headers: Mapping[str, str]) -> bytes:
        from chunkwright.server.bodies.fetched import fetched

        return fetched(url, settings, headers, field="sources")

    outside = Outside(fetch, partial(_put, settings))
    progress = Progress(job, partial(_post, settings))
    try:
        with service.reading(greatest_cost(job.sources)):
            return answer(job, cutter, outside, progress, settings.max_chunks)
    finally:
        progress.ended()


def _post(settings: Settings, url: str, body: bytes, headers: Mapping[str, str]) -> None:
    from chunkwright.server.bodies.sent import sent

    given = {**headers, "Content-Type": JSON}
    sent(url, body, settings, given, seconds=_CALLBACK_SECONDS, field="callbacks")


def _put(settings: Settings, url: str, body: bytes, media_type: str) -> None:
    """Put an archive to an address as docling-serve does: as the file of a form."""
    from chunkwright.server.bodies.sent import sent

    boundary = uuid4().hex
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{_ARCHIVE}"'
    head += f"\r\nContent-Type: {media_type}\r\n\r\n"
    form = b"".join([head.encode(), body, f"\r\n--{boundary}--\r\n".encode()])
    headers = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
    sent(url, form, settings, headers, method="PUT", field="target.url")


def _done(service: Service, packed: bytes) -> Result:
    found = _answer(unpacked_job(packed), service)
    return Result(found.media_type, found.body)
