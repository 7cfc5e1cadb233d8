"""Resolution of citations: where quoted words stand today, or what became of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from chunkwright.store.citing.citations import Citation, span_in_version
from chunkwright.store.citing.places import Place, place_in
from chunkwright.store.citing.quotes import places_of
from chunkwright.store.importing.identities import out_of_order
from chunkwright.store.state import DocumentState
from chunkwright.store.versions import block_of, document_at, known_state

if TYPE_CHECKING:
    from chunkwright.document import Document
    from chunkwright.store.database.protocol import Session

Status = Literal["same", "moved", "superseded", "gone", "erased"]
"""What became of a citation: its block stands where it stood among the others, or its words stand
elsewhere; another text took the place of its block; it is gone; or all of it was erased."""


@dataclass(frozen=True)
class Resolution:
    """What became of a citation.

    Attributes
    ----------
    status
        ``"same"``: the block stands in the current version, in the old order. ``"moved"``: it does
        in another order, or its words do in other blocks. ``"superseded"``: the block is gone, and
        another one took its place. ``"gone"``: it is gone, or the document is. ``"erased"``: it was
        erased with its document, and nothing but its id was kept.
    citation
        The citation.
    place
        Where the words stand in the current version, or the block that took their place; None if
        they are gone.
    cited
        Where they stood in the version that was cited.
    superseded_by
        The id of the block that took the place of the cited one.
    """

    status: Status
    citation: Citation
    place: Place | None
    cited: Place
    superseded_by: str | None = None

    @property
    def resolves(self) -> bool:
        """Whether the words stand in the current version."""
        return self.status in {"same", "moved"}


def resolve(session: Session, of: Citation) -> Resolution:
    """Return what became of a citation.

    Raises
    ------
    StoreError
        If its version cannot be read.
    """
    state, _ = known_state(session, of.document, of.version)
    return _Resolving(session, of, state).resolution()


def resolved_as_erased(number: str, erased_at: str) -> Resolution:
    """Return what became of a citation that was erased: no text of it is known.

    Parameters
    ----------
    number
        Its id.
    erased_at
        When that was.
    """
    nothing = Citation(number, "", 0, "", "", 0, 0, None, erased_at)
    return Resolution("erased", nothing, None, Place("", 0, 0, 0, 0, 0, (), (), (), ""))


class _Resolving:
    def __init__(self, session: Session, of: Citation, state: DocumentState) -> None:
        self._session, self._of, self._state = session, of, state
        self._documents: dict[int, Document] = {}

    def resolution(self) -> Resolution:
        of, current = self._of, self._state.version
        cited = self._block_at(of.version, of.block)
        if cited is None:
            # The version was pruned; the block says the same in others.
            cited = self._unplaced()
        if current is None:
            return Resolution("gone", of, None, cited)
        place = self._block_at(current, of.block)
        if place is not None:
            return Resolution("moved" if self._has_moved(current) else "same", of, place, cited)
        place = self._words_at(current, cited.start)
        if place is not None:
            return Resolution("moved", of, place, cited)
        after = self._successor(current)
        if after is not None:
            place = self._whole(current, after)
            stands = after if place is None else place.block
            return Resolution("superseded", of, place, cited, stands)
        return Resolution("gone", of, None, cited)

    def _block_at(self, version: int, block: str) -> Place | None:
        """Return where the quoted part of a block stands in a version; None if it does not."""
        row = self._placement(version, block)
        if row is None:
            return None
        stands, restores, is_edited = row
        document = self._document(version)
        data = document.text.encode()
        of = self._of
        if is_edited:
            span = span_in_version(restores, data)
        else:
            text = block_of(self._session, block).text
            span = span_in_version(restores, data, text, (of.start, of.end))
        return place_in(document, of.document, version, span, stands)

    def _whole(self, version: int, block: str) -> Place | None:
        row = self._placement(version, block)
        if row is None:
            return None
        document = self._document(version)
        span = span_in_version(row[1], document.text.encode())
        return place_in(document, self._of.document, version, span, row[0])

    def _placement(self, version: int, block: str) -> tuple[str, str, bool] | None:
        """Return what stands where a block was cut: its id, what restores it, and if by hand."""
        row = self._session.row(
            "SELECT p.block, p.chunk, b.origin FROM placements p JOIN blocks b ON b.id = p.block"
            " WHERE p.document = ? AND p.version = ? AND (b.id = ? OR b.base = ?)",
            (self._state.id, version, block, block),
        )
        return None if row is None else (row[0], row[1], row[0] == block and row[2] == "manual")

    def _unplaced(self) -> Place:
        of = self._of
        return Place(of.document, of.version, 0, 0, 0, 0, (), (), (), of.quote, of.block)

    def _has_moved(self, current: int) -> bool:
        """Return whether the block stands in another order among those of both versions."""
        if current == self._of.version:
            return False
        old, new = self._order(self._of.version), self._order(current)
        places = {block: number for number, block in enumerate(old)}
        pairs = {number: places[block] for number, block in enumerate(new) if block in places}
        return any(new[number] == self._of.block for number in out_of_order(pairs))

    def _document(self, version: int) -> Document:
        """Return a version as it was read, once for versions with the same content."""
        row = self._session.row(
            "SELECT content_version FROM versions WHERE document = ? AND version = ?",
            (self._state.id, version),
        )
        number = version if row is None else int(row[0])
        if number not in self._documents:
            self._documents[number] = document_at(self._session, self._state, version)
        return self._documents[number]

    def _order(self, version: int) -> list[str]:
        rows = self._session.rows(
            "SELECT COALESCE(b.base, b.id) FROM placements p JOIN blocks b ON b.id = p.block"
            " WHERE p.document = ? AND p.version = ? ORDER BY p.ordinal",
            (self._state.id, version),
        )
        return [row[0] for row in rows]

    def _words_at(self, version: int, near: int) -> Place | None:
        """Return where the quoted words stand in a version, nearest to where they stood."""
        document = self._document(version)
        found = places_of(self._of.quote, document.body)
        if not found:
            return None
        span = min(found, key=lambda each: abs(each[0] - near))
        row = self._session.row(
            "SELECT block FROM placements WHERE document = ? AND version = ? AND char_start <= ?"
            " AND char_end > ? ORDER BY ordinal",
            (self._state.id, version, span[0], span[0]),
        )
        return place_in(document, self._of.document, version, span, None if row is None else row[0])

    def _successor(self, current: int) -> str | None:
        """Return the block that took the place of the cited one, or of what did so before."""
        seen, block = set[str](), self._of.block
        while block not in seen:
            seen.add(block)
            sql = "SELECT superseded_by, base FROM blocks WHERE id = ?"
            row = self._session.row(sql, (block,))
            if row is None or (row[0] is None and row[1] is None):
                return None
            block = str(row[1] if row[0] is None else row[0])
            if self._placement(current, block) is not None:
                return block
        return None
