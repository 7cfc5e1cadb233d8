"""Routes of docling-serve's tasks: how far one is, and what it gave."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Query
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from chunkwright.server.answers import json_answer
from chunkwright.server.guard.requests import owner_of
from chunkwright.server.problems import STATUSES, Problem
from chunkwright.server.service import service_of
from chunkwright.server.tasks import Task

from .options import AnyChunker, ConvertOptions
from .work import KINDS, response

if TYPE_CHECKING:
    from pydantic import BaseModel


_REFERENCE = "#/$defs/"

# No route of docling-serve answers so.
_NEVER = {403, 500, 502}
ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {"description": "The answer", "content": {"application/json": {}, "application/zip": {}}},
    **{
        status: {"description": about, "content": {"application/json": {}}}
        for status, about in (STATUSES | {404: "There is no such task, or no longer"}).items()
        if status not in _NEVER
    },
}
"""Answers by their status."""


def json_body(kind: type[BaseModel]) -> dict[str, Any]:
    """Return the description of a body of JSON."""
    return _body("application/json", _whole(kind))


def form_body(chunker: type[AnyChunker] | None) -> dict[str, Any]:
    """Return the description of a form: files, and the options of the route's chunker if any."""
    file = {"type": "string", "format": "binary"}
    fields: dict[str, Any] = {
        "files": {"type": "array", "items": file, "minItems": 1},
        "target_type": {"type": "string", "enum": ["inbody", "zip"], "default": "inbody"},
        "callbacks": {"type": "array", "items": {"type": "string"}},
    }
    if chunker is None:
        fields |= _fields(ConvertOptions, "")
    else:
        fields |= _fields(ConvertOptions, "convert_") | _fields(chunker, "chunking_")
        fields["include_converted_doc"] = {"type": "boolean", "default": False}
    return _body(
        "multipart/form-data",
        {
            "type": "object",
            "properties": fields,
            "required": ["files"],
        },
    )


def _fields(kind: type[BaseModel], prefix: str) -> dict[str, Any]:
    properties = _whole(kind)["properties"]
    return {f"{prefix}{name}": schema for name, schema in properties.items()}


def _body(media_type: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"requestBody": {"required": True, "content": {media_type: {"schema": schema}}}}


@cache
def _schema_of(kind: type[BaseModel]) -> dict[str, Any]:
    # Without the cache, these are a third of the time that making a service takes.
    return kind.model_json_schema()


def _whole(kind: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of a kind with what it refers to in the places where it does."""
    schema = dict(_schema_of(kind))
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


# docling-serve's client reads these words.
_NO_TASK = "Task not found."
_NO_RESULT = "Task result not found. Please wait for a completion status."
_LONGEST_WAIT = 120.0
_NOT_FOUND = 404
_CATEGORIES = {
    413: ("policy", False),
    422: ("policy", False),
    429: ("capacity", True),
    502: ("source_unavailable", True),
    503: ("capacity", True),
    504: ("timeout", True),
}
_NAMES = {kind: name for name, kind in KINDS.items()}


def add_status_routes(router: APIRouter) -> None:
    """Add the routes that tell of tasks."""
    for path, endpoint in (("status/poll", _poll), ("result", _result)):
        for api in ("v1", "v1alpha"):
            router.add_api_route(
                f"/{api}/{path}/{{task_id}}",
                endpoint,
                methods=["GET"],
                name=path,
                response_class=Response,
                responses=ANSWERS,
                include_in_schema=api == "v1",
            )


def status_row(task: Task) -> dict[str, Any]:
    """Return a task as docling-serve tells of it."""
    return {
        "task_id": task.id,
        "task_type": _NAMES[task.kind],
        "task_status": task.state,
        "task_position": task.position,
        "task_meta": None,
        "error_message": None if task.error is None else task.error.message,
        "failure": None if task.error is None else _failure(task.error),
    }


async def _poll(
    task_id: str,
    request: Request,
    wait: Annotated[float, Query(ge=0, allow_inf_nan=False)] = 0.0,
) -> Response:
    """Say how far a task is, now or when it has ended within so many seconds."""
    task = await task_of(request, task_id, min(wait, _LONGEST_WAIT))
    return json_answer(status_row(task))


async def _result(task_id: str, request: Request) -> Response:
    """Give what a task gave, as often as it is asked for while it is kept."""
    task = await task_of(request, task_id, 0)
    if task.error is not None:
        return json_answer({"kind": "TaskFailureResult", "failure": _failure(task.error)})
    if not task.is_over:
        raise Problem(_NOT_FOUND, "not_ended", _NO_RESULT)
    found = await service_of(request).tasks.result(task_id, owner_of(request.scope))
    return response(found.media_type, found.body)


async def task_of(request: HTTPConnection, task_id: str, wait: float) -> Task:
    """Return a task of these routes when it has ended, or as it is after so many seconds.

    Raises
    ------
    Problem
        404, in docling-serve's words, if its caller has none of that id, or no longer.
    """
    try:
        task = await service_of(request).tasks.wait(task_id, owner_of(request.scope), wait)
    except Problem as problem:
        if problem.status == _NOT_FOUND:
            raise Problem(_NOT_FOUND, problem.code, _NO_TASK) from None
        raise
    if task.kind not in _NAMES:
        raise Problem(_NOT_FOUND, "no_task", _NO_TASK)
    return task


def _failure(problem: Problem) -> dict[str, Any]:
    category, can_retry = _CATEGORIES.get(problem.status, ("internal", False))
    details = {} if problem.field is None else {"field": problem.field}
    return {
        "category": category,
        "message": problem.message,
        "retryable": can_retry,
        "phase": "execution",
        "details": details,
    }
