"""Errors of validation, as FastAPI's own: a list of places in the request and what is wrong."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from chunkwright.server.problems import Problem

ModelT = TypeVar("ModelT", bound=BaseModel)

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


def validated(kind: type[ModelT], values: Any, *, prefix: str = "") -> ModelT:
    """Return a model of values, or of the bytes of JSON.

    Parameters
    ----------
    kind
        The model.
    values
        Its values; or bytes of JSON.
    prefix
        What stands before the names of fields in a form.

    Raises
    ------
    Invalid
        If a value is wrong, or a field unknown; names each.
    """
    try:
        if isinstance(values, bytes):
            return kind.model_validate_json(values)
        return kind.model_validate(values)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        raise Invalid([_detail(each, prefix) for each in found[:_MOST]]) from None


def _detail(error: Any, prefix: str) -> dict[str, Any]:
    loc = list(error["loc"])
    if loc and prefix:
        loc[0] = f"{prefix}{loc[0]}"
    return {"loc": ["body", *loc], "msg": error["msg"], "type": error["type"]}


def detail_of(problem: Problem) -> str | list[dict[str, Any]]:
    """Return what an answer says of a problem: a list if a field is to blame, else a sentence."""
    if isinstance(problem, Invalid):
        return problem.details
    if problem.field is None:
        return problem.message
    loc = ["body", *(int(part) if part.isdigit() else part for part in problem.field.split("."))]
    return [{"loc": loc, "msg": problem.message, "type": problem.code}]
