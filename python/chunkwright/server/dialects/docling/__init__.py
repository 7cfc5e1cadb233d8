"""Dialect of docling-serve: its routes, so that its clients need another base address alone."""

from __future__ import annotations

from chunkwright.server.dialect import Dialect
from chunkwright.server.dialects.docling.refusals import said
from chunkwright.server.dialects.docling.routes import READING, router
from chunkwright.server.dialects.docling.work import add_handlers

_PATHS = (
    *("/v1/chunk/", "/v1/convert/", "/v1/status/", "/v1/result/", "/v1/clear/", "/v1/memory/"),
    "/v1alpha/",
)

DOCLING = Dialect(
    name="docling-serve",
    router=router,
    owns=lambda path: path.startswith(_PATHS),
    said=said,
    key_parameter="api_key",
    add_handlers=add_handlers,
    # What is submitted as a task goes into a file, and to a child from there.
    reads=READING.__contains__,
)
"""docling-serve's routes."""
