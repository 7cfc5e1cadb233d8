"""Page chunker: a chunk for each page."""

from __future__ import annotations

from . import peer


class PageChunker(peer.PageChunker):
    """Docling's `PageChunker`: its parameters and chunks."""
