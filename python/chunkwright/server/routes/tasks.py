"""Routes of tasks: how far one is, what it gave, and its end."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from chunkwright.server.answers import json_answer
from chunkwright.server.guard.requests import owner_of
from chunkwright.server.routes.working import REFUSALS
from chunkwright.server.schemas.answers import ProblemAnswer, TaskAnswer
from chunkwright.server.schemas.openapi import refusals
from chunkwright.server.service import service_of
from chunkwright.server.tasks import LONGEST_WAIT, Task

router: APIRouter = APIRouter()

_PATH = "/v1/tasks/{task_id}"
_NOT_ENDED = refusals(ProblemAnswer, {409: "The task has not ended"})
_ABOUT_RESULT = "What the task gave, as the answer to a request would have had it"
_REFUSALS = {**REFUSALS, **refusals(ProblemAnswer, {404: "No such task, or no longer"})}

Wait = Annotated[
    float,
    Query(
        ge=0,
        le=LONGEST_WAIT,
        allow_inf_nan=False,
        description="Seconds to wait for the end of the task, if it has not ended.",
    ),
]


def task_row(task: Task) -> dict[str, Any]:
    """Return a task as JSON says it."""
    times = {"created": task.created, "started": task.started, "ended": task.ended}
    error = None if task.error is None else {"status": task.error.status, **task.error.row}
    return {**task._asdict(), **{name: _time(at) for name, at in times.items()}, "error": error}


@router.get(_PATH, responses={200: {"model": TaskAnswer}, **_REFUSALS})
async def task_state(task_id: str, request: Request, wait: Wait = 0.0) -> Response:
    """Say how far a task is, now or as soon as it has ended."""
    tasks = service_of(request).tasks
    return json_answer(task_row(await tasks.wait(task_id, owner_of(request.scope), wait)))


@router.get(
    _PATH + "/result",
    response_class=Response,
    responses={**_REFUSALS, 200: {"description": _ABOUT_RESULT}, **_NOT_ENDED},
)
async def task_result(task_id: str, request: Request) -> Response:
    """Give what a task gave, as often as it is asked for while it is kept."""
    found = await service_of(request).tasks.result(task_id, owner_of(request.scope))
    return Response(found.body, media_type=found.media_type)


@router.delete(_PATH, status_code=204, responses=_REFUSALS)
async def task_deletion(task_id: str, request: Request) -> Response:
    """Forget a task and what it gave; if it is being done, that ends."""
    await service_of(request).tasks.delete(task_id, owner_of(request.scope))
    return Response(status_code=204)


def _time(seconds: float | None) -> str | None:
    """Return a time as RFC 3339 has it, in UTC."""
    if seconds is None:
        return None
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
