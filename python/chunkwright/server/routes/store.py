"""Routes over a store: search, citations, and verification of quotes."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from chunkwright.server.answers import json_answer
from chunkwright.server.routes.working import REFUSALS, answered, worked
from chunkwright.server.schemas.answers import ProblemAnswer
from chunkwright.server.schemas.openapi import refusals
from chunkwright.server.schemas.quotes import (
    CiteAnswer,
    CiteRequest,
    ResolveAnswer,
    ResolveRequest,
    VerifyAnswer,
    VerifyRequest,
)
from chunkwright.server.schemas.store import MOST_ID, SearchAnswer, SearchRequest
from chunkwright.server.stored import quotes
from chunkwright.server.stored import search as searching

router: APIRouter = APIRouter(tags=["store"])

CitationId = Annotated[str, Path(min_length=1, max_length=MOST_ID)]

_REFUSALS = {**REFUSALS, **refusals(ProblemAnswer, {404: "No such document, block or citation"})}


@router.post("/v1/search", responses={200: {"model": SearchAnswer}, **_REFUSALS})
async def search(asked: SearchRequest, request: Request) -> Response:
    """Find the blocks that answer a question, with what stands around them, within a budget."""
    return await answered(request, lambda of: searching.search(of.store, asked))


@router.post("/v1/verify", responses={200: {"model": VerifyAnswer}, **_REFUSALS})
async def verify(asked: VerifyRequest, request: Request) -> Response:
    """Look whether words stand in the documents word for word, and where."""
    return await answered(request, lambda of: quotes.verify(of.store, asked))


@router.post("/v1/cite", status_code=201, responses={201: {"model": CiteAnswer}, **_REFUSALS})
async def cite(asked: CiteRequest, request: Request) -> Response:
    """Cite a block, or words of it: they are found again in later versions."""
    made = await worked(request, lambda of: quotes.cite(of.store, asked))
    where = {"Location": f"/v1/cite/{made.citation}"}
    return json_answer(made.model_dump(), 201, where)


@router.get("/v1/cite/{citation}", responses={200: {"model": ResolveAnswer}, **_REFUSALS})
async def resolve(citation: CitationId, request: Request) -> Response:
    """Find where cited words stand today, or what became of them."""
    asked = ResolveRequest(citation=citation)
    return await answered(request, lambda of: quotes.resolve(of.store, asked))
