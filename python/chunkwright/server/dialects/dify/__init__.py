"""Dialect of Dify's External Knowledge API: a store as a knowledge base of Dify."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response

from chunkwright.server.dialect import Dialect
from chunkwright.server.dialects.dify.conditions import Conditions, filter_of_conditions
from chunkwright.server.guard.requests import WRONG_KEY
from chunkwright.server.problems import STATUSES, Problem
from chunkwright.server.routes.working import answered
from chunkwright.server.schemas.openapi import refusals
from chunkwright.server.schemas.requests import MOST_NAME, Text
from chunkwright.server.schemas.store import MOST_TEXT
from chunkwright.server.stored.absent import NOT_FOUND, file_name
from chunkwright.server.stored.knowledge import filter_of, scored
from chunkwright.server.stored.search import check_words

if TYPE_CHECKING:
    from chunkwright.store import Store

PATH = "/retrieval"
_MOST_RECORDS, _USUAL_RECORDS = 100, 5
_UNAUTHORIZED, _FORBIDDEN = 401, 403
_NO_KEY, _WRONG_KEY, _NO_KNOWLEDGE = 1001, 1002, 2001


class Setting(BaseModel):
    """How many records are wanted, and how good."""

    top_k: int | None = Field(None, ge=1, le=_MOST_RECORDS, description="null: 5.")
    score_threshold: float | None = Field(None, ge=0, le=1, description="null: 0.")


class RetrievalRequest(BaseModel):
    """What Dify asks for; what else it may send is ignored."""

    knowledge_id: Text = Field(
        min_length=1,
        max_length=MOST_NAME,
        description="`*`: all documents; else the address of one, or a beginning with a `*`.",
    )
    query: Text = Field(min_length=1, max_length=MOST_TEXT)
    retrieval_setting: Setting = Setting(top_k=None, score_threshold=None)
    metadata_condition: Conditions | None = None


class Record(BaseModel):
    """A block that was found."""

    content: str
    score: float = Field(description="From 0 to 1.")
    title: str
    metadata: dict[str, Any] = Field(description="That of the document, and the block's place.")


class RetrievalAnswer(BaseModel):
    """The records, best first."""

    records: list[Record]


class Refusal(BaseModel):
    """What is wrong."""

    error_code: int
    error_msg: str


# Where a knowledge base is registered, Dify takes 403 alone for a key that is refused.
_STATUSES = {
    status: about
    for status, about in (STATUSES | {_FORBIDDEN: STATUSES[_UNAUTHORIZED]}).items()
    if status != _UNAUTHORIZED
}


def _router() -> APIRouter:
    router = APIRouter(tags=["dify"])

    @router.post(PATH, responses={200: {"model": RetrievalAnswer}, **refusals(Refusal, _STATUSES)})
    async def retrieval(asked: RetrievalRequest, request: Request) -> Response:
        """Find the blocks of a knowledge base that answer a question."""
        return await answered(request, lambda of: _records(of.store, asked))

    return router


def _records(store: Store, asked: RetrievalRequest) -> dict[str, Any]:
    check_words([asked.query])
    where = filter_of(store, asked.knowledge_id, field="knowledge_id")
    if asked.metadata_condition is not None:
        where |= filter_of_conditions(store, asked.metadata_condition)
    k = asked.retrieval_setting.top_k or _USUAL_RECORDS
    least = asked.retrieval_setting.score_threshold or 0.0
    rows = []
    for hit, score in scored(store, [asked.query], k, where, least):
        place = {"path": hit.document, "version": hit.version, "block": hit.block}
        place |= {"pages": hit.pages, "headings": hit.headings}
        row = {"content": hit.text, "score": score, "title": file_name(hit.document)}
        rows.append(row | {"metadata": {**place, **hit.metadata}})
    return {"records": rows}


def _said(problem: Problem) -> dict[str, Any]:
    """Return a problem as Dify reads it; numbers that it has no names for are the status."""
    code = problem.status
    if problem.status == _UNAUTHORIZED:
        code = _WRONG_KEY if problem.headers.items() >= WRONG_KEY.items() else _NO_KEY
    elif problem.code == NOT_FOUND:
        code = _NO_KNOWLEDGE
    return {"error_code": code, "error_msg": problem.message}


DIFY = Dialect("dify", _router, lambda path: path == PATH, _said, {_UNAUTHORIZED: _FORBIDDEN})
"""The dialect."""
