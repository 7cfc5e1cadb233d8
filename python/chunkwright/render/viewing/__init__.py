"""Views of chunks: their data as JSON can say it."""

from chunkwright.render.viewing.data import view_of

__all__ = ["view_of"]
