"""Lists of a document while it is read: the list that an item belongs to, and how deep it is."""

from __future__ import annotations

from typing import NamedTuple


class _Open(NamedTuple):
    """A list that may get more items: its level, its numbering, its block, and that of its item."""

    at: int
    numbering: str
    block: int
    item: int


class Place(NamedTuple):
    """Where an item goes: the block of its list, or None for a new one, whose parent this is."""

    block: int | None
    parent: int | None
    level: int


class Lists:
    """The lists that are open, the outermost first."""

    def __init__(self) -> None:
        self._open: list[_Open] = []

    @property
    def item(self) -> int | None:
        """The block of the last item; None if no list is open."""
        return self._open[-1].item if self._open else None

    def close(self) -> None:
        """End all lists."""
        self._open.clear()

    def place(self, at: int, numbering: str) -> Place:
        """Return where an item of a level from 0 in a numbering goes.

        Another numbering of the same level is another list. One that is deeper is in the item
        before it.
        """
        while self._open and self._open[-1].at > at:
            self._open.pop()
        if self._open and self._open[-1].at == at:
            if self._open[-1].numbering == numbering:
                return Place(self._open[-1].block, None, len(self._open))
            self._open.pop()
        return Place(None, self.item, len(self._open) + 1)

    def add(self, at: int, numbering: str, block: int, item: int) -> None:
        """Note an item, and the list that it went to."""
        if self._open and self._open[-1].block == block:
            self._open.pop()
        self._open.append(_Open(at, numbering, block, item))
