"""Texts of blocks as they are searched and embedded: contexts, repeated parts and own texts."""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from chunkwright.context import contextual_text
from chunkwright.store.content import document_of
from chunkwright.store.drafts import Row, input_hash
from chunkwright.store.model import MANUAL
from chunkwright.store.reading import content_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkwright.store.database.protocol import Session

SEARCHED: Final = "p.input_hash, p.chunk, p.context, b.origin, b.text"
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

    def of(self, row: Sequence[Any]) -> str:
        """Return what is searched of a block: all pieces of its chunk behind its context.

        Parameters
        ----------
        row
            Its ``SEARCHED``.
        """
        own_hash, chunk, context, origin, text = row
        before = context_text(context)
        if origin == MANUAL:
            return contextual_text(before, text)
        pieces = Row.of_json(chunk)
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
        f"SELECT {SEARCHED} FROM placements p JOIN blocks b ON b.id = p.block"  # noqa: S608
        " WHERE p.document = ? AND p.version = ? ORDER BY p.ordinal",
        (document, version),
    )
    texts = SearchedTexts(session, document, version)
    return [(row[0], texts.of(row)) for row in rows]


def context_text(context: str | None) -> str:
    """Return the text of a stored context; empty if there is none."""
    return "" if context is None else json.loads(context)[0]
