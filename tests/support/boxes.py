"""Boxes of chunks as rows have them."""

from typing import Any

import chunkwright as cw

FIELDS = ("page", "left", "top", "right", "bottom")


def boxes_of(chunk: cw.Chunk) -> list[dict[str, Any]] | None:
    """Return the boxes of a chunk's elements as its row says them."""
    return [{name: getattr(box, name) for name in FIELDS} for box in chunk.boxes] or None
