"""Answers as JSON, compact and in UTF-8 whatever texts are in them."""

from __future__ import annotations

import json
from typing import Any

import orjson
from starlette.responses import Response

from chunkwright.server.problems import Problem

JSON = "application/json"


def media_types(accept: str) -> list[str]:
    """Return the media types that a header ``Accept`` names, best first, those of weight 0 aside.

    An empty header names none, so all are accepted.

    Examples
    --------
    >>> media_types("text/csv;q=0.5, application/json, image/png;q=0"), media_types(" ")
    (['application/json', 'text/csv'], ['*/*'])
    """
    found = []
    for each in (accept.strip() or "*/*").split(","):
        media_type, *parameters = (part.strip().lower() for part in each.split(";"))
        weight = next((part[2:] for part in parameters if part.startswith("q=")), "1")
        if media_type and weight.strip("0."):
            found.append((weight, media_type))
    # A weight is a number from 0 to 1 with a leading digit, so texts are in its order.
    return [kind for _, kind in sorted(found, key=lambda pair: pair[0], reverse=True)]


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
