"""Refusals of requests as FastAPI words them: each field that is wrong, with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from chunkwright.server.problems import Problem

_MOST = 50


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


def detail_of(problem: Problem) -> str | list[dict[str, Any]]:
    """Return what an answer says of a problem: a list if a field is to blame, else a sentence."""
    if isinstance(problem, Invalid):
        return problem.details
    if problem.field is None:
        return problem.message
    loc = ["body", *(int(part) if part.isdigit() else part for part in problem.field.split("."))]
    return [{"loc": loc, "msg": problem.message, "type": problem.code}]
