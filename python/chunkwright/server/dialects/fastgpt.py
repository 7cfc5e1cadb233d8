"""Dialect of FastGPT's custom parser: files are read, or cut, outside of it."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response

from chunkwright.server.bodies.uploads import FORM, read_form
from chunkwright.server.dialect import Dialect
from chunkwright.server.dialects.sent_files import Sent, answered_sent, chunking_of
from chunkwright.server.problems import Problem
from chunkwright.server.schemas.files import USUAL_CHUNK
from chunkwright.server.schemas.openapi import FILE, Answers, body_in, refusals

PATH = "/fastgpt/parse"
SPLIT = "-----CUSTOM_SPLIT_SIGN-----"
"""Where FastGPT cuts a text, whatever else it does to it."""

Strategy = Annotated[str | None, Query(max_length=100, description="Without, nothing is cut.")]
MaxTokens = Annotated[int, Query(ge=1, le=1_000_000, description="Most tokens of a chunk.")]


class ParsedFile(BaseModel):
    """A file as Markdown."""

    pages: int = Field(description="1 of a file that has no pages.")
    markdown: str = Field(description="If it was cut, with FastGPT's sign between chunks.")


class Refusal(BaseModel):
    """What is wrong."""

    error: str
    pages: int
    markdown: str


_ANSWERS: Answers = {200: {"model": ParsedFile}, **refusals(Refusal)}
_FORM = {
    "type": "object",
    "properties": {"file": FILE},
    "required": ["file"],
}
_BODY = body_in(FORM, schema=_FORM)


def _router() -> APIRouter:
    router = APIRouter(tags=["fastgpt"])

    @router.post(PATH, responses=_ANSWERS, openapi_extra=_BODY)
    async def parse(
        request: Request, strategy: Strategy = None, max_tokens: MaxTokens = USUAL_CHUNK
    ) -> Response:
        """Read a file, and cut it if a strategy is named."""
        form = await read_form(request)
        if len(form.files) != 1:
            message = f"the form has {len(form.files)} files: send one, as 'file'"
            raise Problem(422, "invalid_value", message, field="file")
        (file,) = form.files
        chunking = chunking_of(strategy, max_tokens) if strategy else None
        return await answered_sent(request, file.data, file.name, chunking, "query", _parsed)

    return router


def _parsed(sent: Sent) -> dict[str, Any]:
    markdown = sent.markdown if sent.chunks is None else f"\n{SPLIT}\n".join(sent.chunks.texts())
    return {"pages": len(sent.document.pages) or 1, "markdown": markdown}


def _said(problem: Problem) -> dict[str, Any]:
    """Return a problem in the field that FastGPT shows."""
    return {"error": problem.message, "pages": 0, "markdown": ""}


def _is_own(path: str) -> bool:
    return path.startswith("/fastgpt/")


FASTGPT = Dialect("fastgpt", _router, _is_own, _said, reads=_is_own)
"""The dialect."""
