"""Dialect of the unstructured-api: its routes, its fields and its errors."""

from __future__ import annotations

import re
from typing import Any

from chunkwright.server.dialect import Dialect
from chunkwright.server.dialects.unstructured.routes import quick_routes, router
from chunkwright.server.problems import Problem
from chunkwright.server.refusals import fastapi_detail

_READING = re.compile(r"/general/[^/]+/general/?")
_PATHS = re.compile(rf"{_READING.pattern}|/general/docs|/healthcheck")
_INVALID = 422


def _said(problem: Problem) -> dict[str, Any]:
    """Return what is wrong: fields are named in answers of status 422 alone."""
    is_of_field = problem.status == _INVALID
    return {"detail": fastapi_detail(problem) if is_of_field else problem.message}


UNSTRUCTURED = Dialect(
    name="unstructured",
    router=router,
    quick_routes=quick_routes,
    owns=lambda path: _PATHS.fullmatch(path) is not None,
    said=_said,
    reads=lambda path: _READING.fullmatch(path) is not None,
    key_headers=("unstructured-api-key", "x-api-key"),
    open_paths=frozenset({"/general/docs", "/healthcheck"}),
)
"""The dialect."""
