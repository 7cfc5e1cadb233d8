"""Showing of candidates: the places and texts of found blocks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from chunkwright.elements.box import Box
from chunkwright.errors import StoreError
from chunkwright.retrieval.hits import searched_text
from chunkwright.store.linking import linked
from chunkwright.store.searching.found import Found
from chunkwright.store.state import metadata_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkwright.store.database.protocol import Database, Row, Session
    from chunkwright.store.searching.candidates import Candidate
    from chunkwright.store.searching.rows import BlockRows

# Between a block and its neighbour.
_BETWEEN = "\n\n"


class Showing:
    """Makes hits of candidates.

    Parameters
    ----------
    database
        The store's.
    rows
        The blocks of its index.
    """

    def __init__(self, database: Database, rows: BlockRows) -> None:
        self._database, self._rows = database, rows

    def text(self, of: Candidate) -> str:
        """Return the text of a candidate, with that of its neighbour in the order of both."""
        own = searched_text(self._rows[of.row])[of.start : of.end]
        if of.beside is None:
            return own
        beside = self._rows[of.beside].text
        parts = [beside, own] if of.beside < of.row else [own, beside]
        return _BETWEEN.join(parts)

    def found(self, candidates: Sequence[Candidate]) -> list[Found]:
        """Return candidates as hits."""
        with self._database.reading() as session:
            return [self._found(session, each) for each in candidates]

    def without_duplicates(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Return the candidates without those that say nearly the same as a better one."""
        with self._database.reading() as session:
            if session.row("SELECT 1 FROM duplicates LIMIT 1") is None:
                return list(candidates)
            kept, left_out = [], set[str]()
            for each in candidates:
                block = self._block(session, each.row)
                if block not in left_out:
                    kept.append(each)
                    left_out |= set(linked(session, block))
            return kept

    def _found(self, session: Session, of: Candidate) -> Found:
        document, version, ordinal = self._rows.version(of.row)
        row = _placement(session, document, version, ordinal)
        uri, block, block_type, headings, pages, boxes, start, end, first, last, origin = row
        beside = () if of.beside is None else (self._block(session, of.beside),)
        found = Found(
            block,
            uri,
            version,
            ordinal,
            of.score,
            self.text(of),
            block_type,
            tuple(json.loads(headings)),
            tuple(json.loads(pages)),
            tuple(Box(**each, width=None, height=None) for each in json.loads(boxes)),
            start,
            end,
            first,
            last,
            metadata=metadata_of(session, document),
            why=of.why,
            neighbours=beside,
            duplicates=tuple(linked(session, block)),
            origin=origin,
        )
        return found.with_chunk(self._rows.chunk(of.row) if origin == "cut" else None)

    def _block(self, session: Session, row: int) -> str:
        document, version, ordinal = self._rows.version(row)
        sql = "SELECT block FROM placements WHERE document = ? AND version = ? AND ordinal = ?"
        found = session.row(sql, (document, version, ordinal))
        return "" if found is None else str(found[0])


def _placement(session: Session, document: int, version: int, ordinal: int) -> Row:
    row = session.row(
        "SELECT d.uri, p.block, p.block_type, p.headings, p.pages, p.boxes, p.char_start,"
        " p.char_end, p.line_start, p.line_end, b.origin FROM placements p"
        " JOIN documents d ON d.id = p.document JOIN blocks b ON b.id = p.block"
        " WHERE p.document = ? AND p.version = ? AND p.ordinal = ?",
        (document, version, ordinal),
    )
    if row is None:
        raise StoreError(f"version {version} of document {document} was pruned meanwhile")
    return row
