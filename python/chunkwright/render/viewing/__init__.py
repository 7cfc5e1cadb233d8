"""Views of chunks: their data as JSON can say it, and pages that show them.

`view_of` makes the data, `page_of` a whole page; `viewer_script` and `viewer_style` are what a page
of one's own needs to show them with ``ChunkwrightViewer.mount(element, data, options)``.
"""

from chunkwright.render.viewing.assets import viewer_script, viewer_style
from chunkwright.render.viewing.data import view_of
from chunkwright.render.viewing.page import page_of, page_of_view

__all__ = ["page_of", "page_of_view", "view_of", "viewer_script", "viewer_style"]
