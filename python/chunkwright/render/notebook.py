"""Chunks as HTML: the text in alternating colours, for notebooks.

Jinja2 comes with an extra, and notebooks show chunks without it: the standard library fills these
templates in. Colours and words are those of the viewer's pages; scripts there are none, since
notebooks remove them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from html import escape
from importlib.resources import files
from itertools import repeat
from string import Template
from typing import TYPE_CHECKING

from chunkwright.frames import without_surrogates
from chunkwright.render.viewing.assets import light_colours
from chunkwright.render.viewing.endings import ending_rows

if TYPE_CHECKING:
    from chunkwright.chunk_view import Chunk
    from chunkwright.chunks import Chunks

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
        Each chunk in a colour, with its size and why it ends; what is repeated is underlined, in a
        colour of its own. Offsets are tooltips.
    """
    shown = chunks[:MAX_CHUNKS]
    n_more = len(chunks) - len(shown)
    return _template("chunks").substitute(
        n_chunks=len(chunks),
        of=f" of {_escaped(chunks.name)}" if chunks.name else "",
        chunks="".join(map(_chunk, range(len(shown)), shown, _endings(chunks))),
        left_out=_template("left_out").substitute(n_more=n_more) if n_more else "",
    )


def _endings(chunks: Chunks) -> Iterator[str]:
    """Yield for each chunk why, or where, it ends; nothing for chunks of several documents."""
    if len(chunks.names) != 1:
        return repeat("")
    rows = ending_rows(chunks[: MAX_CHUNKS + 1], chunks.source, None, {})
    return (f" · {row['words']}" for row in rows)


def _chunk(index: int, chunk: Chunk, ending: str) -> str:
    return _template("chunk").substitute(
        index=index,
        colour=light_colours()[f"tone-{index % 2}"],
        start=chunk.start,
        end=chunk.end,
        n_tokens=chunk.n_tokens,
        ending=_escaped(ending),
        pieces="".join(_piece(role, text) for role, text in chunk.piece_texts()),
    )


def _piece(role: str, text: str) -> str:
    shown = _escaped(text)
    if role == "body":
        return shown
    return _template("repeated").substitute(
        text=shown, role=role, colour=light_colours().get(role, "#ffffff")
    )


@cache
def _template(name: str) -> Template:
    file = files("chunkwright.render") / "templates" / "notebook" / f"{name}.html"
    return Template(file.read_text("utf-8").rstrip())


def _escaped(text: str) -> str:
    # A page is sent in UTF-8.
    return escape(without_surrogates(text))
