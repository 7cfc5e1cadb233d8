"""Notes of a store: values that it keeps by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from chunkwright.store.database.protocol import Session

LAST_ERASED: Final = "last erased document"
"""The highest number that an erased document had, as the store keeps it: no other one gets it."""
CHANGES_ERASED: Final = "changes of erased documents"
"""How often erased documents had changed, as the store keeps it: no other state has such a sum."""


def noted(session: Session, name: str) -> str | None:
    """Return what is kept under a name; None for nothing."""
    row = session.row("SELECT value FROM state WHERE name = ?", (name,))
    return None if row is None else str(row[0])


def note(session: Session, name: str, value: str) -> None:
    """Keep a value under a name, in the place of what was kept before."""
    session.run("DELETE FROM state WHERE name = ?", (name,))
    session.insert("state", [(name, value)])


def erased_count(session: Session, name: str) -> int:
    """Return a number that erased documents left behind; 0 if there were none."""
    return int(noted(session, name) or 0)
