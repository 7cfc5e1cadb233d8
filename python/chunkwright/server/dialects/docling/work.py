"""Work of jobs: answered by the request that asks for it, or by a task."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.responses import Response

from chunkwright import Tokenizer
from chunkwright.server.bodies.addresses import checked_place
from chunkwright.server.bodies.request_documents import reading_cost
from chunkwright.server.guard.requests import owner_of
from chunkwright.server.named_models import NamedModels
from chunkwright.server.problems import Problem
from chunkwright.server.service import Service, service_of
from chunkwright.server.tasks import Result, Task

from .answers import Answer, answer
from .exports import ZIP
from .options import DEFAULT_TOKENIZER, HybridOptions
from .reading import Cutter
from .requests import ConversionJob, unpacked_job

if TYPE_CHECKING:
    from starlette.requests import Request


_LENGTHS = "sentence_bert_config.json"
# The limit of the default model, for a folder that holds only tokenizer.json.
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
    return _DEFAULT_LENGTH if name == DEFAULT_TOKENIZER else None


KINDS = {"chunk": "docling.chunk", "convert": "docling.convert"}
"""Kinds of tasks by docling-serve's names of them."""


def add_handlers(service: Service) -> None:
    """Have a service do the tasks that these routes submit, whichever process was asked."""
    for kind in KINDS.values():
        service.handlers[kind] = partial(_done, service)


def checked(job: ConversionJob, service: Service) -> ConversionJob:
    """Return a job whose models and addresses a service has.

    Raises
    ------
    Problem
        If it has not; names the field.
    """
    cutter_of(job, service.models)
    for i, source in enumerate(job.sources):
        if source.url is not None:
            checked_place(source.url, service.settings, field=f"sources.{i}.url")
    return job


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
    return response(found.media_type, found.body)


async def submitted(request: Request, read: Callable[[], ConversionJob]) -> Task:
    """Keep the job of a request as a task."""
    service = service_of(request)
    # An application that is mounted in another one has no lifespan that would have begun it.
    service.begin()
    kind, packed = await service.pool.run(lambda: _packed(read(), service))
    return await service.tasks.submit(kind, packed, owner_of(request.scope))


def response(media_type: str, body: bytes) -> Response:
    """Return an answer of JSON, or an archive to be saved."""
    disposition = 'attachment; filename="converted_docs.zip"'
    headers = {"Content-Disposition": disposition} if media_type == ZIP else None
    return Response(body, media_type=media_type, headers=headers)


def _packed(job: ConversionJob, service: Service) -> tuple[str, bytes]:
    kind = "convert" if job.chunker is None else "chunk"
    return KINDS[kind], checked(job, service).packed()


def _answer(job: ConversionJob, service: Service) -> Answer:
    job = checked(job, service)
    settings = service.settings
    cutter = cutter_of(job, service.models)

    def fetch(url: str, headers: Mapping[str, str]) -> bytes:
        from chunkwright.server.bodies.fetched import fetched

        return fetched(url, settings, headers, field="sources")

    # Sources are read one after the other.
    costs = (reading_cost(len(each.data), None, each.name) for each in job.sources)
    with service.reading(max(costs, default=0)):
        return answer(job, cutter, fetch, settings.max_chunks)


def _done(service: Service, packed: bytes) -> Result:
    found = _answer(unpacked_job(packed), service)
    return Result(found.media_type, found.body)
