"""Routes of the pages over a store: documents, their versions, doubtful pages, edits by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from chunkwright.io.page_images import is_pdf
from chunkwright.server.answers import json_answer
from chunkwright.server.routes.preview import page_image
from chunkwright.server.routes.working import REFUSALS, answered, worked
from chunkwright.server.schemas.answers import ProblemAnswer
from chunkwright.server.schemas.openapi import refusals
from chunkwright.server.schemas.requests import MOST_NAME, Text
from chunkwright.server.schemas.store import MOST_LISTED, MOST_OFFSET
from chunkwright.server.schemas.stored_pages import (
    EditAnswer,
    EditRequest,
    ReviewAnswer,
    StoredAnswer,
    StoredDocumentAnswer,
    StoredPageAnswer,
)
from chunkwright.server.service import service_of
from chunkwright.server.stored import pages
from chunkwright.server.stored.originals import Found, original_in
from chunkwright.server.tasks import Result

if TYPE_CHECKING:
    from chunkwright.server.service import Service

router: APIRouter = APIRouter(tags=["store"])

_REFUSALS = REFUSALS | refusals(
    ProblemAnswer,
    {403: "The service does not allow it", 404: "No such document, version or block"},
)
_EDITED = refusals(ProblemAnswer, {409: "The block was edited meanwhile"})

Skipped = Annotated[int, Query(ge=0, le=MOST_OFFSET, description="How many documents to skip.")]
Limit = Annotated[int, Query(ge=1, le=MOST_LISTED, description="How many documents, at most.")]
Address = Annotated[
    Text, Query(min_length=1, max_length=MOST_NAME, description="Address of a document.")
]
Version = Annotated[int | None, Query(ge=1, description="A version; without, the current one.")]
Since = Annotated[
    int | None, Query(ge=1, description="An earlier version, with which the current is compared.")
]
PageNumber = Annotated[int, Query(ge=1, le=100_000, description="The number of the page, from 1.")]
Contains = Annotated[Text, Query(max_length=MOST_NAME, description="Letters that the address has.")]


@router.get("/v1/store/documents", responses={200: {"model": StoredAnswer}, **_REFUSALS})
async def documents(
    request: Request, contains: Contains = "", offset: Skipped = 0, limit: Limit = 50
) -> Response:
    """List the documents of the store, with their versions."""
    return await answered(
        request,
        lambda of: pages.list_stored(
            of.store, contains, offset, limit, may_edit=of.settings.allow_edits
        ),
    )


@router.get("/v1/store/document", responses={200: {"model": StoredDocumentAnswer}, **_REFUSALS})
async def document(
    request: Request, document: Address, version: Version = None, since: Since = None
) -> Response:
    """Show a version of a document: its chunks, its blocks, its citations, its doubtful pages."""
    return await answered(
        request,
        lambda of: pages.stored_document(of.store, document, version, since, of.settings),
    )


@router.get("/v1/store/page", responses={200: {"model": StoredPageAnswer}, **_REFUSALS})
async def page(
    request: Request, document: Address, page: PageNumber, version: Version = None
) -> Response:
    """Draw a page of a version of a document, if its original is there as it was read."""
    found = await worked(request, lambda of: _original(of, document, version))
    image = None
    if is_pdf(found.data):
        asked = b"%d %b" % (page, found.data)
        drawn = await service_of(request).handled(DRAWING, asked, request.receive)
        image = drawn.body.decode() or None
    answer = StoredPageAnswer(page=page, image=image, original=found.status)
    return json_answer(answer.model_dump())


def _original(service: Service, document: str, version: int | None) -> Found:
    settings = service.settings
    return original_in(settings.originals, service.store, document, version, settings.max_body)


DRAWING = "chunkwright.page"
"""Kind of what a child draws: the number of a page, a blank, and the PDF document."""


def drawn(service: Service, request: bytes) -> Result:
    """Draw a page of a PDF document; of one that is not shown there is none."""
    number, _, data = request.partition(b" ")
    image = page_image(data, int(number), service)
    return Result("text/plain", (image or "").encode())


@router.get("/v1/store/review", responses={200: {"model": ReviewAnswer}, **_REFUSALS})
async def review(request: Request, offset: Skipped = 0, limit: Limit = 50) -> Response:
    """List the pages that were not read, or not surely, of some documents."""
    return await answered(request, lambda of: pages.review(of.store, offset, limit))


@router.post(
    "/v1/store/edit",
    responses={200: {"model": EditAnswer}, **_REFUSALS, **_EDITED},
)
async def edit(asked: EditRequest, request: Request) -> Response:
    """Write a text in the place of a block, which searches find from then on."""
    return await answered(
        request,
        lambda of: pages.edit(of.store, asked, may_edit=of.settings.allow_edits),
    )
