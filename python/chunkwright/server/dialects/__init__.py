"""Dialects of the service: our own routes, and those that clients of other services speak."""

from __future__ import annotations

from chunkwright.server.dialect import Dialect
from chunkwright.server.dialects.docling import DOCLING
from chunkwright.server.dialects.native import NATIVE
from chunkwright.server.dialects.unstructured import UNSTRUCTURED

DIALECTS: tuple[Dialect, ...] = (NATIVE, DOCLING, UNSTRUCTURED)
"""The dialects. A path that none of them owns is answered as ours are."""


def dialect_of(path: str) -> Dialect:
    """Return the dialect that a path belongs to."""
    return next((each for each in DIALECTS[1:] if each.owns(path)), NATIVE)
