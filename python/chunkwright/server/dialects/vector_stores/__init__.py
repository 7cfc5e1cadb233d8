"""Dialect of OpenAI's vector stores: a search of a store, as clients of OpenAI ask for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from chunkwright.server.dialect import Dialect
from chunkwright.server.dialects.vector_stores.shapes import (
    ComparisonFilter,
    CompoundFilter,
    OpenAIRefusal,
    SearchResultsPage,
    VectorStoreSearch,
)
from chunkwright.server.problems import Problem
from chunkwright.server.routes.working import answered
from chunkwright.server.schemas.openapi import refusals
from chunkwright.server.schemas.requests import MOST_NAME
from chunkwright.server.stored.absent import file_name
from chunkwright.server.stored.knowledge import filter_of, scored
from chunkwright.server.stored.search import check_words
from chunkwright.store import Compare

if TYPE_CHECKING:
    from chunkwright.store import Store
    from chunkwright.store.searching.conditions import Operator

_PREFIX = "/v1/vector_stores/"
_UNAUTHORIZED, _BUSY, _FAULTS = 401, 429, 500
_OF_LISTS = frozenset({"in", "nin"})
_ORDERS: dict[str, Operator] = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}

StoreId = Annotated[str, Path(min_length=1, max_length=MOST_NAME)]


def _router() -> APIRouter:
    router = APIRouter(tags=["openai"])

    @router.post(
        f"{_PREFIX}{{vector_store_id:path}}/search",
        responses={200: {"model": SearchResultsPage}, **refusals(OpenAIRefusal)},
    )
    async def search(
        vector_store_id: StoreId, asked: VectorStoreSearch, request: Request
    ) -> Response:
        """Find the blocks of a vector store that answer one or several questions."""
        return await answered(request, lambda of: _page(of.store, vector_store_id, asked))

    return router


def _page(store: Store, vector_store: str, asked: VectorStoreSearch) -> dict[str, Any]:
    questions = [asked.query] if isinstance(asked.query, str) else asked.query
    check_words(questions)
    where = filter_of(store, vector_store, field="vector_store_id")
    if asked.filters is not None:
        where["all_of"] = [_filter(asked.filters)]
    least = (asked.ranking_options and asked.ranking_options.score_threshold) or 0.0
    rows = [
        {
            "file_id": hit.document,
            "filename": file_name(hit.document),
            "score": score,
            "attributes": _attributes(hit.metadata),
            "content": [{"type": "text", "text": hit.text}],
        }
        for hit, score in scored(store, questions, asked.max_num_results, where, least)
    ]
    page = {"object": "vector_store.search_results.page", "search_query": questions, "data": rows}
    return {**page, "has_more": False, "next_page": None}


def _attributes(metadata: Any) -> dict[str, Any]:
    """Return the metadata that attributes can be: texts, numbers and truth values."""
    return {name: each for name, each in metadata.items() if isinstance(each, str | int | float)}


def _filter(given: ComparisonFilter | CompoundFilter) -> dict[str, Any]:
    if isinstance(given, CompoundFilter):
        group = "all_of" if given.type == "and" else "any_of"
        return {group: [_filter(each) for each in given.filters]}
    if (given.type in _OF_LISTS) != isinstance(given.value, list):
        needed = "a list" if given.type in _OF_LISTS else "a value"
        message = f"filters: {given.type!r} needs {needed}"
        raise Problem(422, "invalid_value", message, field="filters")
    if given.type in _ORDERS:
        assert not isinstance(given.value, list)  # noqa: S101 - refused above
        return {"metadata": {given.key: Compare(_ORDERS[given.type], given.value)}}
    equal = {"metadata": {given.key: given.value}}
    return {"none_of": [equal]} if given.type in {"ne", "nin"} else equal


def _said(problem: Problem) -> dict[str, Any]:
    """Return a problem as OpenAI says it."""
    kind = "server_error" if problem.status >= _FAULTS else "invalid_request_error"
    kind = "rate_limit_error" if problem.status == _BUSY else kind
    code = "invalid_api_key" if problem.status == _UNAUTHORIZED else problem.code
    error = {"message": problem.message, "type": kind, "param": problem.field, "code": code}
    return {"error": error}


VECTOR_STORES = Dialect(
    name="openai-vector-stores",
    router=_router,
    owns=lambda path: path.startswith(_PREFIX),
    said=_said,
    # OpenAI answers 400 to what cannot be used.
    statuses={422: 400},
)
"""The dialect."""
