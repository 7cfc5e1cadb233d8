"""Showing of candidates: the places and texts of found blocks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from chunkwright.elements.box import Box
from chunkwright.store.linking import Duplicates
from chunkwright.store.searching.found import Found
from chunkwright.store.state import metadata_of_all

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from chunkwright.store.database.protocol import Database, Session
    from chunkwright.store.searching.candidates import Candidate
    from chunkwright.store.searching.rows import BlockRows, StandingBlock

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

    def texts(self, candidates: Sequence[Candidate]) -> list[str]:
        """Return the text of each candidate, with that of its neighbour in the order of both."""
        with self._database.reading() as session:
            standing = [self._standing(session, each) for each in candidates]
        return [_text(of, *blocks) for of, blocks in zip(candidates, standing, strict=True)]

    def hits(
        self, session: Session, candidates: Sequence[Candidate]
    ) -> Callable[[Candidate], Found]:
        """Return what makes hits of candidates; most are to be of the documents of these."""
        duplicates = Duplicates(session)
        documents = dict.fromkeys(self._rows.version(each.row)[0] for each in candidates)
        metadata = metadata_of_all(session, list(documents))

        def hit_of(of: Candidate) -> Found:
            document = self._rows.version(of.row)[0]
            if document not in documents:
                documents[document] = None
                metadata.update(metadata_of_all(session, [document]))
            return self._found(session, of, metadata, duplicates)

        return hit_of

    def without_duplicates(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Return the candidates without those that say nearly the same as a better one."""
        with self._database.reading() as session:
            duplicates = Duplicates(session)
            if not duplicates.any:
                return list(candidates)
            blocks = [self._rows.block(session, each.row) for each in candidates]
            return [candidates[number] for number in duplicates.shown(blocks)]

    def _standing(
        self, session: Session, of: Candidate
    ) -> tuple[StandingBlock, StandingBlock | None]:
        """Return the block of a candidate, and its neighbour if that belongs to it."""
        own = self._rows.standing(session, of.row)
        return own, None if of.beside is None else self._rows.standing(session, of.beside)

    def _found(
        self,
        session: Session,
        of: Candidate,
        metadata: Mapping[int, dict[str, Any]],
        duplicates: Duplicates,
    ) -> Found:
        document, version, ordinal = self._rows.version(of.row)
        own, beside = self._standing(session, of)
        uri, block, block_type, headings, pages, boxes, start, end, first, last = own.place
        found = Found(
            block,
            uri,
            version,
            ordinal,
            of.score,
            _text(of, own, beside),
            block_type,
            tuple(json.loads(headings)),
            tuple(json.loads(pages)),
            tuple(Box(**each, width=None, height=None) for each in json.loads(boxes)),
            start,
            end,
            first,
            last,
            metadata=dict(metadata.get(document, {})),
            why=of.why,
            neighbours=() if beside is None else (beside.block,),
            duplicates=tuple(duplicates.of(block)),
            origin=own.origin,
        )
        return found.with_chunk_of(own)


def _text(of: Candidate, own: StandingBlock, beside: StandingBlock | None) -> str:
    text = own.contextual_text[of.start : of.end]
    if beside is None or of.beside is None:
        return text
    parts = [beside.text, text] if of.beside < of.row else [text, beside.text]
    return _BETWEEN.join(parts)
