"""Routes of docling-serve: chunks and conversions, now or as tasks, from JSON or from files."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from chunkwright.server.answers import JSON, json_answer, media_type_of, warning_header
from chunkwright.server.bodies.uploads import FORM, Form, read_form
from chunkwright.server.problems import Problem
from chunkwright.server.schemas.openapi import body_in

from .document_json import VERSION
from .forms import form_schema, job_of_form
from .jobs import ConversionJob, checked_target, job_of
from .options import AnyChunker, HierarchicalOptions, HybridOptions
from .refusals import ANSWERS
from .requests import (
    BatchRequest,
    ConvertRequest,
    HierarchicalRequest,
    HybridRequest,
    OldRequest,
    inlined,
    validated,
)
from .sockets import add_socket_route
from .status import add_status_routes, status_row
from .upkeep import add_upkeep_routes
from .work import answered, submitted

Read: TypeAlias = Callable[[], ConversionJob]
Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]
Body: TypeAlias = (
    type[ConvertRequest] | type[HybridRequest] | type[HierarchicalRequest] | type[OldRequest]
)

_VERSION_HEADER = "accept-docling-document-version"
_IS_VERSION = re.compile(r"[0-9]{1,4}(\.[0-9]{1,4}){2}")
_KINDS: dict[str, tuple[Body, type[AnyChunker] | None]] = {
    "/v1/convert": (ConvertRequest, None),
    "/v1/chunk/hybrid": (HybridRequest, HybridOptions),
    "/v1/chunk/hierarchical": (HierarchicalRequest, HierarchicalOptions),
    "/v1alpha/convert": (OldRequest, None),
}
READING = frozenset(f"{path}/{name}" for path in _KINDS for name in ("source", "file"))
"""Paths that are answered with what their documents were made into."""


def router() -> APIRouter:
    """Make the routes: each of JSON and of files, each answered at once and as a task."""
    made = APIRouter()
    for path, (body, chunker) in _KINDS.items():
        sources, files = _of_json(body), _of_files(chunker)
        bodies = (
            ("source", sources, body_in(JSON, schema=inlined(body))),
            ("file", files, body_in(FORM, schema=form_schema(chunker))),
        )
        for name, read, described in bodies:
            for suffix, endpoint in (("", _now(read)), ("/async", _later(read))):
                made.add_api_route(
                    f"{path}/{name}{suffix}",
                    endpoint,
                    methods=["POST"],
                    name=f"{path.removeprefix('/v1/').lstrip('/')}/{name}{suffix}",
                    responses=ANSWERS,
                    response_class=Response,
                    openapi_extra=described,
                    # The first API is there for those who speak it already.
                    include_in_schema=body is not OldRequest,
                )
    made.add_api_route(
        "/v1/convert/source/batch",
        _batch,
        methods=["POST"],
        responses=ANSWERS,
        response_class=Response,
        include_in_schema=False,
    )
    add_status_routes(made)
    add_socket_route(made)
    add_upkeep_routes(made)
    return made


def _now(read: Callable[[Request], Awaitable[Read]]) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        """Answer with the chunks or documents."""
        _check_version(request)
        return await answered(request, await read(request))

    return endpoint


def _later(read: Callable[[Request], Awaitable[Read]]) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        """Answer with the task that makes the chunks or documents."""
        _check_version(request)
        task, warnings = await submitted(request, await read(request))
        return json_answer(status_row(task), headers=warning_header(warnings))

    return endpoint


async def _batch(request: Request) -> Response:
    """Refuse a batch, whose results go to a storage: there is none."""
    asked, _ = validated(BatchRequest, await request.body())
    targets = asked.targets or ([] if asked.target is None else [asked.target])
    for target in targets:
        checked_target(target, "target.kind")
    message = "a batch needs a storage as its target, and this service has none"
    raise Problem(422, "invalid_value", message, field="target.kind")


def _of_json(body: Body) -> Callable[[Request], Awaitable[Read]]:
    async def read(request: Request) -> Read:
        data = await request.body()

        def job() -> ConversionJob:
            found, unknown = validated(body, data)
            asked = found.renewed() if isinstance(found, OldRequest) else found
            return job_of(asked, unknown)

        return job

    return read


def _of_files(chunker: type[AnyChunker] | None) -> Callable[[Request], Awaitable[Read]]:
    async def read(request: Request) -> Read:
        # Most clients send a form without files as application/x-www-form-urlencoded.
        is_form = media_type_of(request).startswith("multipart/")
        form = await read_form(request) if is_form else Form([], {})
        return lambda: job_of_form(form, chunker)

    return read


def _check_version(request: Request) -> None:
    """Refuse to write documents for a client that reads older ones alone.

    Raises
    ------
    Problem
        If it does, or says no version.
    """
    version = request.headers.get(_VERSION_HEADER)
    if version is None:
        return
    if not _IS_VERSION.fullmatch(version) or _numbers(version) < _numbers(VERSION):
        message = f"{_VERSION_HEADER} {version[:40]!r} is no version from {VERSION} on"
        raise Problem(422, "invalid_value", message)


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]
