"""Our own routes as a dialect."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING

from fastapi import APIRouter

from chunkwright.server.dialect import Dialect
from chunkwright.server.guard.requests import STREAMS
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
OPEN = frozenset(operations.PROBES) - {operations.METRICS} | PAGE | api_docs.PAGES
_READING = {
    getattr(route, "path", "") for each in (chunk, preview, read) for route in each.router.routes
}


def _router() -> APIRouter:
    router = APIRouter()
    for each in (operations, chunk, preview, read, store, stored_pages, tasks, page, api_docs):
        router.include_router(each.router)
    return router


def _add_handlers(service: Service) -> None:
    service.handlers[stored_pages.DRAWING] = partial(stored_pages.drawn, service)


NATIVE = Dialect(
    "chunkwright",
    _router,
    lambda _: True,
    attrgetter("body"),
    open_paths=OPEN,
    add_handlers=_add_handlers,
    reads=(_READING - STREAMS).__contains__,
)
"""Our own routes."""
