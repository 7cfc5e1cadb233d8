"""Dialect of Open WebUI's external document loader: files are read, or cut, outside of it."""

from __future__ import annotations

import re
from typing import Annotated, Any
from urllib.parse import unquote

from fastapi import APIRouter, Header, Path
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from chunkwright.server.bodies.uploads import plain_name
from chunkwright.server.dialect import Dialect
from chunkwright.server.dialects.sent_files import Sent, answered_sent, chunking_of
from chunkwright.server.schemas.openapi import Answers, body_in, refusals
from chunkwright.server.schemas.requests import MOST_NAME, Chunking

_PATHS = re.compile(r"(/[^/]+/[^/]+)?/process")

Strategy = Annotated[str, Path(max_length=100)]
MaxTokens = Annotated[int, Path(ge=1, le=1_000_000)]
FileName = Annotated[
    str,
    Header(
        alias="X-Filename", max_length=MOST_NAME, description="The file's name, percent-encoded."
    ),
]


class LoadedDocument(BaseModel):
    """A text, which Open WebUI cuts further if it is longer than its own limit."""

    page_content: str
    metadata: dict[str, str | int]


class Refusal(BaseModel):
    """What is wrong."""

    detail: str


_ANSWERS: Answers = {200: {"model": list[LoadedDocument]}, **refusals(Refusal)}
_BODY = body_in("application/octet-stream")


def _router() -> APIRouter:
    router = APIRouter(tags=["open-webui"])

    @router.put("/process", responses=_ANSWERS, openapi_extra=_BODY)
    async def process(request: Request, name: FileName = "") -> Response:
        """Read a file: one document, as Markdown."""
        return await _loaded(request, name, None)

    @router.put("/{strategy}/{max_tokens}/process", responses=_ANSWERS, openapi_extra=_BODY)
    async def process_in_chunks(
        request: Request, strategy: Strategy, max_tokens: MaxTokens, name: FileName = ""
    ) -> Response:
        """Read a file and cut it: a document of each chunk."""
        return await _loaded(request, name, chunking_of(strategy, max_tokens))

    return router


async def _loaded(request: Request, encoded: str, chunking: Chunking | None) -> Response:
    data, name = await request.body(), plain_name(unquote(encoded))
    return await answered_sent(request, data, name, chunking, "path", _documents)


def _documents(sent: Sent) -> list[dict[str, Any]]:
    about = {"source": sent.name} if sent.name else {}
    if sent.chunks is None:
        return [{"page_content": sent.markdown, "metadata": about}]
    rows = []
    for chunk in sent.chunks:
        metadata: dict[str, str | int] = {**about, "start_index": chunk.start}
        if chunk.headings:
            metadata["headings"] = " > ".join(chunk.headings)
        if chunk.pages:
            # Open WebUI counts pages from 0, and shows them from 1.
            metadata["page"] = chunk.pages[0] - 1
        rows.append({"page_content": chunk.text, "metadata": metadata})
    return rows


def _is_own(path: str) -> bool:
    return _PATHS.fullmatch(path) is not None


OPEN_WEBUI = Dialect(
    name="open-webui",
    router=_router,
    owns=_is_own,
    said=lambda problem: {"detail": problem.message},
    reads=_is_own,
)
"""The dialect."""
