"""Edits of blocks by hand, which imports keep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkwright import _core
from chunkwright.context import contextual_text
from chunkwright.errors import ConfigError, EditedBlockError, StoreError
from chunkwright.store.drafts import input_hash, stored_text
from chunkwright.store.model import MANUAL
from chunkwright.store.reading import next_version
from chunkwright.store.schema import now
from chunkwright.store.searched_texts import context_text

if TYPE_CHECKING:
    from chunkwright.store.database.protocol import Row, Session


@dataclass(frozen=True)
class Edit:
    """A block that was written by hand to replace one that was cut.

    Attributes
    ----------
    block
        The id of the block.
    base
        The id of the block that was cut.
    document
        The address of the document.
    text
        The text that was written.
    source
        The text that was cut.
    is_stale
        Whether the source has changed since; a stale edit is kept, but not found.
    """

    block: str
    base: str
    document: str
    text: str
    source: str
    is_stale: bool


def searched_of(session: Session, block: str, text: str) -> str:
    """Return what is searched of a text in the place of a block: its context before it.

    Raises
    ------
    StoreError
        If no current version has the block.
    """
    return contextual_text(context_text(_stands(session, block)[4]), text)


def edit(session: Session, block: str, text: str, n_tokens: int) -> str:
    """Write a block in the place of another one, as a new version of the document.

    Parameters
    ----------
    session
        The transaction.
    block
        The id of a block of the current version, cut or edited.
    text
        The new text.
    n_tokens
        Its tokens.

    Returns
    -------
    str
        The id of the new block.

    Raises
    ------
    EditedBlockError
        If the block was edited meanwhile.
    StoreError
        If no current version has the block.
    ConfigError
        If the text is empty.
    """
    if not text.strip():
        raise ConfigError(f"text must say something, got {text!r}", option="text")
    document, uri, version, ordinal, context, base = _stands(session, block)
    number = _next_version(session, document, version)
    own = _written(session, (document, uri, base), text, n_tokens, number)
    searched = contextual_text(context_text(context), text)
    session.run(
        "UPDATE placements SET block = ?, input_hash = ?, n_tokens = ?, confidence = NULL"
        " WHERE document = ? AND version = ? AND ordinal = ?",
        (own, input_hash(searched), n_tokens, document, number, ordinal),
    )
    session.run("UPDATE blocks SET last_version = ? WHERE id = ?", (number, own))
    return own


def _stands(session: Session, block: str) -> Row:
    """Return where a block of a current version stands, with its context and its base.

    Raises
    ------
    EditedBlockError
        If it was edited meanwhile.
    StoreError
        If no current version has it.
    """
    row = session.row(
        "SELECT d.id, d.uri, d.current_version, p.ordinal, p.context, COALESCE(b.base, b.id)"
        " FROM placements p JOIN documents d ON d.id = p.document"
        " AND d.current_version = p.version JOIN blocks b ON b.id = p.block WHERE p.block = ?",
        (block,),
    )
    if row is None:
        if (edited_as := _edited_as(session, block)) is not None:
            raise EditedBlockError(block, edited_as)
        raise StoreError(f"no current version of a document has a block {block!r}")
    return row


def _edited_as(session: Session, block: str) -> str | None:
    """Return the block that was written in the place of another one; None if there is none."""
    sql = (
        "SELECT e.id FROM blocks b JOIN blocks e ON e.base = COALESCE(b.base, b.id)"
        " AND e.superseded_by IS NULL WHERE b.id = ? AND e.id <> b.id"
    )
    row = session.row(sql, (block,))
    return None if row is None else str(row[0])


def edits(session: Session, block: str | None = None) -> list[Edit]:
    """Return all blocks that were written by hand and not written anew since, or one of them."""
    own, parameters = ("b.base IS NOT NULL", []) if block is None else ("b.id = ?", [block])
    rows = session.rows(
        "SELECT b.id, b.base, d.uri, b.text, c.text, b.is_stale FROM blocks b"  # noqa: S608
        " JOIN blocks c ON c.id = b.base JOIN documents d ON d.id = b.document"
        f" WHERE {own} AND b.origin = ? AND b.superseded_by IS NULL"
        " ORDER BY d.id, b.first_version, b.id",
        (*parameters, MANUAL),
    )
    return [
        Edit(block, base, uri, text, source, bool(is_stale))
        for block, base, uri, text, source, is_stale in rows
    ]


def _next_version(session: Session, document: int, version: int) -> int:
    """Write the current version again under a new number, and return that."""
    number = next_version(session, document)
    session.run(
        "INSERT INTO versions SELECT document, ?, content_hash, content_version, NULL,"
        " fingerprint, confidence, ? FROM versions WHERE document = ? AND version = ?",
        (number, now(), document, version),
    )
    columns = (
        "ordinal, block, block_type, parent, headings, page_start, page_end, pages, boxes,"
        " char_start, char_end, line_start, line_end, source_start, source_end, chunk,"
        " prefix_shadow, suffix_shadow, context, input_hash, n_tokens, confidence, speakers,"
        " time_start, time_end"
    )
    session.run(
        f"INSERT INTO placements SELECT document, ?, {columns} FROM placements"  # noqa: S608
        " WHERE document = ? AND version = ?",
        (number, document, version),
    )
    session.run(
        "UPDATE blocks SET last_version = ? WHERE id IN"
        " (SELECT block FROM placements WHERE document = ? AND version = ?)",
        (number, document, number),
    )
    session.run(
        "UPDATE documents SET current_version = ?, revision = revision + 1 WHERE id = ?",
        (number, document),
    )
    return number


def _written(
    session: Session, of: tuple[int, str, str], text: str, n_tokens: int, version: int
) -> str:
    """Write a block by hand; one before it in the same place is superseded."""
    document, uri, base = of
    stored = stored_text(text)
    (content_hash,) = _core.content_hashes([stored])
    row = session.row(
        "SELECT count(*) FROM blocks WHERE document = ? AND origin = ? AND content_hash = ?",
        (document, MANUAL, content_hash),
    )
    occurrence = 0 if row is None else int(row[0])
    own = _core.chunk_id(f"{uri}\n{base}", content_hash, occurrence)
    session.run(
        "UPDATE blocks SET superseded_by = ?, is_stale = 1"
        " WHERE base = ? AND origin = ? AND superseded_by IS NULL",
        (own, base, MANUAL),
    )
    session.insert(
        "blocks",
        [
            (
                *(own, document, content_hash, occurrence, MANUAL, base, 0, stored, n_tokens),
                *(version, version, None),
            )
        ],
    )
    return own
