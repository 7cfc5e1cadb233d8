"""Routes that read a document and count the tokens of texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from chunkwright.elements.rows import element_rows
from chunkwright.readers.kinds import is_markdown
from chunkwright.render.markdown import markdown_of
from chunkwright.render.viewing.data import document_row
from chunkwright.server.bodies.request_documents import document_of
from chunkwright.server.routes.working import REFUSALS, answered
from chunkwright.server.schemas.answers import CountAnswer, ReadAnswer
from chunkwright.server.schemas.requests import CountRequest, ReadRequest

if TYPE_CHECKING:
    from chunkwright.server.service import Service


router: APIRouter = APIRouter()


@router.post("/v1/count", responses={200: {"model": CountAnswer}, **REFUSALS})
async def count(asked: CountRequest, request: Request) -> Response:
    """Count the tokens, code points, bytes and lines of texts."""
    return await answered(request, lambda service: _counts(asked, service))


def _counts(asked: CountRequest, service: Service) -> dict[str, Any]:
    tokenizer = service.models.tokenizer(asked.tokenizer)
    texts = [asked.text] if asked.text is not None else asked.texts or []
    rows = [
        {
            "tokens": tokens,
            "chars": len(text),
            "bytes": len(text.encode()),
            "lines": text.count("\n") + (not text.endswith("\n") and bool(text)),
        }
        for text, tokens in zip(texts, tokenizer.count_batch(texts), strict=True)
    ]
    return {"counts": rows, "tokenizer": asked.tokenizer}


@router.post("/v1/read", responses={200: {"model": ReadAnswer}, **REFUSALS})
async def read(asked: ReadRequest, request: Request) -> Response:
    """Read a document: its text, and its elements or its Markdown."""
    return await answered(request, lambda service: _read(asked, service))


def _read(asked: ReadRequest, service: Service) -> dict[str, Any]:
    document = document_of(asked, service)
    answer: dict[str, Any] = {
        "document": document_row(document),
        "text": document.text,
        "pages": [page._asdict() for page in document.pages],
        "confidence": document.confidence,
        "encoding": document.encoding,
    }
    if asked.format == "elements":
        answer["elements"] = element_rows(document)
    elif asked.format == "markdown":
        answer["markdown"] = markdown_of(document, is_markdown=_is_markdown(asked))
    return answer


def _is_markdown(asked: ReadRequest) -> bool:
    is_named = asked.kind is None and is_markdown(asked.name or asked.path)
    return asked.kind == "markdown" or is_named
