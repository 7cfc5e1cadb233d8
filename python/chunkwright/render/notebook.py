"""Chunks as HTML: the text in alternating colours, for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from chunkwright.frames import without_surrogates

if TYPE_CHECKING:
    from chunkwright.chunk_view import Chunk
    from chunkwright.chunks import Chunks

# Pale enough for dark text; neighbours differ in hue.
COLOURS = ("#cfe8ff", "#ffe6b3", "#d5f0c9", "#f7d0de", "#e2d6f7")
# A notebook keeps what it shows: a long document is cut short.
MAX_CHUNKS = 200


def render(chunks: Chunks) -> str:
    """Return chunks as an HTML fragment without scripts or outside resources.

    Parameters
    ----------
    chunks
        At most the first 200 are shown.

    Returns
    -------
    str
        Each chunk in a colour, overlaps underlined, with sizes and offsets as tooltips.
    """
    shown = chunks[:MAX_CHUNKS]
    body = "".join(_chunk(i, chunk) for i, chunk in enumerate(shown))
    more = len(chunks) - len(shown)
    rest = f"<p>... {more} more chunks</p>" if more else ""
    name = f" of {_escaped(chunks.name)}" if chunks.name else ""
    style = "white-space:pre-wrap;font-family:monospace;line-height:1.5;color:#222"
    return f'<p>{len(chunks)} chunks{name}</p><div style="{style}">{body}</div>{rest}'


def _chunk(index: int, chunk: Chunk) -> str:
    colour = COLOURS[index % len(COLOURS)]
    title = f"{index}: {chunk.start}-{chunk.end}, {chunk.n_tokens} tokens"
    pieces = "".join(_piece(role, text) for role, text in chunk.piece_texts())
    return f'<div style="background:{colour};margin:2px" title="{title}">{pieces}</div>'


def _piece(role: str, text: str) -> str:
    shown = _escaped(text)
    return shown if role == "body" else f"<u>{shown}</u>"


def _escaped(text: str) -> str:
    # A page is sent in UTF-8.
    return escape(without_surrogates(text))
