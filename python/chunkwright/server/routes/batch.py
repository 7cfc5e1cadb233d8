"""Route that cuts a stream of documents, as JSON lines or as Arrow."""

from __future__ import annotations

import json
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response

from chunkwright.readers.kinds import checked_kind
from chunkwright.server.answers import json_bytes, media_types
from chunkwright.server.bodies.strategies import strategy_of
from chunkwright.server.problems import Problem
from chunkwright.server.refusals import problem_of_errors
from chunkwright.server.routes.working import ARROW, LINES, NOT_ACCEPTABLE, REFUSALS
from chunkwright.server.schemas.requests import Chunking
from chunkwright.server.service import service_of
from chunkwright.server.streams.documents import json_lines
from chunkwright.server.streams.tables import arrow_parts
from chunkwright.server.streams.work import Columns, Stream, StreamAnswer

router: APIRouter = APIRouter()

_FORMS = {LINES: {"schema": {"type": "string"}}, ARROW: {"schema": {"format": "binary"}}}
# Forms of answers beside that of the body.
_OTHERS = {LINES: (), ARROW: (LINES,)}
_MOST_NAME = 1000
_BODY = {"requestBody": {"required": True, "content": _FORMS}}
Spec = Annotated[
    str, Query(description="A strategy with its options, as JSON.", max_length=100_000)
]
Column = Annotated[str, Query(max_length=_MOST_NAME)]


@router.post(
    "/v1/chunk:batch",
    response_class=Response,
    responses={200: {"content": _FORMS}, **NOT_ACCEPTABLE, **REFUSALS},
    openapi_extra=_BODY,
)
async def batch(
    request: Request,
    *,
    chunking: Spec = "{}",
    text_column: Column = "text",
    id_column: Annotated[str | None, Query(max_length=_MOST_NAME)] = None,
    kind: Annotated[str | None, Query(max_length=_MOST_NAME)] = None,
) -> Response:
    """Cut a stream of documents; rows come while documents still go.

    Of `application/x-ndjson` each line is a document, as `/v1/chunk` takes one, and the answer has
    a line for each chunk. Of `application/vnd.apache.arrow.stream` each row is a document, and the
    answer is a stream of Arrow, or with `Accept: application/x-ndjson` a line for each chunk. A
    document that cannot be cut has a row with `error`. The columns and the kind are for Arrow.
    """
    service = service_of(request)
    form = _form_of(request)
    answers = _answer_form(form, request.headers.get("accept", "*/*"))
    strategy = strategy_of(_chunking(chunking), service)
    columns = Columns(text_column, id_column, checked_kind(kind))
    stream = Stream(service, strategy, request.receive)
    if answers == ARROW:
        return StreamAnswer(stream, lambda: arrow_parts(stream, columns), None, ARROW)
    if form == ARROW:
        lines = partial(arrow_parts, stream, columns, as_lines=True)
        return StreamAnswer(stream, lines, _last_line, LINES)
    return StreamAnswer(stream, lambda: json_lines(stream), _last_line, LINES)


def _last_line(problem: Problem) -> bytes:
    return json_bytes({"error": problem.row}) + b"\n"


def _form_of(request: Request) -> str:
    encoding = request.headers.get("content-encoding", "identity").lower()
    if encoding != "identity":
        raise Problem(415, "unsupported_encoding", f"a stream is not compressed, got {encoding!r}")
    form = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if form not in _FORMS:
        known = " or ".join(_FORMS)
        raise Problem(415, "unsupported_body", f"a body of {known} is needed, got {form!r}")
    return form


def _answer_form(form: str, accept: str) -> str:
    """Return the first form of an answer to a body of this form that a client accepts.

    Raises
    ------
    Problem
        406, if it accepts none.
    """
    given = [form, *_OTHERS[form]]
    for kind in media_types(accept):
        if kind in given:
            return kind
        if kind in {"*/*", "application/*"}:
            return form
    known = " or ".join(given)
    raise Problem(
        406, "not_acceptable", f"a stream of {form} is answered as {known}", field="Accept"
    )


def _chunking(text: str) -> Chunking:
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError):
        raise Problem(422, "invalid_json", "chunking is no JSON", field="chunking") from None
    try:
        return Chunking.model_validate(found)
    except ValidationError as error:
        raise problem_of_errors(error.errors(), Chunking, at="chunking") from error
