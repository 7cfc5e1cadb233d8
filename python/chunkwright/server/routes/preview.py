"""Routes that show a cut before anything is kept: why it is so, and two ways side by side."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from chunkwright.io.page_images import PAGE_WIDTH, is_pdf, page_images
from chunkwright.render.comparison import Summary, boundaries, histogram
from chunkwright.render.viewing.data import document_row, finite, spec_row, view_of
from chunkwright.retrieval.question_scores import question_scores
from chunkwright.server.answers import json_bytes
from chunkwright.server.bodies.request_documents import (
    bytes_of,
    document_of,
    strategy_of,
)
from chunkwright.server.reading_costs import reading_cost
from chunkwright.server.routes.chunk import cut, limited
from chunkwright.server.routes.working import REFUSALS, answered
from chunkwright.server.schemas.answers import CompareAnswer, PageAnswer, PreviewAnswer
from chunkwright.server.schemas.requests import CompareRequest, PageRequest, PreviewRequest

if TYPE_CHECKING:
    from chunkwright.chunks import Chunks
    from chunkwright.server.service import Service

router: APIRouter = APIRouter()


@router.post("/v1/preview", responses={200: {"model": PreviewAnswer}, **REFUSALS})
async def preview(asked: PreviewRequest, request: Request) -> Response:
    """Cut a document, and say of each boundary why it is there; nothing is kept.

    With `questions` it also says what their words, and with `embedder` their vectors, give to each
    chunk.
    """
    return await answered(request, lambda service: _preview(asked, service))


def _preview(asked: PreviewRequest, service: Service) -> dict[str, Any]:
    made = cut(asked, service)
    return view_of(
        made.chunks,
        strategy=made.strategy,
        with_texts=asked.texts,
        questions=_answered(made.chunks, asked, service),
    )


def _answered(chunks: Chunks, asked: PreviewRequest, service: Service) -> list[dict[str, Any]]:
    """Return what words and vectors give to each chunk for the questions that are asked."""
    if not asked.questions:
        return []
    named = asked.embedder
    embedder = None if named is None else service.models.embedder(named)
    return question_scores(chunks, asked.questions, embedder)


@router.post("/v1/page", responses={200: {"model": PageAnswer}, **REFUSALS})
async def page(asked: PageRequest, request: Request) -> Response:
    """Draw a page of a PDF document, to be shown beside its chunks; nothing is kept."""
    return await answered(request, lambda service: json_bytes(_page(asked, service)))


def _page(asked: PageRequest, service: Service) -> dict[str, Any]:
    data = bytes_of(asked, service)
    image = page_image(data, asked.page, service, asked.password) if is_pdf(data) else None
    return {"page": asked.page, "image": image}


def page_image(data: bytes, page: int, service: Service, password: str | None = None) -> str | None:
    """Return a picture of a page of a PDF document as a URI; None if it would be too large."""
    with service.reading(reading_cost(len(data), "pdf", None)):
        return page_images(data, [page], password, width=PAGE_WIDTH).get(page)


@router.post("/v1/compare", responses={200: {"model": CompareAnswer}, **REFUSALS})
async def compare(asked: CompareRequest, request: Request) -> Response:
    """Cut a document in two ways, and say where only one of them cuts."""
    return await answered(request, lambda service: _compare(asked, service))


def _compare(asked: CompareRequest, service: Service) -> dict[str, Any]:
    strategies = [strategy_of(of, service, at=at) for at, of in (("a", asked.a), ("b", asked.b))]
    document = document_of(asked, service)
    both = [limited(strategy, document, service) for strategy in strategies]
    text = document.text
    cuts = [boundaries(text, chunks) for chunks in both]
    sizes = [chunks.n_tokens.tolist() for chunks in both]
    sides = {
        side: {
            "chunking": spec_row(strategies[i]),
            "sizes": asdict(Summary.of(sizes[i])),
            "only_here": _only(text, cuts[i], cuts[1 - i], both[i]),
        }
        for i, side in enumerate("ab")
    }
    return {
        "document": document_row(document),
        "shared": len(cuts[0].keys() & cuts[1].keys()),
        **sides,
        "histogram": _bins(sizes),
    }


def _only(
    text: str, own: dict[int, int], other: dict[int, int], chunks: Chunks
) -> list[dict[str, Any]]:
    """Return the boundaries that only one side has: where, and why where that is known."""
    is_scored = chunks.boundaries is not None
    scores, reasons = (chunks.scores.tolist(), chunks.reasons) if is_scored else ([], [])
    rows, line, last = [], 1, 0
    for position in sorted(own.keys() - other.keys()):
        line, last = line + text.count("\n", last, position), position
        number = own[position]
        rows.append(
            {
                "position": position,
                "line": line,
                "score": finite(scores[number]) if is_scored else None,
                "reason": reasons[number] if is_scored else None,
            }
        )
    return rows


def _bins(sizes: list[list[int]]) -> list[dict[str, Any]]:
    return [
        {"first": first, "last": last, "counts": counts} for first, last, counts in histogram(sizes)
    ]
