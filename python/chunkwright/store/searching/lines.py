"""Lines of page headers and footers: read from documents, kept as bytes, and shown as hits."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwright.elements.box import Box
from chunkwright.errors import ReadError, StoreError
from chunkwright.store.content import document_of
from chunkwright.store.importing.drafts import stored_text
from chunkwright.store.searching.found import Found, Why
from chunkwright.store.state import content_row, metadata_of, uri_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chunkwright.elements.elements import Element
    from chunkwright.store.database.protocol import Session


class Line(NamedTuple):
    """A page header or footer of the current version of a document.

    Attributes
    ----------
    document
        The number of the document.
    kind
        The kind of its element, such as ``"page header"``.
    text
        Its text.
    start, end
        Where it stands first, in code points of the version's text.
    line_start, line_end
        The lines of that text.
    pages
        All pages that it is on.
    boxes
        Where it stands on these: page, left, top, right and bottom.
    """

    document: int
    kind: str
    text: str
    start: int
    end: int
    line_start: int
    line_end: int
    pages: list[int]
    boxes: list[list[Any]]


_TYPES = (int, str, str, int, int, int, int, list, list)


def lines_of(session: Session, document: int, version: int) -> list[Line]:
    """Return the page headers and footers of a version, equal ones as one."""
    content = content_row(session, document, version)
    read = None if content is None else document_of(content[0], "")
    elements = None if read is None else read.elements
    if elements is None:
        return []
    found: dict[tuple[str, str], Line] = {}
    for element in elements[elements.n_body :]:
        text = stored_text(element.text)
        if not text.strip():
            continue
        kind, start, end, lines = element.kind, element.start, element.end, element.lines
        new = Line(document, kind, text, start, end, lines[0], lines[1], [], [])
        line = found.setdefault((kind, text), new)
        line.pages.extend(page for page in element.pages if page not in line.pages[-2:])
        line.boxes.extend(list(box[:5]) for box in _boxes(element))
    return [line._replace(pages=sorted(set(line.pages))) for line in found.values()]


def _boxes(element: Element) -> tuple[Box, ...]:
    try:
        return element.boxes
    except ReadError:
        # A box that its source gives in a form that is not known costs the line nothing.
        return ()


def lines_to_bytes(lines: Iterable[Line]) -> bytes:
    """Return lines as bytes."""
    return json.dumps([*lines], ensure_ascii=False).encode()


def lines_of_bytes(data: bytes) -> tuple[Line, ...]:
    """Return the lines that :func:`lines_to_bytes` wrote.

    Raises
    ------
    ReadError
        If the bytes are no lines.
    """
    try:
        lines = tuple(Line(*row) for row in json.loads(data))
    except (TypeError, ValueError, RecursionError):
        raise ReadError("the lines of a segment are damaged") from None
    if not all(tuple(map(type, line)) == _TYPES for line in lines):
        raise ReadError("the lines of a segment are no lines")
    return lines


class Ranked(NamedTuple):
    """A line that has a part of a question.

    Attributes
    ----------
    line
        The line.
    share
        How much of the weight of the question's words it has, above 0 and at most 1.
    """

    line: Line
    share: float


def found_line(session: Session, of: Ranked, version: int, score: float) -> Found:
    """Return a line as a hit.

    Parameters
    ----------
    session
        The transaction.
    of
        The line, with its share of the question.
    version
        The current version of its document.
    score
        Its score beside those of blocks.

    Raises
    ------
    StoreError
        If its document was erased since.
    """
    line = of.line
    uri = uri_of(session, line.document)
    if not uri:
        raise StoreError(f"document {line.document} was erased meanwhile")
    return Found(
        "",
        uri,
        version,
        -1,
        score,
        line.text,
        line.kind,
        (),
        tuple(line.pages),
        tuple(Box._make([*box, None, None]) for box in line.boxes),
        *(line.start, line.end, line.line_start, line.line_end),
        metadata=metadata_of(session, line.document),
        why=Why(words=of.share),
    )
