"""Our own routes as a dialect."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fastapi import APIRouter

from chunkwright.server.answers import problem_answer
from chunkwright.server.dialect import Dialect
from chunkwright.server.routes import (
    api_docs,
    chunk,
    operations,
    page,
    preview,
    read,
    store,
    stored_pages,
    tasks,
)

if TYPE_CHECKING:
    from chunkwright.server.service import Service

# Anybody may load the pages; the requests that they make need a key.
PAGE = frozenset({*page.PAGES, *(f"/assets/{name}" for name in page.ASSETS)})
OPEN = frozenset({"/health", "/livez", "/ready", "/readyz", "/version"}) | PAGE | api_docs.PAGES


def _router() -> APIRouter:
    router = APIRouter()
    for each in (operations, chunk, preview, read, store, stored_pages, tasks, page, api_docs):
        router.include_router(each.router)
    return router


def _add_handlers(service: Service) -> None:
    service.handlers[stored_pages.DRAWING] = partial(stored_pages.drawn, service)


_READING = frozenset(
    {"/v1/chunk", "/v1/compare", "/v1/count", "/v1/page", "/v1/preview", "/v1/read"}
)
NATIVE = Dialect(
    "chunkwright",
    _router,
    lambda _: True,
    problem_answer,
    open_paths=OPEN,
    add_handlers=_add_handlers,
    reads=_READING.__contains__,
)
"""Our own routes."""
