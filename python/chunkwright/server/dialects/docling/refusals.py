"""Refusals of requests as FastAPI words them: each field that is wrong, with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from chunkwright.server.answers import JSON, ZIP
from chunkwright.server.problems import STATUSES, Problem
from chunkwright.server.refusals import fastapi_detail
from chunkwright.server.schemas.openapi import Answers

_MOST = 50
# No route of docling-serve answers so.
_NEVER = {403, 500, 502}
ANSWERS: Answers = {
    200: {"description": "The answer", "content": {JSON: {}, ZIP: {}}},
    **{
        status: {"description": about, "content": {JSON: {}}}
        for status, about in (STATUSES | {404: "There is no such task, or no longer"}).items()
        if status not in _NEVER
    },
}
"""Answers by their status, for OpenAPI."""


class Invalid(Problem):
    """What is wrong with the fields of a request.

    Parameters
    ----------
    details
        Of each error ``loc``, ``msg`` and ``type``.
    """

    def __init__(self, details: list[dict[str, Any]]) -> None:
        first = details[0]
        at = ".".join(str(part) for part in first["loc"][1:])
        super().__init__(422, "invalid_value", first["msg"], field=at or None)
        self.details = details

    def __reduce__(self) -> tuple[Any, ...]:
        return Invalid, (self.details,)


def details(error: ValidationError, names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return what an answer says of errors of validation.

    Parameters
    ----------
    error
        The errors.
    names
        What fields are called in the request, where that is something else.
    """
    found = error.errors(include_url=False, include_context=False, include_input=False)
    return [
        {"loc": ["body", *_named(each["loc"], names)], "msg": each["msg"], "type": each["type"]}
        for each in found[:_MOST]
    ]


def _named(location: tuple[int | str, ...], names: Mapping[str, str]) -> list[int | str]:
    first, *rest = location or ("",)
    named = names.get(str(first), first)
    return [named, *rest] if named != "" else []


def said(problem: Problem) -> dict[str, Any]:
    """Return the body of an answer that says a problem."""
    own = problem.details if isinstance(problem, Invalid) else None
    return {"detail": own or fastapi_detail(problem)}
