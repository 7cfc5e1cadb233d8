"""History of a document: its versions as they are read, and what took the place of its blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright.store.citing.views import View
from chunkwright.store.identities import out_of_order

if TYPE_CHECKING:
    from chunkwright.store.database.protocol import Session
    from chunkwright.store.model import DocumentState


class History:
    """Versions of a document, each read once.

    Parameters
    ----------
    session
        The transaction.
    state
        The document.
    version
        The version that others are compared with; None if the document was removed.

    Attributes
    ----------
    now
        That version.
    """

    def __init__(self, session: Session, state: DocumentState, version: int | None) -> None:
        self._session, self._state = session, state
        self._views: dict[int, View] = {}
        self._chains: dict[str, list[str]] = {}
        self._moved: dict[int, set[str]] = {}
        self.now: View | None = None if version is None else self.view(version)

    def chain(self, block: str) -> list[str]:
        """Return a block, and the blocks that took its place one after another."""
        if block not in self._chains:
            found: dict[str, None] = {}
            following: str | None = block
            while following is not None and following not in found:
                found[following] = None
                sql = "SELECT superseded_by, base FROM blocks WHERE id = ?"
                row = self._session.row(sql, (following,))
                following = None if row is None else row[1] if row[0] is None else row[0]
            self._chains[block] = list(found)
        return self._chains[block]

    def moved_since(self, version: int) -> set[str]:
        """Return the blocks that stand in another order than in a version."""
        if version not in self._moved and self.now is not None:
            places = {each.base: i for i, each in enumerate(self.view(version).blocks)}
            new = [each.base for each in self.now.blocks]
            pairs = {i: places[base] for i, base in enumerate(new) if base in places}
            self._moved[version] = {new[i] for i in out_of_order(pairs)}
        return self._moved.get(version, set())

    def view(self, version: int) -> View:
        """Return a version as it is read."""
        if version not in self._views:
            self._views[version] = View(self._session, self._state, version)
        return self._views[version]
