"""Dialect of docling-serve: its routes, so that its clients need another base address alone."""

from __future__ import annotations

from starlette.responses import Response

from chunkwright.server.answers import json_answer
from chunkwright.server.dialect import Dialect
from chunkwright.server.dialects.docling.refusals import detail_of
from chunkwright.server.dialects.docling.routes import router
from chunkwright.server.dialects.docling.work import add_handlers
from chunkwright.server.problems import Problem

_PATHS = (
    *("/v1/chunk/", "/v1/convert/", "/v1/status/", "/v1/result/", "/v1/clear/", "/v1/memory/"),
    "/v1alpha/",
)

_READING = ("/v1/chunk/", "/v1/convert/", "/v1alpha/convert/")


def _answer(problem: Problem) -> Response:
    return json_answer({"detail": detail_of(problem)}, problem.status, problem.headers)


DOCLING = Dialect(
    name="docling-serve",
    router=router,
    owns=lambda path: path.startswith(_PATHS),
    answer=_answer,
    key_parameter="api_key",
    add_handlers=add_handlers,
    # What is submitted as a task goes into a file, and to a child from there.
    reads=lambda path: path.startswith(_READING) and path.endswith(("/source", "/file")),
)
"""docling-serve's routes."""
