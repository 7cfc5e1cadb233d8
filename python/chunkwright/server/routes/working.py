"""Work of a route: made on the pool's threads, ended when its client goes, answered as JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from chunkwright.server.answers import JSON, json_bytes
from chunkwright.server.schemas.answers import ProblemAnswer
from chunkwright.server.schemas.openapi import refusals
from chunkwright.server.service import Service, service_of

T = TypeVar("T")

REFUSALS = refusals(ProblemAnswer)
"""Answers that say what is wrong, for OpenAPI."""

NOT_ACCEPTABLE = refusals(ProblemAnswer, {406: "None of the forms that the client accepts"})
"""The answer of routes that have several forms, for OpenAPI."""


async def worked(request: Request, call: Callable[[Service], T], *, is_short: bool = False) -> T:
    """Return what a call returns, made on the pool's threads until its client goes.

    One that is short is made at once.
    """
    service = service_of(request)
    receive = request.receive
    return await service.pool.run(lambda: call(service), receive=receive, is_short=is_short)


async def answered(request: Request, call: Callable[[Service], Any]) -> Response:
    """Return what a call makes as an answer: a shape, values of JSON, or JSON already."""
    return Response(await worked(request, lambda of: _written(call(of))), media_type=JSON)


def _written(made: Any) -> bytes:
    if isinstance(made, bytes):
        return made
    return json_bytes(made.model_dump() if isinstance(made, BaseModel) else made)
