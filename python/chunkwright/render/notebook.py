"""Chunks as HTML: the text in alternating colours, for notebooks.

Jinja2 comes with an extra, and notebooks show chunks without it: the standard library fills these
templates in.
"""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.resources import files
from string import Template
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
    n_more = len(chunks) - len(shown)
    return _template("chunks").substitute(
        n_chunks=len(chunks),
        of=f" of {_escaped(chunks.name)}" if chunks.name else "",
        chunks="".join(_chunk(i, chunk) for i, chunk in enumerate(shown)),
        left_out=_template("left_out").substitute(n_more=n_more) if n_more else "",
    )


def _chunk(index: int, chunk: Chunk) -> str:
    return _template("chunk").substitute(
        index=index,
        colour=COLOURS[index % len(COLOURS)],
        start=chunk.start,
        end=chunk.end,
        n_tokens=chunk.n_tokens,
        pieces="".join(_piece(role, text) for role, text in chunk.piece_texts()),
    )


def _piece(role: str, text: str) -> str:
    shown = _escaped(text)
    return shown if role == "body" else _template("repeated").substitute(text=shown)


@cache
def _template(name: str) -> Template:
    file = files("chunkwright.render") / "templates" / "notebook" / f"{name}.html"
    return Template(file.read_text("utf-8").rstrip())


def _escaped(text: str) -> str:
    # A page is sent in UTF-8.
    return escape(without_surrogates(text))
