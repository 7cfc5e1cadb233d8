"""Refusals of the framework, as problems: shapes that do not fit, and routes that are not there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, get_args

from chunkwright.errors import nearest
from chunkwright.server.answers import JSON, media_type_of
from chunkwright.server.problems import Problem

if TYPE_CHECKING:
    from fastapi.exceptions import RequestValidationError
    from starlette.exceptions import HTTPException
    from starlette.requests import Request

_SHOWN = 200
_CODES = {400: "damaged_body", 404: "not_found", 405: "method_not_allowed"}
# Where a field stands in a request, by the framework's names; clients need not see it.
_PARTS = frozenset({"body", "query", "path", "header"})


def problem_of_validation(request: Request, error: RequestValidationError) -> Problem:
    """Return what is wrong with the shape of a request: its body, or the first field of it."""
    first = error.errors()[0]
    form = media_type_of(request)
    # A body of another kind is not parsed: it is no object, whatever it holds.
    is_unread = first["loc"] == ("body",) and first["type"] != "missing"
    if is_unread and form != JSON and not form.endswith("+json"):
        message = f"a body of {JSON} is needed, with files in Base64; got {form!r}"
        return Problem(415, "unsupported_body", message)
    return problem_of_errors(error.errors(), _model_of(request))


def problem_of_errors(errors: Sequence[Any], model: Any, *, at: str = "") -> Problem:
    """Return the error of a shape that says most as a problem.

    Parameters
    ----------
    errors
        The errors, as pydantic lists them.
    model
        The shape, which knows the nearest right name of a field; None if there is none.
    at
        Where the shape stands in the request.
    """
    # A field that is missing often stands there under another name, which says more.
    unknown = (each for each in errors if each["type"] == "extra_forbidden")
    mistake = next(unknown, errors[0]) if errors[0]["type"] == "missing" else errors[0]
    if mistake["type"] == "json_invalid":
        return Problem(422, "invalid_json", "the body is no JSON")
    place = [str(part) for part in mistake["loc"]]
    place = place[1:] if place and place[0] in _PARTS else place
    field = ".".join([at, *place] if at else place) or None
    message = mistake["msg"].removeprefix("Value error, ")
    if mistake["type"] == "extra_forbidden":
        message = f"unknown field {place[-1]!r}: {nearest(place[-1], _known(model, place))}"
    elif field is not None:
        message = f"{field}: {message}{_got(mistake.get('input'))}"
    return Problem(422, "invalid_value", message, field=field)


def fastapi_detail(problem: Problem) -> str | list[dict[str, Any]]:
    """Return a problem as FastAPI says it: a list if a field is to blame, else a sentence."""
    if problem.field is None:
        return problem.message
    loc = ["body", *(int(part) if part.isdigit() else part for part in problem.field.split("."))]
    return [{"loc": loc, "msg": problem.message, "type": problem.code}]


def _got(value: Any) -> str:
    """Return what was given, if it is short; the texts of documents are not."""
    if value is None or isinstance(value, dict | list):
        return ""
    shown = repr(value)
    return f", got {shown}" if len(shown) <= _SHOWN else ""


def _model_of(request: Request) -> Any:
    """Return the shape of the bodies of a request's route."""
    dependant = getattr(request.scope.get("route"), "dependant", None)
    bodies = getattr(dependant, "body_params", ())
    return next((each.field_info.annotation for each in bodies), None)


def _known(model: Any, place: Sequence[str]) -> list[str]:
    """Return the names that a shape has where an unknown one stands."""
    for part in place[:-1]:
        of = getattr(model, "model_fields", {}).get(part)
        model = None if of is None else next(_models_in(of.annotation), None)
    return list(getattr(model, "model_fields", ()))


def _models_in(annotation: Any) -> Iterator[Any]:
    if hasattr(annotation, "model_fields"):
        yield annotation
    else:
        for part in get_args(annotation):
            yield from _models_in(part)


def problem_of_http(error: HTTPException, methods: Sequence[str]) -> Problem:
    """Return a refusal of the framework as a problem.

    Parameters
    ----------
    error
        The refusal.
    methods
        All methods of the path, of which the framework names those of one route.
    """
    code = _CODES.get(error.status_code, "refused")
    headers = dict(error.headers or {})
    if "Allow" in headers and methods:
        headers["Allow"] = ", ".join(methods)
    return Problem(error.status_code, code, str(error.detail), headers=headers)
