"""Route that cuts one document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from chunkwright.server.answers import JSON, json_bytes
from chunkwright.server.problems import Problem
from chunkwright.server.routes.cutting import Cut, cut
from chunkwright.server.routes.working import ARROW, LINES, REFUSALS, worked
from chunkwright.server.schemas.answers import ChunkAnswer
from chunkwright.server.schemas.requests import ChunkRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

router: APIRouter = APIRouter()

_AT_ONCE = 256

_OTHER_FORMS = {LINES: {"schema": {"type": "string"}}, ARROW: {"schema": {"format": "binary"}}}


@router.post(
    "/v1/chunk",
    responses={
        200: {"model": ChunkAnswer, "content": _OTHER_FORMS},
        406: REFUSALS[400] | {"description": "None of the forms that the client accepts"},
        **REFUSALS,
    },
)
async def chunk(asked: ChunkRequest, request: Request) -> Response:
    """Cut a document.

    The answer is JSON; with `Accept: application/x-ndjson` a line of JSON for each chunk, with
    `Accept: application/vnd.apache.arrow.stream` a stream of Arrow.
    """
    form = _form_of(request.headers.get("accept", "*/*"))
    body = await worked(request, lambda service: _FORMS[form](cut(asked, service)))
    return Response(body, media_type=form)


def _as_json(found: Cut) -> bytes:
    rows = b",".join(_rows(found))
    return b'{"chunks":[%b],%b' % (rows, json_bytes(found.about)[1:])


def _as_lines(found: Cut) -> bytes:
    return b"".join(row + b"\n" for row in _rows(found))


def _rows(found: Cut) -> Iterator[bytes]:
    """Yield the rows, some of them made at once: other requests wait while rows are made."""
    for start in range(0, len(found.chunks), _AT_ONCE):
        for row in found.chunks[start : start + _AT_ONCE].to_dicts():
            yield json_bytes(row)


def _as_arrow(found: Cut) -> bytes:
    import pyarrow as pa

    table, sink = found.chunks.to_arrow(), pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()  # type: ignore[no-any-return]


_FORMS: dict[str, Callable[[Cut], bytes]] = {JSON: _as_json, LINES: _as_lines, ARROW: _as_arrow}


def _form_of(accept: str) -> str:
    """Return the form that a client accepts, JSON where it does not mind.

    Raises
    ------
    Problem
        If it accepts none.
    """
    kinds = [part.partition(";")[0].strip().lower() for part in accept.split(",")]
    for kind in kinds:
        if kind in _FORMS:
            return kind
        if kind in {"*/*", "application/*", ""}:
            return JSON
    known = ", ".join(_FORMS)
    raise Problem(406, "not_acceptable", f"the answer is one of {known}", field="Accept")
