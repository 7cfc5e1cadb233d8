"""Displays of notebooks: chunks, hits, documents and results of evaluations as HTML.

Jinja2 comes with an extra, and notebooks show these without it: the standard library fills the
templates in. Colours and words are those of the viewer's pages; scripts there are none, since
notebooks remove them. Each has a ground and a colour of its own, so that it can be read in light
and in dark notebooks: the scheme is that of the notebook where it says so, as those of JupyterLab
and VS Code do, else that of the system.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from itertools import repeat
from string import Template
from typing import TYPE_CHECKING, NamedTuple

from chunkwright.frames import without_surrogates
from chunkwright.messages.terminal_text import counted
from chunkwright.render import clipped
from chunkwright.render.viewing.assets import colours
from chunkwright.render.viewing.endings import ending_rows

if TYPE_CHECKING:
    from chunkwright.chunk_view import Chunk
    from chunkwright.chunks import Chunks
    from chunkwright.document import Document


class ShownText(NamedTuple):
    """A text, and what is said of it.

    Attributes
    ----------
    text
        The text.
    facts
        What stands above it.
    number
        Its number, by which colours alternate.
    place
        Where it is from, as its tooltip.
    """

    text: str
    facts: Sequence[str]
    number: int
    place: str


# A notebook keeps what it shows: a long document is cut short.
MAX_CHUNKS = 200
_MOST_TEXTS = 50
_MOST_CHARS = 4_000
_MOST_HEADINGS = 40
_MOST_TITLE = 200


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
    facts = [counted(len(chunks), "chunk")]
    if len(chunks) > len(shown):
        facts.append(f"the first {len(shown)} are shown")
    parts = "".join(map(_chunk, range(len(shown)), shown, _endings(chunks)))
    return _card(chunks.name or "Chunks", facts, parts)


def chunk_display(chunk: Chunk) -> str:
    """Return a chunk as an HTML fragment: its text by roles, and where it stands."""
    facts = [counted(chunk.n_tokens, "token"), f"characters {chunk.start}-{chunk.end}"]
    facts += place_facts(chunk.pages, chunk.headings)
    block = _block(chunk.index, f"{chunk.start}-{chunk.end}", "", _pieces(chunk))
    return _card(f"Chunk {chunk.index}", facts, block)


def texts_display(title: str, facts: Sequence[str], texts: Sequence[ShownText]) -> str:
    """Return texts as an HTML fragment, as hits of a question are; the first 50 of them."""
    return _card(title, facts, "".join(map(_shown_text, texts[:_MOST_TEXTS])))


def document_display(document: Document) -> str:
    """Return a document as an HTML fragment: what it has, its headings, and how it begins."""
    elements = document.elements
    facts = [counted(len(document.text), "character")]
    if document.pages:
        facts.append(counted(len(document.pages), "page"))
    headings: list[tuple[int, str]] = []
    if elements is not None:
        counts = Counter(elements.kinds)
        facts += [counted(n, kind) for kind, n in counts.most_common()]
        headings = [
            (elements.levels[i] or 1, elements.titles.get(i, elements.text_of(i)).strip())
            for i, kind in enumerate(elements.kinds)
            if kind == "heading"
        ]
    begins = _template("text").substitute(text=_text(document.text))
    return _card(document.name or "Document", facts, _outline(headings) + begins)


def scores_display(title: str, facts: Iterable[str], scores: Mapping[str, float]) -> str:
    """Return scores from 0 to 1 as an HTML fragment, each with a bar."""
    rows = "".join(
        _template("score").substitute(
            metric=_escaped(metric),
            score=f"{score:.3f}",
            percent=f"{100 * min(1.0, max(0.0, score)):.1f}",
            bar=colours()["bar-0"].style("background"),
            track=colours()["faint"].style("background"),
        )
        for metric, score in scores.items()
    )
    return _card(title, facts, _template("scores").substitute(rows=rows))


# -------------------------------------------------------------------------------- parts


def _card(title: str, facts: Iterable[str], body: str) -> str:
    """Return a fragment with a title, some facts, and HTML below them."""
    shown = (_escaped(clipped(fact, _MOST_TITLE)) for fact in facts if fact)
    return _template("card").substitute(
        ground=colours()["paper"].style("background"),
        ink=colours()["ink"].style("color"),
        line=colours()["faint"].style("border-color"),
        soft=colours()["soft"].style("color"),
        title=_escaped(clipped(title, _MOST_TITLE)),
        facts=" · ".join(shown),
        body=body,
    )


def _endings(chunks: Chunks) -> Iterator[str]:
    """Yield for each chunk why, or where, it ends; nothing for chunks of several documents."""
    if len(chunks.names) != 1:
        return repeat("")
    rows = ending_rows(chunks[: MAX_CHUNKS + 1], chunks.source, None, {})
    return (f" · {row['words']}" for row in rows)


def _chunk(index: int, chunk: Chunk, ending: str) -> str:
    about = f"{index} · {counted(chunk.n_tokens, 'token')}{ending}"
    return _block(index, f"{index}: {chunk.start}-{chunk.end}", about, _pieces(chunk))


def _pieces(chunk: Chunk) -> str:
    return "".join(_piece(role, text) for role, text in chunk.piece_texts())


def _shown_text(shown: ShownText) -> str:
    about = " · ".join(clipped(each, _MOST_TITLE) for each in shown.facts)
    return _block(shown.number, shown.place, about, _text(shown.text))


def _block(tone: int, title: str, about: str, body: str) -> str:
    """Return a text in a colour, with a line above it, if there is anything to say."""
    line = ""
    if about:
        soft = colours()["soft"].style("color")
        line = _template("about").substitute(soft=soft, about=_escaped(about))
    return _template("chunk").substitute(
        ground=colours()[f"tone-{tone % 2}"].style("background"),
        title=_escaped(title),
        about=line,
        body=body,
    )


def _piece(role: str, text: str) -> str:
    shown = _escaped(text)
    if role == "body":
        return shown
    colour = colours().get(role, colours()["paper"])
    return _template("repeated").substitute(
        text=shown, role=_escaped(role), ground=colour.style("background")
    )


def _outline(headings: Sequence[tuple[int, str]]) -> str:
    """Return headings, each below the last one of a lower level."""
    items, above = [], list[int]()
    for level, title in headings[:_MOST_HEADINGS]:
        while above and above[-1] >= level:
            above.pop()
        items.append(
            _template("heading").substitute(
                indent=f"{1.1 * len(above):.1f}", title=_escaped(clipped(title, _MOST_TITLE))
            )
        )
        above.append(level)
    if len(headings) > _MOST_HEADINGS:
        more = counted(len(headings) - _MOST_HEADINGS, "more heading")
        items.append(_template("heading").substitute(indent="0", title=_escaped(more)))
    return "".join(items)


def place_facts(pages: Sequence[int] | None, headings: Sequence[str] | None) -> list[str]:
    """Return what is said of where a text stands: its pages, and the headings above it."""
    shown = []
    if pages:
        shown.append(f"page {', '.join(map(str, pages))}")
    if headings:
        shown.append(" › ".join(headings))
    return shown


def _text(text: str) -> str:
    """Return how a text begins, escaped."""
    return _escaped(clipped(text, _MOST_CHARS))


@cache
def _template(name: str) -> Template:
    file = files("chunkwright.render") / "templates" / "notebook" / f"{name}.html"
    return Template(file.read_text("utf-8").rstrip())


def _escaped(text: str) -> str:
    # A page is sent in UTF-8.
    return escape(without_surrogates(text))
