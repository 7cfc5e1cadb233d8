"""Answers as JSON, compact and in UTF-8 whatever texts are in them."""

from __future__ import annotations

import json
from typing import Any

import orjson
from starlette.responses import Response

from chunkwright.server.problems import Problem

JSON = "application/json"


def json_bytes(value: Any) -> bytes:
    """Return a value as compact JSON; a surrogate that a name may have is escaped."""
    try:
        return orjson.dumps(value)
    except TypeError:
        # It takes no surrogates, and no integers over 64 bits.
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        return text.encode("utf-8", "backslashreplace")


def json_answer(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return a value as an answer."""
    return Response(json_bytes(value), status, headers, JSON)


def problem_answer(problem: Problem) -> Response:
    """Return a problem as our own routes say it."""
    return json_answer({"error": problem.row}, problem.status, problem.headers)
