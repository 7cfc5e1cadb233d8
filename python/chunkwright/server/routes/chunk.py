"""Routes that cut: one document, within the limits of the service, or a stream of documents."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from fastapi import APIRouter, Query
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response

from chunkwright.readers.kinds import checked_kind
from chunkwright.readers.pages import unread_pages
from chunkwright.render.viewing.data import document_row, spec_row
from chunkwright.retrieval.shadows import shadows
from chunkwright.server.answers import (
    ARROW,
    JSON,
    LINES,
    accepted,
    json_bytes,
    media_type_of,
    needs_ocr,
    warning_header,
)
from chunkwright.server.bodies.request_documents import document_of, strategy_of
from chunkwright.server.guard.requests import BATCH
from chunkwright.server.problems import Problem
from chunkwright.server.refusals import problem_of_errors
from chunkwright.server.routes.working import NOT_ACCEPTABLE, REFUSALS, worked
from chunkwright.server.schemas.answers import ChunkAnswer
from chunkwright.server.schemas.requests import Chunking, ChunkRequest
from chunkwright.server.service import service_of
from chunkwright.server.streams.documents import json_lines
from chunkwright.server.streams.tables import arrow_parts
from chunkwright.server.streams.work import Columns, Stream, StreamAnswer
from chunkwright.telemetry import span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chunkwright.chunking.registry import AnyStrategy
    from chunkwright.chunks import Chunks
    from chunkwright.document import Document
    from chunkwright.server.service import Service


class CutDocument(NamedTuple):
    """A document, the strategy that cut it, and its chunks."""

    document: Document
    strategy: AnyStrategy
    chunks: Chunks

    @property
    def about(self) -> dict[str, Any]:
        """What an answer says of them."""
        # The rows say the id, too: it is a hash of the text, which is taken once.
        (id_,) = self.chunks.columns.document_ids
        row = document_row(self.document, id_=id_)
        return {"document": row, "chunking": spec_row(self.strategy)}


def cut(asked: ChunkRequest, service: Service) -> CutDocument:
    """Cut the document of a request as it asks.

    Raises
    ------
    Problem
        If the strategy, the document or the number of chunks is not to be.
    """
    strategy = service.strategies.get(asked.chunking)
    is_new = strategy is None
    if strategy is None:
        strategy = strategy_of(asked.chunking, service)
    document = document_of(asked, service)
    chunks = limited(strategy, document, service)
    if is_new:
        service.strategies.keep(asked.chunking, strategy)
    if asked.shadows is not None:
        chunks = shadows(chunks, tokens=asked.shadows.tokens, chars=asked.shadows.chars)
    return CutDocument(document, strategy, chunks)


def limited(strategy: AnyStrategy, document: Document, service: Service) -> Chunks:
    """Return the chunks of a document, unless there are more than the service answers.

    Raises
    ------
    Problem
        If there are.
    """
    with span("chunk", strategy=strategy.name) as cutting:
        chunks: Chunks = strategy(document)
        cutting.set(chunks=len(chunks))
    most = service.settings.max_chunks
    if len(chunks) > most:
        message = f"the document has {len(chunks):,} chunks, and an answer at most {most:,}"
        raise Problem(413, "too_many_chunks", message, field="chunking")
    service.metrics.chunks(len(chunks))
    return chunks


router: APIRouter = APIRouter()

_AT_ONCE = 256

_STREAM_FORMS = {LINES: {"schema": {"type": "string"}}, ARROW: {"schema": {"format": "binary"}}}


@router.post(
    "/v1/chunk",
    responses={
        200: {"model": ChunkAnswer, "content": _STREAM_FORMS},
        **NOT_ACCEPTABLE,
        **REFUSALS,
    },
)
async def chunk(asked: ChunkRequest, request: Request) -> Response:
    """Cut a document.

    The answer is JSON; with `Accept: application/x-ndjson` a line of JSON for each chunk, with
    `Accept: application/vnd.apache.arrow.stream` a stream of Arrow.
    """
    known = f"the answer is one of {', '.join(_FORMS)}"
    form = accepted(request.headers.get("accept", "*/*"), [*_FORMS], known)

    def work(service: Service) -> tuple[bytes, list[int], str]:
        found = cut(asked, service)
        return _FORMS[form](found), unread_pages(found.document), found.document.name or ""

    is_short = _is_short(asked, service_of(request))
    body, pages, name = await worked(request, work, is_short=is_short)
    warnings = [needs_ocr(name, pages)] if pages else []
    return Response(body, media_type=form, headers=warning_header(warnings))


# Bytes of a text, and chunks of them, that are cut and written in less than a millisecond.
_SHORT = 20_000
_FEW = 128
# Strategies that take no time but for the text: they ask no model, and build no tree.
_QUICK = frozenset({"recursive", "sentence", "window", "balanced"})


def _is_short(asked: ChunkRequest, service: Service) -> bool:
    """Return whether a request takes less time than the way to a thread: a text of some pages.

    What is asked for the first time may load a tokenizer, and patterns of the client's own may
    take long on any text.
    """
    text, chunking = asked.text, asked.chunking
    if text is None or asked.kind is not None or asked.shadows is not None:
        return False
    if len(text) > _SHORT or chunking.strategy not in _QUICK:
        return False
    if any(isinstance(value, list | dict) for value in chunking.options.values()):
        return False
    strategy: Any = service.strategies.get(chunking)
    if strategy is None:
        return False
    sizes = (strategy.max_tokens, strategy.max_chars, strategy.soft_max)
    least = min((size for size in sizes if size is not None), default=0)
    return len(text.encode()) <= min(_SHORT, _FEW * (least - (strategy.overlap or 0)))


def _as_json(found: CutDocument) -> bytes:
    rows = b",".join(_rows(found, b","))
    return b'{"chunks":[%b],%b' % (rows, json_bytes(found.about)[1:])


def _as_lines(found: CutDocument) -> bytes:
    return b"".join(lines + b"\n" for lines in _rows(found, b"\n"))


def _rows(found: CutDocument, separator: bytes) -> Iterator[bytes]:
    """Yield the rows as JSON, some of them at once: other requests wait while they are made."""
    for start in range(0, len(found.chunks), _AT_ONCE):
        yield found.chunks[start : start + _AT_ONCE].json_rows(separator)


def _as_arrow(found: CutDocument) -> bytes:
    import pyarrow as pa

    table, sink = found.chunks.to_arrow(), pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()  # type: ignore[no-any-return]


_FORMS: dict[str, Callable[[CutDocument], bytes]] = {
    JSON: _as_json,
    LINES: _as_lines,
    ARROW: _as_arrow,
}


# Forms of answers beside that of the body.
_OTHERS = {LINES: (), ARROW: (LINES,)}
_MOST_NAME = 1000
_BODY = {"requestBody": {"required": True, "content": _STREAM_FORMS}}
Spec = Annotated[
    str, Query(description="A strategy with its options, as JSON.", max_length=100_000)
]
Column = Annotated[str, Query(max_length=_MOST_NAME)]


@router.post(
    BATCH,
    response_class=Response,
    responses={200: {"content": _STREAM_FORMS}, **NOT_ACCEPTABLE, **REFUSALS},
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
    form = _stream_form(request)
    forms = [form, *_OTHERS[form]]
    known = f"a stream of {form} is answered as {' or '.join(forms)}"
    answers = accepted(request.headers.get("accept", "*/*"), forms, known)
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
    return json_bytes(problem.body) + b"\n"


def _stream_form(request: Request) -> str:
    encoding = request.headers.get("content-encoding", "identity").lower()
    if encoding != "identity":
        raise Problem(415, "unsupported_encoding", f"a stream is not compressed, got {encoding!r}")
    form = media_type_of(request)
    if form not in _STREAM_FORMS:
        known = " or ".join(_STREAM_FORMS)
        raise Problem(415, "unsupported_body", f"a body of {known} is needed, got {form!r}")
    return form


def _chunking(text: str) -> Chunking:
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        raise Problem(422, "invalid_json", "chunking is no JSON", field="chunking") from None
    try:
        return Chunking.model_validate(value)
    except ValidationError as error:
        raise problem_of_errors(error.errors(), Chunking, at="chunking") from error
