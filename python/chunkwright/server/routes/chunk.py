"""Route that cuts one document, within the limits of the service, and tells chunks as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from chunkwright.readers.pages import unread_pages
from chunkwright.render.viewing.data import document_row, spec_row
from chunkwright.retrieval.shadows import shadows
from chunkwright.server.answers import JSON, json_bytes, media_types, needs_ocr, warning_header
from chunkwright.server.bodies.documents import document_of
from chunkwright.server.bodies.strategies import strategy_of
from chunkwright.server.problems import Problem
from chunkwright.server.routes.working import ARROW, LINES, NOT_ACCEPTABLE, REFUSALS, worked
from chunkwright.server.schemas.answers import ChunkAnswer
from chunkwright.server.schemas.requests import ChunkRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chunkwright.chunking.registry import AnyStrategy
    from chunkwright.chunks import Chunks
    from chunkwright.document import Document
    from chunkwright.server.service import Service


class Cut(NamedTuple):
    """A document, the strategy that cut it, and its chunks."""

    document: Document
    strategy: AnyStrategy
    chunks: Chunks

    @property
    def about(self) -> dict[str, Any]:
        """What an answer says of them."""
        return {"document": document_row(self.document), "chunking": spec_row(self.strategy)}


def cut(asked: ChunkRequest, service: Service) -> Cut:
    """Cut the document of a request as it asks.

    Raises
    ------
    Problem
        If the strategy, the document or the number of chunks is not to be.
    """
    strategy = strategy_of(asked.chunking, service)
    document = document_of(asked, service)
    chunks = limited(strategy(document), service)
    if asked.shadows is not None:
        chunks = shadows(chunks, tokens=asked.shadows.tokens, chars=asked.shadows.chars)
    return Cut(document, strategy, chunks)


def limited(chunks: Chunks, service: Service) -> Chunks:
    """Return chunks, unless there are more than the service answers.

    Raises
    ------
    Problem
        If there are.
    """
    most = service.settings.max_chunks
    if len(chunks) > most:
        message = f"the document has {len(chunks):,} chunks, and an answer at most {most:,}"
        raise Problem(413, "too_many_chunks", message, field="chunking")
    service.metrics.chunks(len(chunks))
    return chunks


router: APIRouter = APIRouter()

_AT_ONCE = 256

_OTHER_FORMS = {LINES: {"schema": {"type": "string"}}, ARROW: {"schema": {"format": "binary"}}}


@router.post(
    "/v1/chunk",
    responses={
        200: {"model": ChunkAnswer, "content": _OTHER_FORMS},
        **NOT_ACCEPTABLE,
        **REFUSALS,
    },
)
async def chunk(asked: ChunkRequest, request: Request) -> Response:
    """Cut a document.

    The answer is JSON; with `Accept: application/x-ndjson` a line of JSON for each chunk, with
    `Accept: application/vnd.apache.arrow.stream` a stream of Arrow.
    """
    form = _form_of(request.headers.get("accept", "*/*"))

    def work(service: Service) -> tuple[bytes, list[int], str]:
        found = cut(asked, service)
        return _FORMS[form](found), unread_pages(found.document), found.document.name or ""

    body, pages, name = await worked(request, work)
    warnings = [needs_ocr(name, pages)] if pages else []
    return Response(body, media_type=form, headers=warning_header(warnings))


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
    for kind in media_types(accept):
        if kind in _FORMS:
            return kind
        if kind in {"*/*", "application/*"}:
            return JSON
    known = ", ".join(_FORMS)
    raise Problem(406, "not_acceptable", f"the answer is one of {known}", field="Accept")
