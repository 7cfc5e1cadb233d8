"""Route that reads a document: its elements, its text and its pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from chunkwright.elements.rows import element_rows
from chunkwright.readers.kinds import KINDS
from chunkwright.render.markdown import markdown_of
from chunkwright.render.viewing.data import document_row
from chunkwright.server.answers import json_bytes
from chunkwright.server.bodies.documents import document_of
from chunkwright.server.routes.working import REFUSALS, answered
from chunkwright.server.schemas.answers import ReadAnswer
from chunkwright.server.schemas.requests import ReadRequest

if TYPE_CHECKING:
    from chunkwright.server.service import Service

router: APIRouter = APIRouter()


@router.post("/v1/read", responses={200: {"model": ReadAnswer}, **REFUSALS})
async def read(asked: ReadRequest, request: Request) -> Response:
    """Read a document: its text, and its elements or its Markdown."""
    return await answered(request, lambda service: json_bytes(_read(asked, service)))


def _read(asked: ReadRequest, service: Service) -> dict[str, Any]:
    document = document_of(asked, service)
    found: dict[str, Any] = {
        "document": document_row(document),
        "text": document.text,
        "pages": [page._asdict() for page in document.pages],
        "confidence": document.confidence,
    }
    if asked.format == "elements":
        found["elements"] = element_rows(document)
    elif asked.format == "markdown":
        found["markdown"] = markdown_of(document, is_markdown=_is_markdown(asked))
    return found


def _is_markdown(asked: ReadRequest) -> bool:
    suffixes = KINDS["markdown"].suffixes
    is_named = asked.kind is None and (asked.name or asked.path or "").endswith(suffixes)
    return asked.kind == "markdown" or is_named
