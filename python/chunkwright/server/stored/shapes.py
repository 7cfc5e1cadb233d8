"""Shapes of places, hits and citations of a store."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from chunkwright.server.schemas.quotes import CiteAnswer, QuotePlace
from chunkwright.server.schemas.store import BoxShape, Hit

if TYPE_CHECKING:
    from collections.abc import Collection

    from chunkwright.store import Citation, Found, Place

# Decimals of scores.
_DECIMALS = 4


def place_of(of: Place | Found) -> dict[str, Any]:
    """Return where something stands, by the names that `PlaceShape` has."""
    return {
        "document": of.document,
        "version": of.version,
        "pages": list(of.pages),
        "line_start": of.line_start,
        "line_end": of.line_end,
        "headings": list(of.headings),
    }


def quote_place(of: Place) -> QuotePlace:
    """Return a place of quoted words."""
    return QuotePlace(
        **place_of(of), text=of.text, block=of.block, origin=of.origin, edited_as=of.edited_as
    )


def hit_of(of: Found, fields: Collection[str]) -> Hit:
    """Return a hit, with the fields that were asked for beside those that all have."""
    hit = Hit(
        **place_of(of),
        block=of.block,
        score=round(of.score, _DECIMALS),
        type=of.block_type,
        text=of.text,
        beside=list(of.neighbours),
        duplicates=list(of.duplicates),
    )
    if "boxes" in fields:
        hit.boxes = [BoxShape(**box._asdict()) for box in of.boxes]
    if "metadata" in fields:
        hit.metadata = dict(of.metadata)
    if "why" in fields:
        hit.why = {name: value for name, value in asdict(of.why).items() if value is not None}
    return hit


def citation_of(of: Citation) -> CiteAnswer:
    """Return a citation."""
    row = asdict(of)
    return CiteAnswer(citation=row.pop("id"), by=row.pop("cited_by"), **row)
