"""Hierarchical chunker: a chunk for each item or list, with the headings above it."""

from __future__ import annotations

from . import peer


class HierarchicalChunker(peer.HierarchicalChunker):
    """Docling's `HierarchicalChunker`: its parameters and chunks."""
