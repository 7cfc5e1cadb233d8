"""Dialect of the unstructured-api: its routes, its fields and its errors."""

from __future__ import annotations

import re

from starlette.responses import Response

from chunkwright.server.answers import json_answer
from chunkwright.server.dialect import Dialect
from chunkwright.server.dialects.unstructured.routes import quick_routes, router
from chunkwright.server.problems import Problem

_READING = re.compile(r"/general/[^/]+/general/?")
_PATHS = re.compile(rf"{_READING.pattern}|/general/docs|/healthcheck")
_INVALID = 422


def _answer(problem: Problem) -> Response:
    """Say a problem as FastAPI does: a list of fields, or one sentence."""
    detail: object = problem.message
    if problem.status == _INVALID and problem.field is not None:
        place = ["body", problem.field]
        detail = [{"type": problem.code, "loc": place, "msg": problem.message}]
    return json_answer({"detail": detail}, problem.status, problem.headers)


UNSTRUCTURED = Dialect(
    name="unstructured",
    router=router,
    quick_routes=quick_routes,
    owns=lambda path: _PATHS.fullmatch(path) is not None,
    answer=_answer,
    reads=lambda path: _READING.fullmatch(path) is not None,
    key_headers=("unstructured-api-key", "x-api-key"),
    open_paths=frozenset({"/general/docs", "/healthcheck"}),
)
"""The dialect."""
