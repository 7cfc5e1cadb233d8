"""Routes of docling-serve's tasks: how far one is, and what it gave."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from chunkwright.server.answers import json_answer
from chunkwright.server.guard.requests import owner_of
from chunkwright.server.problems import Problem
from chunkwright.server.service import service_of
from chunkwright.server.tasks import LONGEST_WAIT, Task

from .refusals import ANSWERS
from .work import KINDS, response

# docling-serve's client reads these words.
_NO_TASK = "Task not found."
_NO_RESULT = "Task result not found. Please wait for a completion status."
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
    task = await task_of(request, task_id, min(wait, LONGEST_WAIT))
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
