"""Citations: quotes of blocks, which are known by ids of their own."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkwright.errors import ConfigError, StoreError
from chunkwright.store.citing.quotes import first_place
from chunkwright.store.importing.drafts import BODY, Row, stored_text
from chunkwright.store.importing.writing import now

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkwright.store.database.protocol import Session

# Of a quote that is not there, so much is shown.
_SHOWN = 80


@dataclass(frozen=True)
class Citation:
    """A quote of a block.

    Attributes
    ----------
    id
        Its id, 32 hexadecimal digits.
    document
        The address of the document.
    version
        The version that was quoted.
    block
        The id of the block.
    quote
        The words, as they stand in the block.
    start, end
        Where they stand in the text of the block, in code points.
    cited_by
        What cites it, as the caller called it.
    created_at
        When it was made, in UTC, as ISO 8601 has it.
    """

    id: str
    document: str
    version: int
    block: str
    quote: str
    start: int
    end: int
    cited_by: str | None
    created_at: str


_SELECT = (
    "SELECT c.id, d.uri, c.version, c.block, c.quote, c.char_start, c.char_end, c.cited_by,"
    " c.created_at FROM citations c JOIN documents d ON d.id = c.document"
)


def cite(session: Session, block: str, quote: str | None, cited_by: str | None) -> Citation:
    """Write a citation of a block.

    Parameters
    ----------
    session
        The transaction.
    block
        The id of the block.
    quote
        Words of it; None: all.
    cited_by
        What cites it.

    Raises
    ------
    StoreError
        If there is no such block.
    ConfigError
        If the block has no such words.
    """
    row = session.row(
        "SELECT b.document, b.text, (SELECT max(p.version) FROM placements p WHERE p.block = b.id)"
        " FROM blocks b WHERE b.id = ?",
        (block,),
    )
    if row is None:
        raise StoreError(f"the store has no block {block!r}")
    document, text, version = row
    if version is None:
        raise StoreError(f"the block {block!r} stands in no version that was not pruned")
    span = (0, len(text)) if quote is None else first_place(quote, text)
    if span is None:
        shown = repr(quote if quote is None or len(quote) <= _SHOWN else f"{quote[:_SHOWN]}...")
        raise ConfigError(f"block {block} has no words {shown}", option="quote")
    start, end = span
    by = None if cited_by is None else stored_text(cited_by)
    number = uuid.uuid4().hex
    values = (document, version, block, text[start:end], start, end, by, now())
    session.insert("citations", [(number, *values)])
    return citation(session, number)


def citation(session: Session, number: str) -> Citation:
    """Return a citation.

    Raises
    ------
    StoreError
        If there is none.
    """
    row = session.row(f"{_SELECT} WHERE c.id = ?", (number,))
    if row is None:
        raise StoreError(f"the store has no citation {number!r}")
    return Citation(*row)


def citations(session: Session, uri: str | None) -> list[Citation]:
    """Return all citations, or those of a document, in the order in which they were made."""
    where = "" if uri is None else " WHERE d.uri = ?"
    order = " ORDER BY c.created_at, c.id"
    rows = session.rows(f"{_SELECT}{where}{order}", () if uri is None else (uri,))
    return [Citation(*row) for row in rows]


def span_in_version(
    row: str, data: bytes, text: str | None = None, part: tuple[int, int] = (0, 0)
) -> tuple[int, int]:
    """Return where a part of a block's own text stands in the text of a version.

    Parameters
    ----------
    row
        What restores the block in the version, as JSON.
    data
        The text of the version, as UTF-8.
    text
        The text of the block; None: all of it is the part. In the version, whitespace may be
        another.
    part
        The part, in code points of the block's text.
    """
    pieces = [piece[1:] for piece in Row.of_json(row).pieces if piece[0] == BODY]
    own = "".join(data[start:end].decode() for start, end in pieces)
    start, end = (0, len(own)) if text is None else _in_other_whitespace(text, own, part)
    begin = _position(pieces, data, start, is_end=False)
    return begin, max(begin, _position(pieces, data, end, is_end=True))


def _in_other_whitespace(text: str, other: str, part: tuple[int, int]) -> tuple[int, int]:
    """Return where a part of a text stands in the same text with other whitespace."""
    if text == other:
        return part
    n_before, n_within = (len("".join(text[a:b].split())) for a, b in ((0, part[0]), part))
    solid = [at for at, char in enumerate(other) if not char.isspace()]
    own = solid[n_before : n_before + n_within]
    return (own[0], own[-1] + 1) if own else (len(other), len(other))


def _position(pieces: Sequence[Sequence[int]], data: bytes, offset: int, *, is_end: bool) -> int:
    """Return the code point of a text at an offset into some parts of it."""
    for begin, stop in pieces:
        part = data[begin:stop].decode()
        if offset < len(part) or (is_end and offset == len(part)):
            return len(data[:begin].decode()) + offset
        offset -= len(part)
    return len(data[: pieces[-1][1]].decode())
