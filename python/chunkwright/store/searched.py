"""Texts that are embedded and searched, of the blocks of a version."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from chunkwright.context import contextual_text
from chunkwright.store.content import document_of
from chunkwright.store.importing.drafts import Row as ChunkRow
from chunkwright.store.importing.drafts import input_hash
from chunkwright.store.state import MANUAL, content_row, context_text

if TYPE_CHECKING:
    from chunkwright.store.database.protocol import Row, Session

COLUMNS: Final = "p.input_hash, p.chunk, p.context, b.origin, b.text"
"""What :meth:`SearchedTexts.of` reads, of ``p`` (placements) and ``b`` (blocks)."""


class SearchedTexts:
    """Texts of the blocks of a version; its document is read only where rows do not tell them.

    A block keeps the text that it was first cut with, of which whitespace may have changed since.

    Parameters
    ----------
    session
        The transaction.
    document, version
        The version.
    """

    def __init__(self, session: Session, document: int, version: int) -> None:
        self._session, self._of = session, (document, version)

    def of(self, row: Row) -> str:
        """Return what is searched of a block: all pieces of its chunk behind its context.

        Parameters
        ----------
        row
            Its ``COLUMNS``.
        """
        own_hash, chunk, context, origin, text = row
        before = context_text(context)
        if origin == MANUAL:
            return contextual_text(before, text)
        pieces = ChunkRow.of_json(chunk)
        whole = pieces.text_around(text)
        if whole is not None:
            searched = contextual_text(before, whole)
            if input_hash(searched) == own_hash:
                return searched
        parts = (self._data[start:end] for _, start, end in pieces.pieces)
        return contextual_text(before, b"".join(parts).decode("utf-8", "surrogatepass"))

    @cached_property
    def _data(self) -> bytes:
        content = content_row(self._session, *self._of)
        found = None if content is None else document_of(content[0], "")
        return b"" if found is None else found.text.encode("utf-8", "surrogatepass")


def searched_texts(session: Session, document: int, version: int) -> list[tuple[bytes, str]]:
    """Return what is embedded and searched of a version, in order, each with its hash."""
    rows = session.rows(
        f"SELECT {COLUMNS} FROM placements p JOIN blocks b ON b.id = p.block"  # noqa: S608
        " WHERE p.document = ? AND p.version = ? ORDER BY p.ordinal",
        (document, version),
    )
    texts = SearchedTexts(session, document, version)
    return [(row[0], texts.of(row)) for row in rows]
