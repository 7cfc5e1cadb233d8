"""Dialects of the service: our own routes, and those that clients of other services speak."""

from __future__ import annotations

from chunkwright.server.dialect import Dialect
from chunkwright.server.dialects.dify import DIFY
from chunkwright.server.dialects.docling import DOCLING
from chunkwright.server.dialects.fastgpt import FASTGPT
from chunkwright.server.dialects.native import NATIVE
from chunkwright.server.dialects.open_webui import OPEN_WEBUI
from chunkwright.server.dialects.unstructured import UNSTRUCTURED
from chunkwright.server.dialects.vector_stores import VECTOR_STORES

DIALECTS: tuple[Dialect, ...] = (
    NATIVE,
    DOCLING,
    UNSTRUCTURED,
    DIFY,
    VECTOR_STORES,
    OPEN_WEBUI,
    FASTGPT,
)
"""The dialects. A path that none of them owns is answered as ours are."""


def dialect_of(path: str) -> Dialect:
    """Return the dialect that a path belongs to."""
    return next((each for each in DIALECTS[1:] if each.owns(path)), NATIVE)
