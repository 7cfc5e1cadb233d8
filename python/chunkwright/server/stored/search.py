"""Search of a store within one budget, and the shapes of its hits."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from chunkwright.server.problems import Problem
from chunkwright.server.schemas.store import (
    BoxShape,
    CompareShape,
    Hit,
    PlaceShape,
    SearchAnswer,
    SearchRequest,
    Where,
)
from chunkwright.server.stored.absent import versions_of
from chunkwright.server.stored.budget import AnswerBudget, left_out
from chunkwright.store import Compare
from chunkwright.store.searching.expansion import Expansion
from chunkwright.store.searching.filters import OF_BLOCKS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from chunkwright.store import Found, Store


# Decimals of scores.
_DECIMALS = 4


def hit_of(match: Found, fields: Collection[str]) -> Hit:
    """Return a hit, with the fields that were asked for beside those that all have."""
    hit = Hit(
        **PlaceShape.model_validate(match).model_dump(),
        block=match.block,
        score=round(match.score, _DECIMALS),
        type=match.block_type,
        text=match.text,
        beside=list(match.neighbours),
        duplicates=list(match.duplicates),
    )
    if "boxes" in fields:
        hit.boxes = [BoxShape.model_validate(box) for box in match.boxes]
    if "metadata" in fields:
        hit.metadata = dict(match.metadata)
    if "why" in fields:
        hit.why = {name: value for name, value in asdict(match.why).items() if value is not None}
    return hit


def check_words(questions: Sequence[str]) -> None:
    """Check that each question has a word.

    Raises
    ------
    Problem
        If one has none.
    """
    if not all(question.strip() for question in questions):
        raise Problem(422, "invalid_value", "query has no words", field="query")


def search(store: Store, request: SearchRequest) -> SearchAnswer:
    """Return the hits of a question, best first, as many as fit.

    Raises
    ------
    Problem
        If the query has no words, or the filter names a document that the store does not have.
    ConfigError
        If the filter or a weight makes no sense.
    StoreError, ModelError
        If the database, or the store's embedder, fails.
    """
    check_words([request.query])
    end = request.offset + request.k
    # One hit more is asked for: it tells whether there are more.
    all_hits = store.search(
        request.query,
        end + 1,
        where=where_of(store, request),
        field_weights=request.field_weights,
    )
    wanted = all_hits[request.offset : end]
    budget = AnswerBudget(request.max_tokens)
    hits = _fitting(wanted, request, budget)
    n_left_out = len(wanted) - len(hits)
    return SearchAnswer(
        hits=_widened(wanted, hits, request, budget),
        n_left_out=n_left_out,
        **left_out("hits", request.offset + len(hits), len(all_hits), n_left_out),
    )


def where_of(store: Store, request: Where) -> dict[str, Any]:
    """Return the filter of a request, as a store takes it.

    Raises
    ------
    Problem
        If it names a document that the store does not have.
    """
    for uri in request.documents or ():
        if not uri.endswith("*"):
            versions_of(store, uri)
    names = ("documents", *OF_BLOCKS)
    given = {name: getattr(request, name, None) for name in names}
    metadata = {name: _wanted(value) for name, value in (request.metadata or {}).items()}
    named = {name: value for name, value in given.items() if value is not None}
    return {**named, "metadata": metadata}


def _wanted(value: Any) -> Any:
    if isinstance(value, list):
        return [_wanted(each) for each in value]
    return Compare(value.operator, value.value) if isinstance(value, CompareShape) else value


def _fitting(wanted: list[Found], request: SearchRequest, budget: AnswerBudget) -> list[Hit]:
    """Return the hits that fit, not widened; the first one is cut if it is too large."""

    def cut(hit: Hit) -> Hit:
        changed = {"is_cut": True, "boxes": None, "metadata": None, "why": None}
        return budget.cut(hit.text, lambda text: hit.model_copy(update={**changed, "text": text}))

    return budget.fitting((hit_of(each, request.fields) for each in wanted), cut)


def _widened(
    wanted: list[Found], hits: list[Hit], request: SearchRequest, budget: AnswerBudget
) -> list[Hit]:
    """Return the hits with what stands around them, as far as the budget goes."""
    if request.expand is None or not hits or hits[0].is_cut:
        return hits
    taken = wanted[: len(hits)]
    expansion = Expansion(request.expand, budget.tokenizer)
    own = sum(budget.tokenizer.count(hit.text) for hit in taken)

    def wider(tokens: int) -> list[Hit]:
        return [hit_of(hit, request.fields) for hit in expansion.of(taken, own + tokens)]

    return budget.widened(hits, wider)
