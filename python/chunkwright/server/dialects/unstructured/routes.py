"""Routes of the unstructured-api: the general one, and the check whether the service is there."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from chunkwright.server.answers import json_answer, warning_header
from chunkwright.server.bodies.uploads import FORM, read_form
from chunkwright.server.dialects.unstructured.answers import FORMS, Answer, FileLimits, answer
from chunkwright.server.dialects.unstructured.fields import Fields
from chunkwright.server.problems import STATUSES, Problem
from chunkwright.server.reading_costs import greatest_cost
from chunkwright.server.schemas.openapi import FILE, Answers, body_in, refusals
from chunkwright.server.service import service_of

GENERAL = "/general/{version}/general"
# Unstructured's client asks for it before it sends the pages of a PDF one by one.
DOCS = "/general/docs"


class Refusal(BaseModel):
    """What is wrong, as FastAPI says it: a sentence, or a list of fields."""

    detail: Any


_ABOUT = "Elements or chunks, of several files a list of each"
_ANSWERS: Answers = {
    200: {"description": _ABOUT, "content": {form: {"schema": {}} for form in FORMS}},
    **refusals(Refusal, {406: "None of the forms that the client accepts", **STATUSES}),
}
# It names no files and addresses.
del _ANSWERS[403], _ANSWERS[404]


def router() -> APIRouter:
    """Make the routes."""
    routes = APIRouter(tags=["unstructured-api"])
    routes.add_api_route(
        GENERAL,
        _general,
        methods=["POST"],
        response_class=Response,
        openapi_extra=_described(),
        responses=_ANSWERS,
    )
    hidden: dict[str, Any] = {"include_in_schema": False, "response_model": None}
    for path, answers in ((GENERAL, _refuse_get), (DOCS, _docs), ("/healthcheck", _healthcheck)):
        routes.add_api_route(path, answers, methods=["GET"], **hidden)
    return routes


def quick_routes() -> list[Route]:
    """Make the general route once more: FastAPI takes as long to find it as to cut some pages."""
    return [Route(GENERAL, _general_at_once, methods=["POST"])]


async def _general_at_once(request: Request) -> Response:
    return await _general(request, request.path_params["version"])


def _described() -> dict[str, Any]:
    """Return the form as OpenAPI describes it."""
    schema = Fields.model_json_schema()
    schema["properties"]["files"] = {"title": "Files", "type": "array", "items": FILE}
    schema["required"] = ["files"]
    return body_in(FORM, schema=schema)


async def _general(request: Request, version: str) -> Response:
    """Read the files of a form, and cut them if it names a strategy."""
    del version
    form = await read_form(request)
    service = service_of(request)
    settings = service.settings

    def work() -> Answer:
        with service.reading(greatest_cost(form.files)):
            return answer(
                form.files,
                form.fields,
                accept=request.headers.get("accept"),
                limits=FileLimits(settings.max_unpacked, settings.max_chunks),
                embedder=service.models.embedder,
            )

    found = await service.pool.run(work, receive=request.receive)
    headers = {"Content-Type": found.media_type} | warning_header(found.warnings)
    return Response(found.body, headers=headers)


def _refuse_get(version: str) -> Response:
    del version
    message = "Only POST requests are supported."
    raise Problem(405, "method_not_allowed", message, headers={"Allow": "POST"})


def _docs() -> Response:
    return PlainTextResponse("Files are sent by POST to /general/v0/general.\n")


def _healthcheck() -> Response:
    return json_answer({"healthcheck": "HEALTHCHECK STATUS: EVERYTHING OK!"})
